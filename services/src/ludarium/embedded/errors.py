"""Errors of the embedded servers."""


class EmbeddedError(Exception):
    """The embedded servers cannot run on this machine.

    The message gives the reason and the remedy.
    """


class OldHome(EmbeddedError):
    """The data was made by a release before 0.1.0, which later releases cannot read.

    Nothing was changed.
    """


class AlreadyRunning(EmbeddedError):
    """Another Ludarium process uses the same data."""
