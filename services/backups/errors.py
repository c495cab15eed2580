"""What keeps a backup from being made, or from being restored."""


class BackupError(Exception):
    """The message says why, and what to do."""
