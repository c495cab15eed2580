"""Random battles, played both by the rules of `titles.kemet` and by the oracle.

The oracle is an independent model. The options of both sides and the results are compared.
"""
from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random
from typing import Any

from ludarium_engine.testkit.perft import actions
from ludarium_engine.titles.kemet.cards import ID, battle_cards
from tests.engine.kemet.language import Desert
from tests.engine.kemet.oracle import (
    BATTLE_CARDS,
    BESIDE,
    CREATURES,
    DISTRICTS,
    HELP,
    SPECIAL_CARDS,
    Position,
    Side,
    Troop,
    battle,
    payable,
)

POWERS = (                                      # two tiles exist twice
    "w4_priest_of_ra", "w3_holy_war", "w2_crusade", "r1_charge", "r2_carnage", "r2_open_gates", "r3_blades_of_neith",
    "r3_divine_wound", "r4_initiative", "b1_defense", "b2_legion", "b3_shield_of_neith", "b3_defensive_victory",
    "b3_prescience", "r1_charge", "b1_defense",
)  # fmt: skip
INTERVENTIONS = (*HELP, *HELP, "prayer", "prayer", "mana_theft", "raining_fire", "enlistment", "veto", "teleportation")
MOST_CARDS = 10                                 # of these, in both hands
MOST_OTHERS = 5                                 # troops in addition to the two that fight
Questions = dict[int, set[str]]                 # by seat, the possible answers
Talk = Generator[Questions, tuple[int, str, tuple[str, ...]], None]
OVER = {"turn", "moving"}                       # scripts that are next after a battle


def difference(seed: object) -> str | None:
    """Fight one battle, and return the first difference from the oracle, or None."""
    rng = Random(str(seed))
    attacker, (start, space) = rng.randrange(2), rng.choice(sorted((a, b) for a in BESIDE for b in BESIDE[a]))
    p = settled(position(rng), rng, attacker, start, space)
    d = desert(p, attacker)
    return fought(p, d, march(p, d, rng, start, space), space, rng)


def fought(p: Position, d: Desert, attack: Troop, space: str, rng: Random) -> str | None:
    talk = battle(p, attack, space)
    questions = unforced(talk, next(talk, None))
    while questions is not None:
        asked = {seat: {*d.offers(seat)} for seat in d.asked}
        if not asked or any(questions.get(seat) != offers for seat, offers in asked.items()):
            return f"the rules ask {asked}, the oracle {questions}"
        seat = rng.choice([*asked])
        words = rng.choice(sorted(asked[seat]))
        if words.startswith("fight") and help_offered(d, seat, words) != payable(p.sides[seat]):
            return f"seat {seat} may hide {help_offered(d, seat, words)}, by the oracle {payable(p.sides[seat])}"
        cards = with_it(p.sides[seat], words, rng)
        d.do(seat, words, *cards)
        questions = unforced(talk, answered(talk, seat, words, cards))
    return None if d.s.agenda[-1].script in OVER and by_rules(d) == by_oracle(p) else f"{by_rules(d)} is not {by_oracle(p)}"


def unforced(talk: Talk, questions: Questions | None) -> Questions | None:
    """Answer those questions of the oracle that the rules skip.

    The rules do not ask where to flee if there is only one place.
    """
    while questions is not None and (only := [(seat, words) for seat, offers in questions.items() for words in offers]):
        (seat, words), *others = only
        if others or not words.startswith(("send ", "recall")):
            break
        questions = answered(talk, seat, words, ())
    return questions


def answered(talk: Talk, seat: int, words: str, cards: tuple[str, ...]) -> Questions | None:
    try:
        return talk.send((seat, words, cards))
    except StopIteration:
        return None


def help_offered(d: Desert, seat: int, words: str) -> set[tuple[str, ...]]:
    offer = d.offer(seat, words)
    return {tuple(sorted(ID[card] for card in action.args[len(offer.args):])) for action in actions(offer)}


def with_it(side: Side, words: str, rng: Random) -> tuple[str, ...]:
    """Choose the intervention cards that go with an answer."""
    if words.startswith("fight"):
        return rng.choice(sorted(payable(side)))
    return tuple(rng.sample(side.di, rng.randint(0, len(side.di)))) if words == "wound" else ()


# --- setup ------------------------------------------------------------------------------------------------------------
def position(rng: Random) -> Position:
    tiles, cards = halves(rng, POWERS, len(POWERS)), halves(rng, INTERVENTIONS, MOST_CARDS)
    ours, theirs = (side(rng, *own) for own in zip(tiles, cards, SPECIAL_CARDS, strict=True))
    highest = rng.sample([*DISTRICTS[0], *DISTRICTS[1]], 2)
    return Position((ours, theirs), {}, {*highest}, rng.random() < 0.7)


def halves(rng: Random, among: Sequence[str], most: int) -> tuple[list[str], list[str]]:
    """Choose up to `most` items at random, and divide them between two seats."""
    some = rng.sample(among, rng.randint(0, most))
    return some[::2], some[1::2]


def side(rng: Random, tiles: list[str], di: list[str], special: str) -> Side:
    hand = rng.sample(sorted(BATTLE_CARDS), len(BATTLE_CARDS))
    if rng.random() < 0.2:
        hand[rng.randrange(len(hand))] = special
    found = Side(rng.randint(0, 11), {*tiles}, hand, di)
    for _ in range(rng.randrange(3)):          # earlier battles
        found.used.append(hand.pop())
        found.aside.append(hand.pop())
    return found


def settled(p: Position, rng: Random, attacker: int, start: str, space: str) -> Position:
    """Add troops of both seats, some with a creature, two of which will fight."""
    enlist(p, rng, attacker, start)
    enlist(p, rng, 1 - attacker, space)
    for other in rng.sample(sorted({*BESIDE} - {start, space}), rng.randint(0, MOST_OTHERS)):
        enlist(p, rng, rng.randrange(2), other)
    creatures = rng.sample(sorted(CREATURES), rng.randint(0, len(CREATURES)))
    for creature, troop in zip(creatures, rng.sample([*p.troops.values()], len(p.troops)), strict=False):
        troop.creature = creature
    return p


def enlist(p: Position, rng: Random, seat: int, space: str) -> None:
    side = p.sides[seat]
    if side.reserve:
        troop = Troop(seat, rng.randint(1, min(7 if "b2_legion" in side.tiles else 5, side.reserve)))
        side.reserve -= troop.units
        p.troops[space] = troop


def desert(p: Position, turn: int) -> Desert:
    """Return an equal position in the rules of `titles.kemet`."""
    d = Desert(lone_loser_leaves=p.lone_loser_leaves)
    for space, troop in p.troops.items():
        d.troop(troop.owner, space, troop.units, troop.creature)
    for space in p.highest:
        d.pyramid(space, "white", 4)
    for seat, side in enumerate(p.sides):
        d.points(seat, side.pp).tiles(seat, *side.tiles).cards(seat, *side.di)
        own = {ID[card]: card for card in [*battle_cards(seat), *d.s.specials]}
        for pile, names in ((d.s.hand, side.hand), (d.s.used, side.used), (d.s.aside, side.aside)):
            pile[seat] = [own.pop(name) for name in names]
        d.s.out += [card for card in own.values() if card in battle_cards(seat)]
        d.s.specials = [card for card in d.s.specials if card in own.values()]
    return d.turn(turn)


def march(p: Position, d: Desert, rng: Random, start: str, space: str) -> Troop:
    """Move part of a troop, with or without its creature, which is never left alone."""
    home = p.troops[start]
    n = rng.choice([home.units, rng.randint(1, home.units)])
    party = Troop(home.owner, n, home.creature if n == home.units or rng.random() < 0.5 else None)
    d.go(home.owner, "act move", f"lead {start}")
    carry = f"carry {n} {int(party.creature is not None)}"
    if d.may(home.owner, carry):
        d.do(home.owner, carry)
    d.do(home.owner, f"step {space}")
    home.units -= n
    if party.creature:
        home.creature = None
    if not home.units:
        del p.troops[start]
    return party


# --- results ----------------------------------------------------------------------------------------------------------
def by_rules(d: Desert) -> dict[str, Any]:
    s, sides = d.s, range(d.s.seats)
    told = d.told("battle")
    return {
        "troops": {space: (*d.units(space), *d.creature(space)) for space in d.board.ids if d.units(space)[1]},
        "points": [(s.pp[seat], s.vp[seat], s.battle_vp[seat], s.held[seat]) for seat in sides],
        "reserve": [(s.reserve[seat], d.names(s.stable[seat])) for seat in sides],
        "cards": [[d.names(pile[seat]) for pile in (s.hand, s.used, s.aside, s.di)] for seat in sides],
        "strength": {told[0][0]: told[0][1], told[0][3]: told[0][4]} if told else {},
    }


def by_oracle(p: Position) -> dict[str, Any]:
    beasts = {space: [troop.creature] if troop.creature else [] for space, troop in p.troops.items()}
    return {
        "troops": {space: (troop.owner, troop.units, *beasts[space]) for space, troop in p.troops.items()},
        "points": [(side.pp, side.vp, side.battle_vp, p.held(seat)) for seat, side in enumerate(p.sides)],
        "reserve": [(side.reserve, sorted(side.stable)) for side in p.sides],
        "cards": [[sorted(pile) for pile in (side.hand, side.used, side.aside, side.di)] for side in p.sides],
        "strength": p.strength,
    }
