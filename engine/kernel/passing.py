"""What a seat always passes, by name: a window, maybe for one kind of card, maybe until the turn passes.

    wave        announcement:prayer        wave@turn        announcement:prayer@turn
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.kernel.scripts import Row, Sealed
from engine.kernel.slots import THIS_TURN, Frame

if TYPE_CHECKING:
    from engine.kernel.table import Table
    from engine.kernel.title import Title


def is_window(row: Row) -> bool:
    """A sealed row that a seat may always pass; it goes by the name of its script."""
    return isinstance(row, Sealed) and row.passed is not None


def windows(title: Title[Any, Any]) -> list[str]:
    return [script.name for script in title.scripts.values() if any(map(is_window, script.rows))]


def passed_by(title: Title[Any, Any], f: Frame) -> list[str]:
    """Under which names a seat may pass this window."""
    about = title.scripts[f.script].about
    return names(f.script, *([] if about is None else [title.cards[about(f)].kind]))


def names(window: str, *kinds: str) -> list[str]:
    for_the_game = [window, *(f"{window}:{kind}" for kind in kinds)]
    return [name + span for span in ("", THIS_TURN) for name in for_the_game]


def may_pass(title: Title[Any, Any], window: str) -> list[str]:
    """All names under which a window may ever be passed."""
    kinds = dict.fromkeys(card.kind for card in title.cards) if title.scripts[window].about else ()
    return names(window, *kinds)


def passes(t: Table[Any], f: Frame, seat: int) -> bool:
    wishes = t.s.always_passes
    return bool(wishes) and any((seat, name) in wishes for name in passed_by(t.title, f))
