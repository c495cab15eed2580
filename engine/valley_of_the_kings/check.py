"""Whether a data file that replaces ours can be played: what is wrong, and where."""
from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.kernel.data import flaws, located, nameless, repeated, rulings_wrong
from engine.kernel.title import Flaw

from .cards import EDITIONS, MOST_SEATS, STARTERS, Data, Row
from .plans import decoder, plan_of
from .pools import SIZES
from .state import ValleyOptions
from .steps import (
    Aftermath,
    AnyStep,
    Choose,
    Cover,
    Entomb,
    Give,
    Look,
    Repay,
    Reveal,
    Rob,
    Sacrifice,
)

STARTING_DECK = 10
OWN = ("discard", "hand", "deck", "tomb", "their_")
TARGETS: dict[type, tuple[str, ...]] = {Sacrifice: ("boneyard",), Cover: ("pyramid",), Give: ("their_",), Entomb: ("tomb",)}
IN_PYRAMID = {"pyramid", "base", "middle", "apex"}
FIELDS = ("name", "level", "set", "gold", "cost", "points", "copies", "effect")


def check_data(data: bytes) -> list[Flaw]:
    """Everything that is wrong with a data file; nothing if it can be played."""
    return flaws(data, Data, wrong)


def wrong(facts: Data) -> Iterator[Flaw]:
    yield from nameless("", facts.name)
    yield from sets_wrong(facts)
    yield from rows_wrong(facts)
    yield from counts_wrong(facts)
    yield from rulings_wrong(facts.rulings, ValleyOptions)


def sets_wrong(facts: Data) -> Iterator[Flaw]:
    yield from repeated("/sets", [row.id for row in facts.sets])
    for i, row in enumerate(facts.sets):
        there = sum(card.type == "set" and card.set == row.id for card in facts.cards)
        if there != row.size:
            yield Flaw(f"/sets/{i}/size", f"{row.id} has {there} different cards, not {row.size}")
    for edition in EDITIONS:
        found = sorted(row.size for row in facts.sets if row.edition == edition)
        if found != [*SIZES]:
            yield Flaw("/sets", f"{edition} has sets of {found}, not {[*SIZES]}")


def rows_wrong(facts: Data) -> Iterator[Flaw]:
    seen = {row.id for row in facts.cards}
    yield from repeated("/cards", [row.id for row in facts.cards])
    yield from nameless("/cards", *(row.name for row in facts.cards))
    for i, row in enumerate(facts.cards):
        at = f"/cards/{i}"
        yield from (Flaw(f"{at}/{field}", detail) for field, detail in row_wrong(facts, row))
        yield from steps_wrong(f"{at}/steps", row, seen)


def row_wrong(facts: Data, row: Row) -> Iterator[tuple[str, str]]:
    home = {s.id: s.edition for s in facts.sets}
    if row.type == "set" and home.get(row.set or "") != row.edition:
        yield "set", f"{row.edition} has no set {row.set}"
    if row.type != "set" and row.set is not None:
        yield "set", "only set cards belong to a set"
    if row.type == "set" and row.points:
        yield "points", "set cards have no points of their own"
    if (row.type in ("starter", "pharaoh")) != (row.level < 2):
        yield "level", "starters are level 1, pharaohs 0, all others 2 or 3"
    if row.type != "pharaoh" and not row.gold:
        yield "gold", "every card is worth at least 1 gold"
    for field in row.house:
        if field not in FIELDS:
            yield "house", f"{field} is none of {', '.join(FIELDS)}"


def steps_wrong(pointer: str, row: Row, ids: set[str]) -> Iterator[Flaw]:
    try:
        steps = decoder.decode(row.steps)
        parts = plan_of(steps).parts
    except (msgspec.DecodeError, RecursionError) as error:
        yield located(pointer, error)
        return
    if bool(parts) == (row.reaction is not None):
        yield Flaw(pointer, "a card has either steps or a reaction")
    yield from (Flaw(pointer, detail) for detail in order_wrong([part.step for part in parts]))
    if row.type == "pharaoh" and row.reaction:
        yield Flaw(pointer, "a pharaoh does not react")
    for name in sorted({name for part in parts for name in getattr(part.step, "never", ())} - ids):
        yield Flaw(pointer, f"there is no card {name}")


def order_wrong(steps: list[AnyStep]) -> Iterator[str]:
    """Steps that speak of something which no step before them has brought about, or of a place where they do not lead."""
    for i, step in enumerate(steps):
        theirs = isinstance(step, Choose) and step.to.startswith("their_")
        if ((theirs and not isinstance(step, Give)) or isinstance(step, Repay)) and not any_of(steps[:i], Give, Rob):
            yield "no opponent was chosen before"
        seen = isinstance(step, Aftermath) or (isinstance(step, Choose) and "seen" in step.sources)
        if seen and not any_of(steps[:i], Look, Reveal):
            yield "no card was looked at or revealed before"
        if isinstance(step, Choose) and not step.to.startswith(TARGETS.get(type(step), OWN)):
            yield f"a card cannot go to {step.to} so"
        if isinstance(step, Cover) and not IN_PYRAMID.issuperset(step.sources):
            yield "only pyramid cards are turned face down"


def any_of(steps: list[AnyStep], *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in steps)


def counts_wrong(facts: Data) -> Iterator[Flaw]:
    pharaohs = sum(row.copies for row in facts.cards if row.type == "pharaoh")
    if pharaohs < MOST_SEATS:
        yield Flaw("/cards", f"{pharaohs} pharaohs for {MOST_SEATS} seats")
    for family in STARTERS:
        there = sum(row.copies for row in facts.cards if row.type == "starter" and row.edition == family)
        if there != STARTING_DECK:
            yield Flaw("/cards", f"a starting deck of {family} has {there} cards, not {STARTING_DECK}")
    for edition in EDITIONS:
        rows = [row for row in facts.cards if row.edition == edition and row.type in ("set", "unique")]
        counts = tuple(sum(row.copies for row in rows if row.level == level) for level in (2, 3))
        if counts != facts.stock.get(edition):
            wanted = facts.stock.get(edition)
            yield Flaw("/cards", f"{edition} has {counts} cards of levels 2 and 3, not {wanted}")
