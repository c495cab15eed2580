"""Errors of the embedded servers."""


class EmbeddedError(Exception):
    """The embedded servers cannot run here.

    The message gives the reason and the remedy.
    """


class OldHome(EmbeddedError):
    """A release before 0.1.0 made the data, and later ones cannot read it.

    Nothing was changed.
    """


class AlreadyRunning(EmbeddedError):
    """Another Ludarium process uses the same data."""
