"""List what a title's rules disclose in random games, and to which audiences.

Disclosures are revealed cards, sentences to certain seats, and facts about zones that are not public. The non-interference
proof treats disclosures as things that the audience may know. A person therefore has to review the list line by line.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from random import Random
from typing import Any

from ludarium_engine.kernel import SPECTATOR, Chance
from ludarium_engine.kernel.agenda import apply_answer, run_agenda
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.facts import (
    Admitted,
    AnyFact,
    Became,
    Counted,
    Moved,
    NumbersRevealed,
    Revealed,
    Rolled,
    Shared,
    Told,
    Uncovered,
)
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import row_name
from ludarium_engine.kernel.slots import UNKNOWN, depths_of, entry_index, field_number
from ludarium_engine.kernel.table import SETUP, Table
from ludarium_engine.kernel.title import Title
from ludarium_engine.testkit.fuzz import Case, chance_of
from ludarium_engine.testkit.sample import random_move

AnyTitle = Title[Any, Any]
Heard = tuple[str, AnyFact, Layout]             # the script row that recorded a fact, the fact, and the layout at that time


class Listening(Table[Any]):
    """A table that collects each recorded fact with the script row that recorded it."""

    def __init__(self, case: Case, chance: Chance) -> None:
        super().__init__(case.title, case.title.blank(case.options, case.seats), chance)
        self.case = case
        self.heard: list[Heard] = []

    def record(self, fact: AnyFact) -> None:
        self.heard.append((self.row_at_work(), fact, self.layout.at(self.s)))
        super().record(fact)

    def row_at_work(self) -> str:
        if self.frame is SETUP:
            return SETUP.script
        return f"{self.frame.script}: {row_name(self.scripts[self.frame.script].rows[self.row])}"


def disclosures(cases: Sequence[Case], seeds: Sequence[int]) -> list[str]:
    """Return the disclosures in random games as sorted lines "row: what -> audience"."""
    return sorted({line for case in cases for line in shown_picks(case.title)}
                  | {line for case in cases for seed in seeds for line in disclosed(case, seed)})


def shown_picks(title: AnyTitle) -> Iterator[str]:
    for name, script in title.scripts.items():
        yield from (f"{name}: pick {pick.name} -> everybody" for pick in script.picks if pick.shown)


def disclosed(case: Case, seed: int) -> Iterator[str]:
    """Play one random game and yield a line for each disclosure."""
    t, rng = Listening(case, chance_of(seed)), Random(seed)
    case.title.setup(t)
    run_agenda(t)
    yield from lines(t, SPECTATOR)
    for _ in range(case.title.most_events):
        if t.s.outcome is not None:
            break
        seat, action = random_move(case.title, t.s, rng)
        apply_answer(t, seat, action)
        run_agenda(t)
        yield from lines(t, seat)


def lines(t: Listening, actor: int) -> Iterator[str]:
    """Yield the disclosures since the last call.

    Args:
        t: the table that collected the facts.
        actor: the seat whose command caused the facts, or SPECTATOR for the set-up.
    """
    for row, fact, layout in t.heard:
        what = said(t.case.title, fact)
        if what:
            yield f"{row}: {what} -> {audience(t.case.title, layout, fact, t.s.seats, actor)}"
    t.heard.clear()


# --- what is disclosed ------------------------------------------------------------------------------------------------
def said(title: AnyTitle, fact: AnyFact) -> str | None:
    """Describe a fact, or return None if the fact is only about public slots."""
    name = partial(zone, title)
    match fact:
        case Told(what):
            return f"tell {what}({', '.join(title.disclosures[what])})"
        case Admitted(what):
            return f"admit {what}({', '.join(title.predicates[what].args)})"
        case Revealed(_, slot) | NumbersRevealed(slot) if secret(title, slot):
            return f"reveal {name(slot)}"
        case Shared(slot):
            return f"share {name(slot)}"
        case Moved(_, src, dst) if secret(title, src) or secret(title, dst):
            return f"move {name(src)} to {name(dst)}"
        case Uncovered(_, slot):
            return f"uncover {name(slot)}"
        case Counted(slot) | Became(slot) | Rolled(slot) if secret(title, slot):
            return f"number {name(slot)}"
        case _:
            return None


def zone(title: AnyTitle, slot: int) -> str:
    return title.layout.fields[field_number(slot)].name


def secret(title: AnyTitle, slot: int) -> bool:
    return title.layout.fields[field_number(slot)].visibility != "public"


# --- to which audience ------------------------------------------------------------------------------------------------
def audience(title: AnyTitle, layout: Layout, fact: AnyFact, seats: int, actor: int) -> str:
    """Name the audiences that see the whole fact and those that see only some cards."""
    everybody = (*range(seats), SPECTATOR)
    seen = {p: fact.redacted(layout, p) for p in everybody}
    whole = {p for p in everybody if seen[p] == fact}
    part = {p for p in everybody if names_a_card(seen[p])} - whole
    named = named_roles(title, fact, actor)
    rest = "everybody else" if whole | part == {*everybody} else roles(part, seats, named)
    return roles(whole, seats, named) + (f"; one card: {rest}" if part else "")


def names_a_card(fact: AnyFact | None) -> bool:
    return isinstance(fact, Moved) and set(fact.cards) != {UNKNOWN}


def named_roles(title: AnyTitle, fact: AnyFact, actor: int) -> dict[int, str]:
    """Map seats to their role in a fact; the first suitable role is used."""
    src, dst = ([getattr(fact, name, None) for name in names] for names in (("src", "slot"), ("dst",)))
    by_name = (("its owner", owners(title, src)), ("its new owner", owners(title, dst)),
               ("the seat that acts", [actor]), ("a seat that it names", seats_in(title, fact)))
    return {seat: name for name, some in reversed(by_name) for seat in some if seat != SPECTATOR}


def seats_in(title: AnyTitle, fact: AnyFact) -> list[int]:
    match fact:
        case Told(what, args):
            kinds = title.disclosures[what]
        case Admitted(what, args):
            kinds = title.predicates[what].args
        case _:
            return []
    return [value for kind, value in zip(kinds, args, strict=True) if kind == SEAT]


def owners(title: AnyTitle, slots: Sequence[int | None]) -> list[int]:
    """Return the owners of those slots that look different to their owners."""
    known = [slot for slot in slots if slot is not None]
    fields = [(title.layout.fields[field_number(slot)], entry_index(slot)) for slot in known]
    of_seats = [(depths_of(field.visibility), index) for field, index in fields if not field.members]
    return [index for (owner, others), index in of_seats if index >= 0 and owner != others]


def roles(audiences: Set[int], seats: int, named: Mapping[int, str]) -> str:
    if len(audiences) == seats + 1:
        return "everybody"
    known = sorted(text for p, text in named.items() if p in audiences)
    return " and ".join([*known, *unnamed(audiences - named.keys(), seats - len(named))]) or "nobody"


def unnamed(audiences: Set[int], seats: int) -> list[str]:
    """Describe audiences that have no named role.

    Args:
        audiences: the audiences to describe.
        seats: the number of seats at the table that have no named role.
    """
    others, spectators = len(audiences - {SPECTATOR}), ["spectators"] if SPECTATOR in audiences else []
    match others:
        case 0:
            return spectators
        case _ if others == seats and spectators:
            return ["everybody else"]
        case 1:
            return ["one other seat", *spectators]
        case _:
            return ["every other seat" if others == seats else "some other seats", *spectators]
