"""Check a title's invariants; failures name the current prompt."""
from __future__ import annotations

from traceback import extract_tb
from typing import Any

from ludarium_engine.kernel import RulesError, State, Title
from ludarium_engine.kernel.scripts import row_name

AnyTitle = Title[Any, Any]


def check_invariants(title: AnyTitle, s: State) -> None:
    """Check that a state satisfies the title's invariants.

    Raises:
        RulesError: an invariant is violated. If the failed assertion has no message, the error quotes its line of code.
    """
    try:
        title.invariants(s)
    except AssertionError as error:
        what = str(error) or extract_tb(error.__traceback__)[-1].line
        raise RulesError(f"{title.id}: {where(title, s)}: it does not hold: {what}") from error


def where(title: AnyTitle, s: State) -> str:
    """Describe the current prompt by script, row and seats."""
    if not s.agenda:
        return "the end"
    f = s.agenda[-1]
    return f"{f.script}, {row_name(title.scripts[f.script].rows[f.row])}, seat {', '.join(map(str, f.asked))}"
