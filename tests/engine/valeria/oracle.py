"""Harvests and costs of actions in Valeria, computed from the rulebook alone.

No code or data of `ludarium_engine.titles.valeria` is used. Powers are written as "3m" (gain), "2g|2m" (gain one of these),
"1g>2m" (may pay for a gain) and "1g*soldier" (gain for each soldier).
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

Purse = tuple[int, int, int]                    # gold, strength, magic
Dice = tuple[int, int]
TOKENS = "gsm"
NOTHING: Purse = (0, 0, 0)
STOLEN = 3                                      # by a Thief, at most


class Citizen(NamedTuple):
    numbers: tuple[int, ...]                    # that activate it
    role: str
    gold: int
    own_turn: str                               # its power, and that in others' turns
    others_turn: str


CITIZENS = {kind: Citizen(*row) for kind, row in {
    "cleric": ((1,), "holy", 3, "3m", "1m"), "monk": ((1,), "holy", 3, "1g 2m", "1g>2m"),
    "merchant": ((2,), "worker", 2, "2g|2m", "1g"), "blacksmith": ((2,), "worker", 3, "1g*soldier", "1g"),
    "mercenary": ((3,), "shadow", 3, "1s 1g", "1s>2g"), "alchemist": ((3,), "shadow", 3, "1g>3m", "1m>2g"),
    "archer": ((4,), "soldier", 4, "2s", "1s"), "wizard": ((4,), "soldier", 4, "1m 1s", "1m"),
    "peasant": ((5,), "worker", 2, "1g", "1g"), "knight": ((6,), "soldier", 2, "1s", "1s"),
    "rogue": ((7,), "shadow", 2, "2s 2g", "1s 1g"), "thief": ((7,), "shadow", 2, "", "2g|2m"),
    "champion": ((8,), "soldier", 2, "4s", "1g>4s"), "warlord": ((8,), "soldier", 2, "1s*soldier", "1s*knight"),
    "paladin": ((9, 10), "holy", 2, "1s 2m", "1s>3m"), "priestess": ((9, 10), "holy", 2, "2s 1m", "1m>3s"),
    "butcher": ((11, 12), "worker", 1, "2g*worker", "4g"), "miner": ((11, 12), "worker", 1, "1g 1g*domain", "4g"),
    "starter_peasant": ((5,), "", 0, "1g", "1g"), "starter_knight": ((6,), "", 0, "1s", "1s"),
}.items()}  # fmt: skip
# kind: strength and magic
MONSTERS = {
    "goblin": (1, 0), "goblin_mage": (3, 0), "goblin_king": (6, 0), "gargoyle": (1, 0), "wraith": (4, 3), "witch_queen": (5, 4),
    "skeleton": (2, 0), "flaming_skeleton": (5, 0), "skeleton_king": (8, 0), "treant": (3, 0), "bane_spider": (6, 0),
    "spider_queen": (10, 3), "owlbear": (4, 0), "giant": (8, 0), "troll": (12, 0), "gelatinous_cube": (4, 1),
    "basilisk": (6, 3),
    "swamp_dragon": (10, 4), "dire_bear": (5, 0), "orc_warrior": (9, 0), "orc_chieftain": (14, 0), "kobolds": (5, 1),
    "gold_golem": (7, 3), "red_dragon": (12, 6),
}  # fmt: skip
# kind: gold, and the roles that its builder's citizens must have
DOMAINS = {
    "foxgrove_palisade": (9, "soldier shadow"), "the_desert_orchid": (9, "shadow holy"),
    "emerald_stronghold": (12, "worker soldier holy"), "pratchetts_plateau": (8, "worker holy"),
    "cathedral_of_st_aquila": (8, "holy holy"), "darktide_harbour": (6, "worker soldier shadow"),
    "cloudriders_camp": (8, "soldier holy"), "the_orb_of_urdr": (6, "shadow holy"), "rogues_landing": (7, "worker shadow"),
    "blood_crow_army": (5, "soldier soldier soldier"), "eye_of_asteraten": (8, "soldier holy"),
    "cutthroats_truce": (5, "shadow holy"), "halfpenny_hill": (6, "worker worker worker"), "shattered_hand": (7, "worker holy"),
    "forgotten_sorrows": (9, "worker shadow"), "watcher_on_the_water": (6, "soldier soldier"),
    "gargans_embrace": (7, "soldier soldier"), "nest_of_the_weaver_witch": (6, "worker worker"),
    "palace_of_the_dawn": (11, "worker soldier soldier"), "grimmwater_keep": (10, "worker worker shadow"),
    "the_violet_thorn": (7, "soldier holy"), "purloiners_perch": (10, "shadow shadow"),
    "golden_obelisk_of_nae": (6, "worker holy"), "monolith_of_ostendaar": (9, "worker soldier"),
}  # fmt: skip


@dataclass
class Seat:
    purse: Purse
    citizens: list[str] = field(default_factory=list)           # starters included
    domains: list[str] = field(default_factory=list)

    def named(self, name: str) -> int:
        return sum(kind.removeprefix("starter_") == name for kind in self.citizens)

    def roles(self, role: str) -> int:
        """Return the number of citizens with a role; starters and domains have none."""
        return sum(CITIZENS[kind].role == role for kind in self.citizens)

    def count(self, what: str) -> int:
        return len(self.domains) if what == "domain" else self.named(what) if what in CITIZENS else self.roles(what)


def plus(a: Purse, b: Purse, times: int = 1) -> Purse:
    return a[0] + b[0] * times, a[1] + b[1] * times, a[2] + b[2] * times


# --- the harvest ------------------------------------------------------------------------------------------------------
def activated(seat: Seat, dice: Dice) -> list[str]:
    """Return each card once for every matching value, which may be a die or the sum."""
    return [kind for kind in seat.citizens for value in (*dice, sum(dice)) if value in CITIZENS[kind].numbers]


def harvest(seat: Seat, dice: Dice, on_turn: bool) -> set[Purse]:
    """Return all possible results for the seat, with its cards used in any order."""
    cards = activated(seat, dice)
    if not cards:
        return {plus(seat.purse, one) for one in ((1, 0, 0), (0, 1, 0), (0, 0, 1))}
    powers = [tuple(uses(CITIZENS[kind].own_turn if on_turn else CITIZENS[kind].others_turn, seat)) for kind in cards]
    return set(in_any_order(seat.purse, tuple(sorted(powers))))


Use = tuple[Purse, Purse]                       # the cost and the gain


def uses(power: str, seat: Seat) -> Iterator[Use]:
    """Yield the ways to use a power; paying for a gain is optional."""
    if ">" in power:
        cost, _, gains = power.partition(">")
        yield NOTHING, NOTHING
        yield tokens(cost, seat), tokens(gains, seat)
    else:
        yield from ((NOTHING, tokens(gains, seat)) for gains in power.split("|"))


def tokens(text: str, seat: Seat) -> Purse:
    total = NOTHING
    for word in text.split():
        n, _, what = word.partition("*")
        one = tuple(int(n[:-1]) * (n[-1] == token) for token in TOKENS)
        total = plus(total, (one[0], one[1], one[2]), seat.count(what) if what else 1)
    return total


@cache
def in_any_order(purse: Purse, powers: tuple[tuple[Use, ...], ...]) -> frozenset[Purse]:
    """Return all purses that result from using the powers in any order and in any way."""
    if not powers:
        return frozenset({purse})
    found: set[Purse] = set()
    for i, power in enumerate(powers):
        for cost, gains in power:
            paid = plus(purse, cost, -1)
            if min(paid) >= 0:
                found |= in_any_order(plus(paid, gains), powers[:i] + powers[i + 1 :])
    return frozenset(found)


def thefts(seats: list[Seat], thief: int, safe: int | None) -> set[tuple[int, int, int]]:
    """Return the possible thefts as victim, token and number."""
    others = [(p, seat.purse) for p, seat in enumerate(seats) if p not in (thief, safe)]
    return {(p, r, n) for p, purse in others for r in (0, 2) for n in range(1, min(STOLEN, purse[r]) + 1)}


# --- costs of actions -------------------------------------------------------------------------------------------------
def actions(seat: Seat, tops: Mapping[str, list[str]]) -> dict[tuple[str, str, int], Purse]:
    """Return what an action leaves in the purse, without rewards.

    The keys are the verb, the card, and the magic that replaces other tokens.
    """
    due = {
        **{("slay", kind): (1, *MONSTERS[kind]) for kind in tops["monsters"]},
        **{("recruit", kind): (0, recruiting(seat, kind), 0) for kind in tops["citizens"]},
        **{("build", kind): (0, building(seat, kind), 0) for kind in tops["domains"] if may_build(seat, kind)},
    }
    return {(*what, magic): left for what, (r, n, extra) in due.items() for magic, left in payments(seat.purse, r, n, extra)}


def payments(purse: Purse, r: int, due: int, extra: int) -> Iterator[tuple[int, Purse]]:
    """Yield the ways to pay with at least one real token.

    Magic may replace the others, in addition to the magic that is due anyway.

    Yields:
        The magic used as a replacement, and the purse after the payment.
    """
    for real in range(1, due + 1):
        magic = due - real
        left = [*purse]
        left[r] -= real
        left[2] -= magic + extra
        if min(left) >= 0:
            yield magic, (left[0], left[1], left[2])


def recruiting(seat: Seat, kind: str) -> int:
    """Return the price of a citizen.

    The price grows by one for each owned card of that name, except with Emerald Stronghold.
    """
    return CITIZENS[kind].gold + seat.named(kind) * ("emerald_stronghold" not in seat.domains)


def building(seat: Seat, kind: str) -> int:
    return DOMAINS[kind][0] - ("pratchetts_plateau" in seat.domains)


def may_build(seat: Seat, kind: str) -> bool:
    needed = DOMAINS[kind][1].split()
    return all(seat.roles(role) >= needed.count(role) for role in needed)
