"""A battle of Kemet between two players, computed from the rulebook alone.

It shares neither code nor data with `titles.kemet`. `battle` is a generator that yields the possible answers by seat, in
the words of the tests' language, and receives one answer at a time. When it ends, the position is the result.
"""
from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from itertools import combinations

Force = tuple[int, int, int]                    # strength, damage, protection
Questions = dict[int, set[str]]
Answer = tuple[int, str, tuple[str, ...]]       # seat, words, intervention cards that go with them
Talk = Generator[Questions, Answer, None]

MOST_PP = 11
BATTLE_CARDS: dict[str, Force] = {
    "cavalry_blitz": (4, 1, 0), "fervent_purge": (3, 2, 0), "shield_push": (3, 0, 1), "mixed_tactics": (2, 2, 1),
    "phalanx_defense": (2, 0, 2), "chariot_raid": (1, 3, 0),
}  # fmt: skip
SPECIAL_CARDS: dict[str, Force] = {"offensive_strategy": (3, 3, 0), "defensive_strategy": (3, 0, 3)}
HELP: dict[str, Force] = {
    "war_rage": (1, 0, 0), "war_fury": (2, 0, 0), "blood_battle": (0, 1, 0), "blood_bath": (0, 2, 0),
    "bronze_wall": (0, 0, 1), "iron_wall": (0, 0, 2),
}  # fmt: skip
DEAR = ("war_fury", "blood_bath", "iron_wall")  # cost a prayer point; the others are free
CREATURES: dict[str, Force] = {
    "royal_scarab": (2, 0, 0), "giant_scorpion": (2, 2, 0), "phoenix": (2, 0, 0), "ancestral_elephant": (1, 0, 1),
    "deep_desert_snake": (0, 0, 0), "sphinx": (2, 0, 0), "mummy": (2, 0, 0),
}  # fmt: skip
TILES: dict[str, Force] = {"r3_blades_of_neith": (1, 0, 0), "r2_carnage": (0, 1, 0), "b3_shield_of_neith": (0, 0, 1)}

TEMPLES = ("T_SMALL_W", "T_MEDIUM_W", "T_ISLAND")
DISTRICTS = (("A_d1", "A_d2", "A_d3"), ("B_d1", "B_d2", "B_d3"))
OWNER = {district: seat for seat, city in enumerate(DISTRICTS) for district in city}
PATHS = """A_front: A_d1 A_d2 A_d3 W_OBELISK T_SMALL_W W_GATE
           B_front: B_d1 B_d2 B_d3 W_OBELISK T_SMALL_W W_GATE
           A_d1: A_d2 A_d3
           A_d2: A_d3
           B_d1: B_d2 B_d3
           B_d2: B_d3
           W_OBELISK: T_SMALL_W W_GATE
           W_GATE: T_MEDIUM_W"""
LINES = [line.strip().partition(": ") for line in PATHS.splitlines()]
EDGES = [{start, end} for start, _, ends in LINES for end in ends.split()]
BESIDE = {space: {*set().union(*(edge for edge in EDGES if space in edge))} - {space} for edge in EDGES for space in edge}


@dataclass
class Troop:
    owner: int
    units: int
    creature: str | None = None


@dataclass
class Side:
    pp: int
    tiles: set[str]
    hand: list[str]                             # battle cards
    di: list[str]                               # intervention cards
    used: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    stable: list[str] = field(default_factory=list)
    reserve: int = 12
    vp: int = 0
    battle_vp: int = 0


@dataclass
class Position:
    sides: tuple[Side, Side]
    troops: dict[str, Troop]
    highest: set[str]                           # districts with a pyramid of level 4
    lone_loser_leaves: bool = True
    strength: dict[int, int] = field(default_factory=dict)      # of both sides, in the battle

    def held(self, seat: int) -> int:
        """Return the temporary victory points of a seat."""
        return sum(self.holder(space) == seat for space in (*TEMPLES, *self.highest))

    def holder(self, space: str) -> int | None:
        return self.troops[space].owner if space in self.troops else OWNER.get(space)

    def homes(self, seat: int) -> list[str]:
        mine = [space for space in DISTRICTS[seat] if space in self.troops and self.troops[space].owner == seat]
        return [space for space in mine if self.troops[space].creature is None]

    def free_beside(self, space: str, seat: int, over_walls: bool) -> set[str]:
        return {x for x in BESIDE[space] - {*self.troops} if over_walls or OWNER.get(x, seat) == seat}


def gain(side: Side, pp: int) -> None:
    side.pp = min(MOST_PP, side.pp + pp)


def cost(side: Side, help_: Iterable[str]) -> int:
    """Return the prayer points that cards cost; Priest of Ra makes each one cheaper."""
    return 0 if "w4_priest_of_ra" in side.tiles else sum(card in DEAR for card in help_)


def payable(side: Side) -> set[tuple[str, ...]]:
    """Return all sets of cards that a side can pay for along with a battle card."""
    help_ = sorted(card for card in side.di if card in HELP)
    every = (some for n in range(len(help_) + 1) for some in combinations(help_, n))
    return {some for some in every if cost(side, some) <= side.pp}


# --- the battle -------------------------------------------------------------------------------------------------------
def battle(p: Position, attack: Troop, space: str) -> Talk:
    """Fight a battle.

    Args:
        attack: The troop that has left its space and enters an enemy's.
    """
    seat, defence = attack.owner, p.troops[space]
    fighters = {seat: attack, 1 - seat: defence}
    if p.sides[1 - seat].di and p.free_beside(space, 1 - seat, over_walls=False):
        yield {1 - seat: {"pass"}}              # the seat might have Escape
    if "r4_initiative" in p.sides[seat].tiles:
        yield from kill(p, defence, min(2, defence.units), space)
        if not defence.units:
            p.troops[space] = attack
            return
    played = yield from chosen(p, fighters)
    torn = yield from wounds(p)
    p.strength, lost = blows(p, fighters, seat, played, torn)
    winner = seat if p.strength[seat] > p.strength[1 - seat] else 1 - seat
    yield from casualties(p, fighters, lost, space)
    rewards(p, fighters, winner, seat, lost)
    for side in p.sides:
        if not side.hand:
            side.hand, side.used, side.aside = [*side.used, *side.aside], [], []
    yield from aftermath(p, fighters, winner, seat, space)


def chosen(p: Position, fighters: dict[int, Troop]) -> Generator[Questions, Answer, dict[int, list[str]]]:
    """Ask both sides for their battle cards, each with its intervention cards."""
    shown: dict[int, str] = {}
    for seat, side in enumerate(p.sides):
        if "b3_prescience" in p.sides[1 - seat].tiles:
            _, words, _ = yield {seat: {f"show {card}" for card in side.hand}}
            shown[seat] = words.split()[1]
    played: dict[int, list[str]] = {}
    plans = {seat: pairs(p.sides[seat].hand, shown.get(seat)) for seat in fighters}
    while plans:
        seat, words, help_ = yield plans
        del plans[seat]
        _, used, aside = words.split()
        put_down(p.sides[seat], used, aside, help_)
        played[seat] = [used, *help_]
    return played


def pairs(hand: list[str], shown: str | None) -> set[str]:
    return {f"fight {use} {keep}" for use in hand for keep in hand if use != keep and shown in (None, use)}


def put_down(side: Side, used: str, aside: str, help_: tuple[str, ...]) -> None:
    side.hand.remove(used)
    side.hand.remove(aside)
    side.used.append(used)
    side.aside.append(aside)
    side.pp -= cost(side, help_)
    for card in help_:
        side.di.remove(card)


def wounds(p: Position) -> Generator[Questions, Answer, dict[int, int]]:
    """Return how many intervention cards the owner of Divine Wound discards."""
    torn = {0: 0, 1: 0}
    for seat, side in enumerate(p.sides):
        if "r3_divine_wound" in side.tiles and side.di:
            _, _, thrown = yield {seat: {"wound"}}
            torn[seat] = len(thrown)
            for card in thrown:
                side.di.remove(card)
    return torn


def blows(
    p: Position, fighters: dict[int, Troop], attacker: int, played: dict[int, list[str]], torn: dict[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the strength and the losses of both sides."""
    forces = {seat: force(p, fighters, seat, played[seat]) for seat in fighters}
    strength, lost = {}, {}
    for seat, troop in fighters.items():
        extra = ("r1_charge" if seat == attacker else "b1_defense") in p.sides[seat].tiles
        strength[seat] = troop.units + forces[seat][0] + torn[seat] + extra
        lost[seat] = min(troop.units, max(0, forces[1 - seat][1] - forces[seat][2]))
    return strength, lost


def force(p: Position, fighters: dict[int, Troop], seat: int, played: list[str]) -> Force:
    table = {**BATTLE_CARDS, **SPECIAL_CARDS, **HELP, **CREATURES, **TILES}
    helpers = [*played, *(tile for tile in p.sides[seat].tiles if tile in TILES)]
    creature = fighters[seat].creature
    if creature and fighters[1 - seat].creature != "deep_desert_snake":
        helpers.append(creature)
    strength, damage, protection = (sum(table[name][i] for name in helpers) for i in range(3))
    return strength, damage, protection


def casualties(p: Position, fighters: dict[int, Troop], lost: dict[int, int], space: str) -> Talk:
    """Remove lost units, then ask about creatures that may move.

    The seats may be asked in any order.
    """
    homeless = []
    for seat, troop in fighters.items():
        troop.units -= lost[seat]
        p.sides[seat].reserve += lost[seat]
        if not troop.units and troop.creature:
            homeless.append(troop)
        if not troop.units and p.troops.get(space) is troop:
            del p.troops[space]
    yield from go_home(p, homeless)


def kill(p: Position, troop: Troop, n: int, space: str) -> Talk:
    yield from casualties(p, {troop.owner: troop}, {troop.owner: n}, space)


def go_home(p: Position, homeless: list[Troop]) -> Talk:
    """Move each creature to a troop in its city that has none, or to the reserve."""
    waiting: dict[int, str] = {}
    for troop in homeless:
        assert troop.creature
        waiting[troop.owner], troop.creature = troop.creature, None
        if not p.homes(troop.owner):
            p.sides[troop.owner].stable.append(waiting.pop(troop.owner))
    while waiting:
        seat, words, _ = yield {s: {f"deploy {beast} {home}" for home in p.homes(s)} for s, beast in waiting.items()}
        p.troops[words.split()[2]].creature = waiting.pop(seat)


def rewards(p: Position, fighters: dict[int, Troop], winner: int, attacker: int, lost: dict[int, int]) -> None:
    for seat, side in enumerate(p.sides):
        gain(side, 2 * lost[1 - seat] * ("w2_crusade" in side.tiles))
    side = p.sides[winner]
    gain(side, 4 * ("w3_holy_war" in side.tiles))
    if fighters[winner].units and (winner == attacker or "b3_defensive_victory" in side.tiles):
        side.vp += 1
        side.battle_vp += 1


# --- survivors --------------------------------------------------------------------------------------------------------
def aftermath(p: Position, fighters: dict[int, Troop], winner: int, attacker: int, space: str) -> Talk:
    beaten, won = fighters[1 - winner], fighters[winner]
    if beaten.units:
        yield from leave(p, beaten, won, attacker, space)
    if won.units:
        p.troops[space] = won
        _, words, _ = yield {winner: {"stay", "recall"}}
        if words == "recall":
            yield from recall(p, won, space)


def leave(p: Position, beaten: Troop, won: Troop, attacker: int, space: str) -> Talk:
    attacked = beaten.owner == attacker
    driven = won.units or (attacked and p.lone_loser_leaves)
    over_walls = "r2_open_gates" in p.sides[beaten.owner].tiles or beaten.creature == "phoenix"
    ways = p.free_beside(space, beaten.owner, over_walls)
    other = ({"retreat"} if ways else set()) if driven else {"stay"}
    _, words, _ = yield {beaten.owner: {"recall"} | other}
    if not attacked and words != "stay":
        del p.troops[space]
    if words == "recall":
        yield from recall(p, beaten, space)
    elif words == "retreat":
        _, words, _ = yield {won.owner: {f"send {way}" for way in ways}}
        p.troops[words.split()[1]] = beaten
    else:
        p.troops[space] = beaten


def recall(p: Position, troop: Troop, space: str) -> Talk:
    gain(p.sides[troop.owner], troop.units)
    yield from kill(p, troop, troop.units, space)
