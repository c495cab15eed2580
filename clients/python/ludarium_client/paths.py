"""Paths and queries of the API."""

from typing import Any
from urllib.parse import quote, urlencode


def path(table: str, below: str = "") -> str:
    return path_of("tables", table, below)


def path_of(kind: str, id_: str, below: str = "") -> str:
    return f"/{kind}/{quote(id_, safe='')}{below}"


def query(**given: Any) -> str:
    """Return the query string of all arguments that are not None."""
    said = {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}
    told = urlencode({name: value for name, value in said.items() if value is not None})
    return f"?{told}" if told else ""
