"""What keeps a backup from being made, or from being restored."""


class BackupError(Exception):
    """The message says why, and what to do."""


class OldPlace(BackupError):
    """A release before 0.1.0 wrote the place, and no later one can use it. Nothing was changed."""


class Damaged(BackupError):
    """A file of a place is missing, or is not what was written."""


class Changed(Damaged):
    """It is not the file that the mark lists."""
