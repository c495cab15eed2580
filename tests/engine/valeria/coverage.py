"""Count which effects of which cards occurred in random games.

`python -m tests.engine.valeria.coverage` reads states and events. An effect is counted only if the event can have no other
cause.
"""
from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from ludarium_engine.kernel import Event, decide, legal_offers, new_game
from ludarium_engine.kernel.facts import Counted, Said, TurnPassed
from ludarium_engine.kernel.slots import slot_name
from ludarium_engine.testkit.fuzz import Case, cases, chance_of
from ludarium_engine.testkit.sample import random_move
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import (
    CITIZEN_KINDS,
    DOMAIN,
    DOMAIN_KINDS,
    DUKE,
    DUKE_KINDS,
    FACES,
    MONSTER,
    MONSTER_KINDS,
    STARTER_KINDS,
    TABLEAU,
)
from ludarium_engine.titles.valeria.data_file import Effect
from ludarium_engine.titles.valeria.harvest import activated, harvesters
from ludarium_engine.titles.valeria.state import Valeria
from ludarium_engine.titles.valeria.tokens import RESOURCES, brings, names, working, works

GAMES = 6                                       # of each case
HARVEST, START = 4, 5                           # rows of a turn
Use = tuple[str, str]                           # a card's kind, and its effect
ON, OFF, DID, DECLINED, CITIZEN = "on turn", "off turn", "did it", "declined", "a citizen"
OPTIONAL = ("cathedral_of_st_aquila", "the_orb_of_urdr", "golden_obelisk_of_nae", "eye_of_asteraten", "foxgrove_palisade",
            "the_desert_orchid", "palace_of_the_dawn", "watcher_on_the_water", "nest_of_the_weaver_witch")  # fmt: skip
SCRIPTS = {"watcher": "watcher_on_the_water", "nest": "nest_of_the_weaver_witch", "perch": "purloiners_perch",
           "extra slay": "eye_of_asteraten"}  # fmt: skip


class Step(NamedTuple):
    before: Valeria
    event: Event
    after: Valeria


# --- effects to see ---------------------------------------------------------------------------------------------------
def wanted() -> set[Use]:
    powers = [(kind.id, side, effect) for kind in CITIZEN_KINDS + STARTER_KINDS
              for side, effect in ((ON, kind.on_turn), (OFF, kind.off_turn))]  # fmt: skip
    return {
        *((kind, what) for kind, side, effect in powers for what in ways(side, effect)),
        *((kind.id, what) for kind in MONSTER_KINDS for what in rewards(kind.reward)),
        *((kind.id, DID) for kind in DOMAIN_KINDS), *((kind, DECLINED) for kind in OPTIONAL),
        *((kind.id, DID) for kind in DUKE_KINDS),
    }  # fmt: skip


def ways(side: str, effect: Effect) -> list[str]:
    if effect.choose:
        return [f"{side}: {name}" for option in effect.choose for name in option.gain]
    return [side, f"{side}: {DECLINED}"] if effect.pay or effect.take else [side]


def rewards(effect: Effect) -> list[str]:
    return [what for option in effect.choose or (effect,) for what in reward(option)]


def reward(option: Effect) -> list[str]:
    return [CITIZEN] if option.citizen is not None else [*(option.gain | option.each)][:1]


# --- effects in an event ----------------------------------------------------------------------------------------------
def uses(step: Step) -> Iterator[Use]:
    yield from answered(step)
    yield from passive(step)
    if began(step, HARVEST):
        yield from at_once(step.after)
    if began(step, START + 1):
        yield from ((DOMAIN[card].id, DID) for card in working(step.after, step.after.turn) if DOMAIN[card].start.gain)
    for fact in step.event.facts:
        if isinstance(fact, Said) and fact.what == "scores" and fact.args[-1] != 0:
            yield from ((DUKE[card].id, DID) for card in step.after.duke[int(str(fact.args[0]))])


def row_of(s: Valeria) -> int:
    return s.agenda[0].row if s.agenda and "turn" in s.agenda[0].script else 0


def began(step: Step, row: int) -> bool:
    """Return whether the event reached this row of the turn."""
    new_turn = any(isinstance(fact, TurnPassed) for fact in step.event.facts)
    return row_of(step.after) >= row and (new_turn or row_of(step.before) < row)


def at_once(s: Valeria) -> Iterator[Use]:
    for seat in harvesters(s):
        for card in activated(s, seat):
            side, power = (ON, TABLEAU[card].on_turn) if seat == s.turn else (OFF, TABLEAU[card].off_turn)
            if not power.asks and any(brings(s, seat, power).values()):
                yield TABLEAU[card].id, side


def answered(step: Step) -> Iterator[Use]:
    before, seat, action = step.before, step.event.seat, step.event.action
    top = before.agenda[-1] if before.agenda else None
    match action.verb, top.script if top else "":
        case "harvest", _:
            yield from chosen(before, seat, action.args)
        case verb, ("theft" | "reward") if top:
            yield answer(top.picks[0], verb, action.args)
        case verb, ("watcher" | "nest" | "perch" | "extra slay") as script:
            yield SCRIPTS[script], DECLINED if verb == "pass" else DID
        case "change", _:
            yield DOMAIN[action.args[0]].id, DID
        case "announce", _:
            yield from {(DOMAIN[offer.args[0]].id, DECLINED) for offer in legal_offers(TITLE, before, seat) if offer.args}
    if action.verb == "slay":
        yield from slain(step, action.args[0])


def chosen(s: Valeria, seat: int, change: tuple[int, ...]) -> Iterator[Use]:
    """Yield the choices made, if cards of only one kind offered a choice."""
    left = seat == s.turn and row_of(s) == HARVEST
    powers = {TABLEAU[card].id: TABLEAU[card].on_turn if left else TABLEAU[card].off_turn for card in activated(s, seat)}
    asking = [(kind, power) for kind, power in powers.items() if power.pay or power.choose]
    if len(asking) != 1:
        return
    (kind, power), side = asking[0], ON if left else OFF
    if power.choose:
        yield from ((kind, f"{side}: {name}") for name, n in zip(RESOURCES, change, strict=True) if n)
    else:
        yield kind, side if any(change) else f"{side}: {DECLINED}"


def answer(card: int, verb: str, args: tuple[int, ...]) -> Use:
    kind, by_citizen = FACES[card].id, card in TABLEAU
    match verb:
        case "pass":
            return kind, f"{ON}: {DECLINED}" if by_citizen else DECLINED
        case "draw" if card in MONSTER:
            return kind, RESOURCES[args[0]]
        case "take" if card in MONSTER:
            return kind, CITIZEN
        case _:
            return kind, ON if by_citizen else DID


def slain(step: Step, card: int) -> Iterator[Use]:
    """Yield the rewards of a slain monster that need no question."""
    effect, seat = MONSTER[card].reward, step.event.seat
    if not effect.asks:
        yield MONSTER[card].id, reward(effect)[0]
    elif effect.citizen is not None and len(step.after.tableau[seat]) > len(step.before.tableau[seat]):
        yield MONSTER[card].id, CITIZEN


def passive(step: Step) -> Iterator[Use]:
    before, after, seat, action = *step[::2], step.event.seat, step.event.action
    grown = seat >= 0 and len(after.tableau[seat]) > len(before.tableau[seat])
    if grown and works(before, seat, "forgotten_sorrows"):
        yield "forgotten_sorrows", DID
    match action.verb:
        case "recruit" if works(before, seat, "emerald_stronghold"):
            if TABLEAU[action.args[0]].named in names(before, seat):
                yield "emerald_stronghold", DID
        case "build":
            if works(before, seat, "pratchetts_plateau"):
                yield "pratchetts_plateau", DID
            yield from built(step, action.args[0], grown)
        case "slay" if works(before, seat, "the_violet_thorn"):
            yield "the_violet_thorn", DID
    if action.verb == "change" or any(isinstance(fact, TurnPassed) for fact in step.event.facts):
        yield from doubles(step)


def built(step: Step, card: int, grown: bool) -> Iterator[Use]:
    """Yield the effects of building a domain that need no question."""
    effect, seat = DOMAIN[card].built, step.event.seat
    robbed = any(isinstance(fact, Counted) and fact.by < 0 and slot_name(step.after, fact.slot) not in
                 (f"gold.{seat}", f"magic.{seat}") for fact in step.event.facts)  # fmt: skip
    if (effect.citizen is not None and grown) or (effect.take and robbed):
        yield DOMAIN[card].id, DID
    if DOMAIN[card].id == "purloiners_perch" and len(step.after.slain[seat]) > len(step.before.slain[seat]):
        yield DOMAIN[card].id, DID


def doubles(step: Step) -> Iterator[Use]:
    owners = [seat for seat in range(step.before.seats) if works(step.before, seat, "gargans_embrace")]
    for fact in step.event.facts:
        if isinstance(fact, Counted) and slot_name(step.after, fact.slot) in [f"vp.{seat}" for seat in owners]:
            yield "gargans_embrace", DID


# --- games ------------------------------------------------------------------------------------------------------------
def steps(case: Case, seed: int) -> Iterator[Step]:
    rng, chance = Random(seed), chance_of(seed)
    s, _ = new_game(TITLE, case.options, case.seats, chance)
    while s.outcome is None:
        before, (s, event) = s, decide(TITLE, s, *random_move(TITLE, s, rng), chance)
        yield Step(before, event, s)


def counted(tables: Iterable[Case], games: int) -> Counter[Use]:
    return Counter(use for case in tables for seed in range(games) for step in steps(case, seed) for use in uses(step))


def main() -> int:
    found = counted(cases(TITLE), GAMES)
    for kind, what in sorted(wanted() | {*found}):
        print(f"{kind:28}{what:24}{found[kind, what]:8}")
    missing = wanted() - {*found}
    print(f"{len(wanted())} uses wanted, {len(missing)} not seen")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
