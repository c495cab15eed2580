"""Errors of backups and restores."""


class BackupError(Exception):
    """A backup or restore failed; the message gives the reason and the remedy."""


class OldPlace(BackupError):
    """A release before 0.1.0 wrote the place, and later releases cannot use it.

    Nothing was changed.
    """


class Damaged(BackupError):
    """A file of a place is missing or damaged."""


class Changed(Damaged):
    """A file differs from the one that the mark lists."""
