"""Where an app may have its users sent back to: the very addresses that it has named, and nothing that looks like one."""

import re
from urllib.parse import urlencode, urlsplit

MAX_LENGTH = 512
_REST = r"[A-Za-z0-9._~:/?\[\]!$&'()*+,;=%-]*"
"""Neither `@`, behind which another host could stand, nor `#`, `\\` or a space."""
_LOOPBACK = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|$)")
_FORMS = [
    re.compile(rf"https://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{{1,5}})?(?:[/?]{_REST})?"),
    re.compile(rf"{_LOOPBACK.pattern}{_REST}"),
    re.compile(rf"[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/{_REST}"),
]
"""On the web, on the device itself with whatever port is free (RFC 8252), by a scheme that is a domain turned round."""


def is_redirect(uri: str) -> bool:
    """Whether an app may name it."""
    return len(uri) <= MAX_LENGTH and any(form.fullmatch(uri) for form in _FORMS)


def is_among(uri: str, named: list[str]) -> bool:
    """Letter by letter one of them; on the device itself at any port."""
    return is_redirect(uri) and any(_portless(uri) == _portless(each) for each in named)


def host_of(uri: str) -> str:
    """What people are shown of it: the host, or the scheme of an app on their device."""
    parts = urlsplit(uri)
    return parts.hostname or "" if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def with_answer(uri: str, **answer: str | None) -> str:
    """The address with the answer in its query."""
    query = urlencode({name: value for name, value in answer.items() if value is not None})
    return f"{uri}{'&' if '?' in uri else '?'}{query}"


def _portless(uri: str) -> str:
    return _LOOPBACK.sub(r"\1", uri, count=1)
