"""The origins of the service's web pages, which are one host and its subdomains."""

from urllib.parse import urlsplit

LOCAL = ("localhost",)


class Origins:
    """The configured origins of the web pages.

    The first origin is used in e-mails and documents, and the host of the first origin is used for passkeys.
    """

    def __init__(self, names: str) -> None:
        """Parse origins separated by commas. Raises ValueError."""
        self.all = [origin_of(name.strip()) for name in names.split(",") if name.strip()]
        if not self.all:
            raise ValueError("no origin is named")
        self.first = self.all[0]
        self.host = host_of(self.first)
        for other in map(host_of, self.all):
            if other != self.host and not other.endswith(f".{self.host}"):
                raise ValueError(f"{other} does not belong to {self.host}")

    def __str__(self) -> str:
        return ",".join(self.all)


def origin_of(name: str) -> str:
    parts = urlsplit(name)
    host = parts.hostname or ""
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOCAL):
        raise ValueError(f"{name}: https://…, or http://localhost")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise ValueError(f"{name}: only scheme, host and port; Ludarium needs a host name of its own")
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port is not None else "")


def host_of(origin: str) -> str:
    return urlsplit(origin).hostname or ""
