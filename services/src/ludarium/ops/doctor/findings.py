"""What was found."""

from typing import Literal, NamedTuple

LOCAL = ("127.0.0.1", "::1", "localhost")
OLD = "old-data"
"""What is found of a database or a home that a release before 0.1.0 made."""
Level = Literal["ok", "warning", "wrong"]


class Finding(NamedTuple):
    """what: was looked at. told: how it is. remedy: what to do, unless it is well."""

    level: Level
    what: str
    told: str
    remedy: str = ""


def ok(what: str, told: str) -> Finding:
    return Finding("ok", what, told)


def warning(what: str, told: str, remedy: str) -> Finding:
    return Finding("warning", what, told, remedy)


def wrong(what: str, told: str, remedy: str) -> Finding:
    return Finding("wrong", what, told, remedy)
