"""Compare the offers at random tables of Valeria with the oracle."""
from __future__ import annotations

from itertools import takewhile
from random import Random

from ludarium_engine.kernel import Action, decide, legal_offers
from ludarium_engine.kernel.facts import Counted, Moved
from ludarium_engine.kernel.slots import slot_name
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import FACES
from ludarium_engine.titles.valeria.tokens import RESOURCES
from tests.engine.valeria.language import Realm
from tests.engine.valeria.oracle import CITIZENS, DOMAINS, Dice, Purse, Seat, actions, activated, harvest, plus, thefts

KINDS, COPIES = 8, 6                            # of citizens at a table, and of each
MOST_CITIZENS, MOST_DOMAINS = 7, 5
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, 7)]
FEW, MANY = 4, 14                               # tokens of a kind: in a harvest and before an action
CENTRE = ("monsters", "citizens", "domains")
AT_THE_START = {"halfpenny_hill", "blood_crow_army", "monolith_of_ostendaar"}       # pay right after the harvest


def table(rng: Random, domains: list[str], most: int) -> Realm:
    """Return a table with random citizens, domains and tokens for all seats.

    Some stacks are lower than at the start.
    """
    seats = rng.randint(2, 5)
    chance, robbed_at_rest = chance_of(rng.getrandbits(32)), rng.random() < 0.5
    r = Realm(seats, chance, setup="free", resting_player_targetable=robbed_at_rest)
    kinds = rng.sample([kind for kind in CITIZENS if not kind.startswith("starter")], KINDS)
    citizens = rng.sample(kinds * COPIES, MOST_CITIZENS * seats)
    built = rng.sample(domains, min(len(domains), MOST_DOMAINS * seats))
    for seat in range(seats):
        cards = citizens[seat::seats][: rng.randint(0, MOST_CITIZENS)] + built[seat::seats][: rng.randint(0, MOST_DOMAINS)]
        r.has(seat, " ".join(cards), *(rng.randint(0, most) for _ in range(3)))
    for stack in r.s.monsters + r.s.citizens:
        n = rng.randint(0, len(stack))
        r.s.box += stack[n:]
        del stack[n:]
    r.s.turn = rng.randrange(seats)
    return r


def seats_of(r: Realm) -> list[Seat]:
    return [Seat(r.purse(seat), r.kinds("tableau", seat), r.kinds("built", seat)) for seat in range(r.s.seats)]


# --- harvests ---------------------------------------------------------------------------------------------------------
def harvest_differs(seed: object) -> str | None:
    """Harvest for all seats, and return a difference from the oracle, or None."""
    rng = Random(str(seed))
    r = table(rng, sorted({*DOMAINS} - AT_THE_START), FEW)
    seats = seats_of(r)
    dice = max(rng.sample(ROLLS, 3), key=lambda dice: sum(len(activated(seat, dice)) for seat in seats))
    r.rolled(*dice)
    if "announce" in r.verbs(r.s.turn):
        r.do(r.s.turn, "announce")
    if told := robbing_differs(r, seats, dice, rng):
        return told
    for p, seat in enumerate(seats):
        expected = {seat.purse} if p == resting(r) else harvest(seat, dice, p == r.s.turn)
        if ends(r, p) != expected:
            return f"seat {p} of {seats} with {dice} on the turn of {r.s.turn}: {ends(r, p)} is not {expected}"
    return None


def robbing_differs(r: Realm, seats: list[Seat], dice: Dice, rng: Random) -> str | None:
    """Use each Thief before anything else, and return a difference from the oracle."""
    thief = r.s.turn
    for _ in range(activated(seats[thief], dice).count("thief")):
        expected = thefts(seats, thief, None if r.s.options.resting_player_targetable else resting(r))
        if r.args(thief, "steal") != expected or (expected and "pass" not in r.verbs(thief)):
            return f"{thief} of {seats} may take {r.args(thief, 'steal')}, by the oracle {expected}"
        if expected and rng.random() < 0.8:
            victim, token, n = rng.choice(sorted(expected))
            r.do(thief, "steal", victim, token, n)
            stolen = one_kind(token, n)
            seats[victim].purse, seats[thief].purse = plus(seats[victim].purse, stolen, -1), plus(seats[thief].purse, stolen)
        elif expected:
            r.do(thief, "pass")
    return None


def one_kind(token: int, n: int) -> Purse:
    return n * (token == 0), n * (token == 1), n * (token == 2)


def resting(r: Realm) -> int | None:
    return (r.s.turn - 1) % 5 if r.s.seats == 5 else None


def ends(r: Realm, seat: int) -> set[Purse]:
    """Return the purses that the seat may have after the harvest."""
    changes = r.args(seat, "harvest") or {(0, 0, 0)}
    return {plus(r.purse(seat), (gold, strength, magic)) for gold, strength, magic in changes}


# --- actions ----------------------------------------------------------------------------------------------------------
def action_differs(seed: object) -> str | None:
    """Compare the offers and the cost of one action with the oracle.

    Returns:
        A difference, or None.
    """
    rng = Random(str(seed))
    r = table(rng, sorted(DOMAINS), MANY).acting()
    seat, p = seats_of(r)[r.s.turn], r.s.turn
    tops = {zone: [FACES[stack[-1]].id for stack in getattr(r.s, zone) if stack] for zone in CENTRE}
    expected = actions(seat, tops)
    if offered(r, p) != expected.keys():
        return f"{seat} before {tops} is offered {offered(r, p)}, not {expected.keys()}"
    if expected:
        what = rng.choice(sorted(expected))
        left = plus(seat.purse, paid(r, p, *what))
        if left != expected[what]:
            return f"{seat} has {left} left after {what}, not {expected[what]}"
    return None


def offered(r: Realm, seat: int) -> set[tuple[str, str, int]]:
    offers = [offer for offer in legal_offers(TITLE, r.s, seat) if offer.pool]
    return {(offer.verb, FACES[offer.args[0]].id, magic) for offer in offers for magic in offer.pool}


def paid(r: Realm, seat: int, verb: str, kind: str, magic: int) -> Purse:
    """Return how the payment for a card changes the purse, before the card moves."""
    _, event = decide(TITLE, r.s, seat, Action(verb, (r.number(seat, verb, kind), magic)), r.chance)
    payment = takewhile(lambda fact: not isinstance(fact, Moved), event.facts)
    changes = {slot_name(r.s, fact.slot): fact.by for fact in payment if isinstance(fact, Counted)}
    gold, strength, magic = (changes.get(f"{name}.{seat}", 0) for name in RESOURCES)
    return gold, strength, magic
