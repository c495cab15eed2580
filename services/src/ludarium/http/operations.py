"""Declaration of the problems that an operation may answer."""

from typing import Any

from ludarium.platform.problems import KINDS

ALWAYS = ("rate-limited", "internal", "unavailable")
"""Problems that any operation may answer."""


def operation(*problems: str, **opt: Any) -> dict[str, Any]:
    """Return the `opt` of a route handler.

    It contains the codes of problems for the OpenAPI document.
    """
    unknown = set(problems) - KINDS.keys()
    if unknown:
        raise KeyError(*unknown)
    return {"problems": problems, **opt}
