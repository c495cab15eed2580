"""Errors of backups and restores."""


class BackupError(Exception):
    """The message says why, and what to do."""


class OldPlace(BackupError):
    """A release before 0.1.0 wrote the place; later releases cannot use it.

    Nothing was changed.
    """


class Damaged(BackupError):
    """A file of a place is missing or damaged."""


class Changed(Damaged):
    """A file differs from the one that the mark lists."""
