"""Look up rulesets by their ids."""

from typing import Any

from ludarium.platform.problems import Problem
from ludarium_engine.kernel import Title
from ludarium_engine.registry import titles


def ruleset_named(id: str, code: str = "unknown-ruleset") -> Title[Any, Any]:
    """Return the title with this id.

    Args:
        id: the id from the request.
        code: the code of the problem; use `no-such-ruleset` for an id in a path.

    Raises:
        Problem: with this code if there is no such title; the detail lists the existing ids.
    """
    title = titles().get(id)
    if title is None:
        raise Problem(code, f"the rulesets here are {', '.join(sorted(titles()))}")
    return title


def ruleset_at(id: str) -> Title[Any, Any]:
    """Return the title whose id is in a path. Raises Problem `no-such-ruleset`."""
    return ruleset_named(id, "no-such-ruleset")
