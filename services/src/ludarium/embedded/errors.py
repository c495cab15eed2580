"""What can go wrong with the servers that Ludarium brings along."""


class EmbeddedError(Exception):
    """The embedded servers cannot run here; the message says why and what helps."""


class OldHome(EmbeddedError):
    """The data was made by a release before 0.1.0, which no later one can use. Nothing was changed."""


class AlreadyRunning(EmbeddedError):
    """Another Ludarium is using the same data."""
