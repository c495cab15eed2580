"""What an operation may answer besides its success, told where the operation is written."""

from typing import Any

from ludarium.platform.problems import KINDS

ALWAYS = ("rate-limited", "internal", "unavailable")
"""What any operation may answer."""


def operation(*problems: str, **opt: Any) -> dict[str, Any]:
    """`opt` of a route handler: the codes of the problems that it may answer, for the OpenAPI document."""
    unknown = set(problems) - KINDS.keys()
    if unknown:
        raise KeyError(*unknown)
    return {"problems": problems, **opt}
