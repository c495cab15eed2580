"""Compare the `Host` header of requests with LUDARIUM_ORIGIN."""

import logging
import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from ludarium.platform.origins import LOCAL, Origins

HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")
"""Matches a host name or address as written in a URL. Other characters could break a header that repeats the host."""
UNSAFE = re.compile(r"[^A-Za-z0-9.:_-]")
DEFAULT_PORTS = {"http": "80", "https": "443"}
LONGEST = 100
"""Maximum number of characters of a `Host` header in the log."""
log = logging.getLogger(__name__)


class Hosts:
    """Compares the hosts in requests with the configured origins."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self._known = {origin_host(origin) for origin in origins.all}
        self._local = origins.host in LOCAL
        self._warned = False

    def check(self, header: str) -> None:
        """Log a warning, once, if a request names a host that no origin has.

        A proxy on this machine may replace the header with the server's local address. If the origin is public, a
        loopback address is therefore accepted.
        """
        if self._warned or not header or self.knows(header):
            return
        self._warned = True
        shown = UNSAFE.sub("?", header[:LONGEST])
        log.warning(
            "A request came for the host %s, but OAuth, passkeys, previews and mails name %s. If people open another address, "
            "set LUDARIUM_ORIGIN to it.", shown, self.origins.first,
        )  # fmt: skip

    def asked(self, header: str) -> str:
        """Return the host in a `Host` header, without the port.

        If the header is malformed, the host of the first origin is returned.
        """
        host, _ = split(header)
        return host if HOST.fullmatch(host) else self.origins.host

    def knows(self, header: str) -> bool:
        """Return whether a `Host` header names one of the origins or this machine."""
        host, port = split(header.lower())
        if is_loopback(host):
            if not self._local:
                return True
            host = self.origins.host
        return any(host == known and (port or default) == own for known, own, default in self._known)


def origin_host(origin: str) -> tuple[str, str, str]:
    """Return an origin's host, port and default port."""
    host, port = split(urlsplit(origin).netloc)
    default = DEFAULT_PORTS[urlsplit(origin).scheme]
    return host, port or default, default


def split(header: str) -> tuple[str, str]:
    """Return the host and the port in a `Host` header; the port may be empty."""
    host, colon, port = header.rpartition(":")
    return (host, port) if colon and (port.isdecimal() or not port) and not host.endswith(":") else (header, "")


def is_loopback(host: str) -> bool:
    if host in LOCAL:
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
