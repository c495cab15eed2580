"""Whether a data file that replaces ours can be played: what is wrong, and where."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from engine.kernel.data import flaws, nameless, repeated, rulings_wrong, shipped
from engine.kernel.title import Flaw, Ruling

from .cards import AT_FIVE, COLUMNS, ROLES, Citizen, Domain, Duke, Effect, Filter, Monster, Row, Setup, Small
from .state import Area, Kind, ValeriaOptions
from .tokens import RESOURCES

STACK = 6                                       # cards of a citizen or an area, one fewer below five seats
STRENGTHS = 3                                   # different ones in an area
STACKS = 2 * COLUMNS                            # of citizens
DUKES = 2 * AT_FIVE
DOMAINS = 4 * COLUMNS                           # dealt to five seats
TOKENS = (*RESOURCES, "vp")
COUNTED = (*ROLES, "citizen", "domain", "monster", "titan")      # by dukes


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file."""

    name: dict[str, str]
    seats: tuple[Annotated[int, Meta(ge=1, le=AT_FIVE)], Annotated[int, Meta(ge=1, le=AT_FIVE)]]
    start: dict[str, Small]
    slots: list[list[str]]
    areas: list[Row]
    citizens: list[Citizen]
    starters: list[Citizen]
    monsters: list[Monster]
    domains: list[Domain]
    dukes: list[Duke]
    setups: list[Setup]
    rulings: list[Ruling]


def check_data(data: bytes) -> list[Flaw]:
    """Everything that is wrong with a data file; nothing if it can be played."""
    return flaws(data, Data, wrong)


def wrong(facts: Data) -> Iterator[Flaw]:
    checks = (
        names_wrong, start_wrong, slots_wrong, citizens_wrong, monsters_wrong, domains_wrong, dukes_wrong, setups_wrong
    )  # fmt: skip
    for check in checks:
        yield from check(facts)
    yield from rulings_wrong(facts.rulings, ValeriaOptions)


# --- rows and their ids -------------------------------------------------------------------------------------------------
def names_wrong(facts: Data) -> Iterator[Flaw]:
    """The rules and the texts know areas, citizens, domains and setups by their ids."""
    own = msgspec.json.decode(shipped(__package__), type=Data)
    yield from nameless("", facts.name)
    yield from rows_wrong("/areas", facts.areas, get_args(Area))
    yield from rows_wrong("/citizens", facts.citizens, get_args(Kind))
    yield from rows_wrong("/domains", facts.domains, [row.id for row in own.domains])
    yield from rows_wrong("/setups", facts.setups, [row.id for row in own.setups])
    every = [row.id for rows in (facts.citizens, facts.starters, facts.monsters, facts.domains, facts.dukes) for row in rows]
    for name, n in Counter(every).items():
        if n > 1:
            yield Flaw("", f"{name} is the id of {n} cards")
    for at, rows in (("/starters", facts.starters), ("/monsters", facts.monsters), ("/dukes", facts.dukes)):
        yield from nameless(at, *(row.name for row in rows))


def rows_wrong(at: str, rows: Sequence[Row], wanted: Sequence[str]) -> Iterator[Flaw]:
    ids = [row.id for row in rows]
    yield from repeated(at, ids)
    yield from nameless(at, *(row.name for row in rows))
    yield from (Flaw(at, f"{name} is missing") for name in wanted if name not in ids)
    yield from (Flaw(f"{at}/{i}/id", f"the rules know no {name}") for i, name in enumerate(ids) if name not in wanted)
    if sorted(ids) == sorted(wanted) and ids != [*wanted]:
        yield Flaw(at, "texts name them by their place: the order is part of the rules")


def start_wrong(facts: Data) -> Iterator[Flaw]:
    if facts.seats[0] > facts.seats[1]:
        yield Flaw("/seats", f"{facts.seats[0]} is more than {facts.seats[1]}")
    if facts.start.keys() != {"gold", "magic"}:
        yield Flaw("/start", "says how much gold and magic everybody begins with, and nothing else")


def slots_wrong(facts: Data) -> Iterator[Flaw]:
    """Every citizen has one of the ten stacks."""
    if len(facts.slots) != STACKS or not all(facts.slots):
        yield Flaw("/slots", f"names the citizens that may lie in each of the {STACKS} stacks")
    if sorted(kind for slot in facts.slots for kind in slot) != sorted(get_args(Kind)):
        yield Flaw("/slots", "every citizen belongs to exactly one of them")


# --- cards --------------------------------------------------------------------------------------------------------------
def citizens_wrong(facts: Data) -> Iterator[Flaw]:
    for i, row in enumerate(facts.citizens):
        if row.copies != STACK:
            yield Flaw(f"/citizens/{i}/copies", f"{row.copies}, not {STACK}")
        if row.role not in ROLES:
            yield Flaw(f"/citizens/{i}/role", f"is none of {', '.join(ROLES)}")
    for i, row in enumerate(facts.starters):
        if row.copies != AT_FIVE:
            yield Flaw(f"/starters/{i}/copies", f"{row.copies}, not one for each of {AT_FIVE} seats")
        if row.role is not None:
            yield Flaw(f"/starters/{i}/role", "starters have none")
    for at, rows in (("/citizens", facts.citizens), ("/starters", facts.starters)):
        for i, row in enumerate(rows):
            yield from powers_wrong(f"{at}/{i}", facts, row)


def powers_wrong(at: str, facts: Data, row: Citizen) -> Iterator[Flaw]:
    """Of the harvest: what is taken in it is taken on one's own turn; points and further citizens are not to be had."""
    for side, power in (("on_turn", row.on_turn), ("off_turn", row.off_turn)):
        yield from effect_wrong(f"{at}/{side}", facts, power)
        if power.citizen is not None or any(option.citizen or option.each for option in power.choose):
            yield Flaw(f"{at}/{side}", "a harvest brings tokens, and only fixed numbers of them are chosen from")
        if "vp" in {*power.gain, *power.each, *power.pay, *(name for option in power.choose for name in option.gain)}:
            yield Flaw(f"{at}/{side}", "a harvest brings no points")
    if row.off_turn.take:
        yield Flaw(f"{at}/off_turn/take", "only on one's own turn something is taken")


def monsters_wrong(facts: Data) -> Iterator[Flaw]:
    areas = [area.id for area in facts.areas]
    for i, row in enumerate(facts.monsters):
        yield from effect_wrong(f"/monsters/{i}/reward", facts, row.reward)
        if row.area not in areas:
            yield Flaw(f"/monsters/{i}/area", f"there is no area {row.area}")
        if row.only_at_five > row.copies:
            yield Flaw(f"/monsters/{i}/only_at_five", f"{row.only_at_five} of {row.copies} copies")
    for area in areas:
        yield from area_wrong(area, [row for row in facts.monsters if row.area == area])


def area_wrong(area: str, rows: Sequence[Monster]) -> Iterator[Flaw]:
    copies, further = sum(row.copies for row in rows), sum(row.only_at_five for row in rows)
    if (copies, further) != (STACK, 1):
        yield Flaw("/monsters", f"{area} has {copies} cards, {further} of them for five seats only, not {STACK} and 1")
    strengths = [(row.strength, row.magic) for row in rows]
    if strengths != sorted(strengths) or len({row.strength for row in rows}) != STRENGTHS:
        yield Flaw("/monsters", f"{area} has not {STRENGTHS} strengths, the weakest first")


def domains_wrong(facts: Data) -> Iterator[Flaw]:
    for i, row in enumerate(facts.domains):
        at = f"/domains/{i}"
        for field, effect in (("built", row.built), ("start", row.start), ("finish", row.finish)):
            yield from effect_wrong(f"{at}/{field}", facts, effect)
        if row.start != Effect(gain=row.start.gain):
            yield Flaw(f"{at}/start", "brings tokens and nothing else")
        if row.finish != Effect(take=row.finish.take):
            yield Flaw(f"{at}/finish", "takes from an opponent and nothing else")
        if row.finish.asks and row.built.asks:
            yield Flaw(at, "only one of built and finish may leave anything to decide")
        yield from unknown(f"{at}/roles", row.roles, ROLES)


def dukes_wrong(facts: Data) -> Iterator[Flaw]:
    if len(facts.dukes) != DUKES:
        yield Flaw("/dukes", f"{len(facts.dukes)} are not two for each of {AT_FIVE} seats")
    for i, row in enumerate(facts.dukes):
        yield from unknown(f"/dukes/{i}/vp_per", row.vp_per, COUNTED)


def setups_wrong(facts: Data) -> Iterator[Flaw]:
    areas, domains = [row.id for row in facts.areas], [row.id for row in facts.domains]
    for i, row in enumerate(facts.setups):
        if len({*row.areas} & {*areas}) != COLUMNS or len(row.areas) != COLUMNS:
            yield Flaw(f"/setups/{i}/areas", f"names {COLUMNS} areas")
        if [*map(len, ({*slot} & {*row.citizens} for slot in facts.slots))] != [1] * STACKS or len(row.citizens) != STACKS:
            yield Flaw(f"/setups/{i}/citizens", "names one for each stack")
        if not {*row.removed} <= {*domains} or len(domains) - len(row.removed) < DOMAINS:
            yield Flaw(f"/setups/{i}/removed", f"names domains, and leaves {DOMAINS}")


# --- effects ------------------------------------------------------------------------------------------------------------
def effect_wrong(at: str, facts: Data, effect: Effect) -> Iterator[Flaw]:
    """Whether the rules can carry it out as it is written."""
    for field, allowed in (("gain", TOKENS), ("each", TOKENS), ("pay", RESOURCES), ("take", RESOURCES)):
        yield from unknown(f"{at}/{field}", getattr(effect, field), allowed)
    if sum(map(bool, (effect.pay, effect.choose, effect.take, effect.citizen is not None))) > 1:
        yield Flaw(at, "only one of pay, choose, take and citizen is possible")
    if bool(effect.each) != (effect.per != ("", "")):
        yield Flaw(f"{at}/per", "says what `each` counts")
    if effect.each and any(effect.per) and not countable(facts, *effect.per):
        yield Flaw(f"{at}/per", f"{' '.join(effect.per)} cannot be counted")
    if effect.pay and effect.each:
        yield Flaw(f"{at}/each", "what is paid for is a fixed number")
    if effect.citizen is not None:
        yield from filter_wrong(f"{at}/citizen", facts, effect.citizen)
    for i, option in enumerate(effect.choose):
        yield from option_wrong(f"{at}/choose/{i}", facts, option)


def option_wrong(at: str, facts: Data, option: Effect) -> Iterator[Flaw]:
    """One kind of token, or a citizen with what comes along."""
    if option.pay or option.choose or option.take:
        yield Flaw(at, "gives tokens or a citizen")
        return
    yield from effect_wrong(at, facts, option)
    if option.citizen is None and ([*option.gain, *option.each] == ["vp"] or len(option.gain | option.each) != 1):
        yield Flaw(at, f"gives one of {', '.join(RESOURCES)}")


def filter_wrong(at: str, facts: Data, wanted: Filter) -> Iterator[Flaw]:
    if wanted.role not in (None, *ROLES):
        yield Flaw(f"{at}/role", f"is none of {', '.join(ROLES)}")
    if wanted.named is not None and not countable(facts, "named", wanted.named):
        yield Flaw(f"{at}/named", f"no citizen is named {wanted.named}")


def countable(facts: Data, what: str, which: str) -> bool:
    known: dict[str, Iterable[str]] = {
        "role": ROLES,
        "named": [row.named for row in (*facts.citizens, *facts.starters)],
        "domains": [""],
        "area": [row.id for row in facts.areas],
    }
    return which in known.get(what, ())


def unknown(at: str, counts: dict[str, int], allowed: Sequence[str]) -> Iterator[Flaw]:
    for name in counts:
        if name not in allowed:
            yield Flaw(f"{at}/{name}", f"is none of {', '.join(allowed)}")
