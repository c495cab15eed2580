"""Apps' redirect URIs, which must equal registered ones exactly."""

import re
from urllib.parse import urlencode, urlsplit

MAX_LENGTH = 512
_REST = r"[A-Za-z0-9._~:/?\[\]!$&'()*+,;=%-]*"
"""Excludes `@`, which could put another host after it, and `#`, `\\` and spaces."""
_LOOPBACK = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|$)")
_FORMS = [
    re.compile(rf"https://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{{1,5}})?(?:[/?]{_REST})?"),
    re.compile(rf"{_LOOPBACK.pattern}{_REST}"),
    re.compile(rf"[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/{_REST}"),
]
"""The allowed forms: https, loopback at any port (RFC 8252), and private-use schemes named like a reversed domain."""


def is_redirect(uri: str) -> bool:
    """Return whether an app may register this URI."""
    return len(uri) <= MAX_LENGTH and any(form.fullmatch(uri) for form in _FORMS)


def is_among(uri: str, named: list[str]) -> bool:
    """Return whether the URI equals a registered one; on loopback, ports may differ."""
    return is_redirect(uri) and any(_portless(uri) == _portless(each) for each in named)


def host_of(uri: str) -> str:
    """Return the part of the URI shown to users: its host, or a local app's scheme."""
    parts = urlsplit(uri)
    return parts.hostname or "" if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def with_answer(uri: str, **answer: str | None) -> str:
    """Return the URI with these parameters added to its query."""
    query = urlencode({name: value for name, value in answer.items() if value is not None})
    return f"{uri}{'&' if '?' in uri else '?'}{query}"


def _portless(uri: str) -> str:
    return _LOOPBACK.sub(r"\1", uri, count=1)
