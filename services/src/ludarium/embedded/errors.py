"""What can go wrong with the servers that Ludarium brings along."""


class EmbeddedError(Exception):
    """The embedded servers cannot run here; the message says why and what helps."""


class AlreadyRunning(EmbeddedError):
    """Another Ludarium is using the same data."""
