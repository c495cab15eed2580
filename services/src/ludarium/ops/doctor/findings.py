"""Findings of `ludarium doctor`."""

from typing import Literal, NamedTuple

LOCAL = ("127.0.0.1", "::1", "localhost")
OLD = "old-data"
"""The subject of a finding about a database or a home of a release before 0.1.0."""
Level = Literal["ok", "warning", "wrong"]


class Finding(NamedTuple):
    """The result of one check.

    Attributes:
        what: the subject of the check.
        detail: what was found.
        remedy: what to do about a warning or an error.
    """

    level: Level
    what: str
    detail: str
    remedy: str = ""


def ok(what: str, detail: str) -> Finding:
    return Finding("ok", what, detail)


def warning(what: str, detail: str, remedy: str) -> Finding:
    return Finding("warning", what, detail, remedy)


def wrong(what: str, detail: str, remedy: str) -> Finding:
    return Finding("wrong", what, detail, remedy)
