"""Choose the cards of the stock, and set up the game."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Illegal, Offer, each
from ludarium_engine.kernel.scripts import Script, Sealed, every_seat
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import (
    DECK,
    EDITIONS,
    FACTS,
    GROUP,
    GROUPS,
    LEVEL,
    PHARAOHS,
    starters,
)
from .memory import nobody_has_any
from .pyramid import DEAL, from_stock
from .state import SETS_IN_A_POOL, T, Valley, ValleyOptions, at

MOST_SEATS_WITHOUT_MIX = 4
SIZES = (3, 4, 5, 6, 7)
PHARAOHS_DEALT = 2


def sizes(seats: int) -> list[int]:
    """Return the sizes of the sets in a mix, in different cards.

    With five and six seats there are more sets, since more cards are needed.
    """
    return sorted([*SIZES, *[SIZES[-1]] * max(0, seats - MOST_SEATS_WITHOUT_MIX)])


def check(options: ValleyOptions, seats: int) -> None:
    if options.first is not None and options.first >= seats:
        raise Illegal("first: no such seat")
    if options.edition != "premium":
        if seats > MOST_SEATS_WITHOUT_MIX:
            raise Illegal(f"edition: {options.edition} is for 2 to {MOST_SEATS_WITHOUT_MIX}")
        if options.sets or options.uniques or options.extra_uniques or options.pharaohs:
            raise Illegal("edition: sets, uniques, extra_uniques and pharaohs belong to premium")
    elif options.sets:
        check_sets(options.sets, seats)


def check_sets(chosen: tuple[str, ...], seats: int) -> None:
    size_of = {row.id: row.size for row in FACTS.sets}
    for name in chosen:
        if name not in size_of:
            raise Illegal(f"sets: there is no set {name}")
    if len(set(chosen)) < len(chosen) or sorted(size_of[name] for name in chosen) != sizes(seats):
        raise Illegal(f"sets: for {seats} seats, different sets of {', '.join(map(str, sizes(seats)))} cards")


# --- the pool: published before anything is dealt --------------------------------------------------------------------
def choose_pool(t: T) -> None:
    if t.s.options.edition == "premium":
        mix(t, t.s.options)
    else:
        names = [row.id for row in FACTS.sets if row.edition == t.s.options.edition]
        for i, name in enumerate([*names, f"uniques_{t.s.options.edition}"]):
            t.set(at.pool[i], GROUPS.index(name))
    for group in t.s.pool:
        t.say("in_pool", group)


def mix(t: T, options: ValleyOptions) -> None:
    """Set the pool of a Premium game to the sets and uniques in the options.

    Without these options they are chosen at random, with one set of each size.
    """
    n = SETS_IN_A_POOL + max(0, t.s.seats - MOST_SEATS_WITHOUT_MIX)
    for i, size in enumerate(sizes(t.s.seats)):
        of_size = [GROUPS.index(row.id) for row in FACTS.sets if row.size == size]
        if options.sets:
            t.set(at.pool[i], GROUPS.index(options.sets[i]))
        else:
            t.roll(at.pool[i], [group for group in of_size if group not in t.s.pool])
    uniques = [GROUPS.index(f"uniques_{edition}") for edition in EDITIONS]
    if options.uniques:
        t.set(at.pool[n], GROUPS.index(f"uniques_{options.uniques}"))
    else:
        t.roll(at.pool[n], uniques)
    if options.extra_uniques:
        t.set(at.pool[n + 1], GROUPS.index("uniques_premium"))


# --- setup ----------------------------------------------------------------------------------------------------------
def deal(t: T) -> None:
    options = t.s.options
    family = options.starters or ("last_rites" if options.edition == "last_rites" else "base")
    for seat in range(t.s.seats):
        dealt = t.move(starters(family, seat), at.box, at.deck[seat])
        t.shuffle(at.deck[seat])
        t.say("is_dealt", seat, dealt, t.draw(FACTS.hand, at.deck[seat], at.hand[seat]))


def build_stock(t: T) -> None:
    """Build the stock, the pyramid and the boneyard.

    The shuffled cards of level II lie on the shuffled cards of level III. The first six cards make up the pyramid, and the
    next one begins the boneyard.
    """
    nobody_has_any(t)
    upper, lower = t.move(of_level(t.s, 2), at.box, at.stock), t.move(of_level(t.s, 3), at.box, at.under)
    t.shuffle(at.stock)
    t.shuffle(at.under)
    t.say("stock", upper, lower)
    pyramid: FactNumbers = ()
    for where in DEAL:
        pyramid += from_stock(t, 1, at.pyramid[where])
    t.say("pyramid", pyramid, from_stock(t, 1, at.boneyard))


def of_level(s: Valley, level: int) -> list[int]:
    return [card for card in DECK if LEVEL[card] == level and GROUP[card] in s.pool]


# --- pharaohs: each seat is dealt two and keeps one; all are revealed at the same time ------------------------------
def deal_pharaohs(t: T) -> None:
    t.move(PHARAOHS, at.box, at.pharaohs)
    t.shuffle(at.pharaohs)
    for seat in range(t.s.seats):
        dealt = t.draw(min(PHARAOHS_DEALT, len(PHARAOHS) // t.s.seats), at.pharaohs, at.dealt[seat])
        t.say("may_rule_as", seat, dealt)
    t.ask(accession, t.s.first)


def keep_pharaohs_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.keep, s.dealt[seat])


def keep_pharaohs(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat, action in sorted(answers.items()):
        t.say("keeps", seat, t.move(action.args, at.dealt[seat], at.pharaoh[seat]))
        if t.s.dealt[seat]:
            t.say("gives_back", seat, t.move_all(at.dealt[seat], at.pharaohs))


accession = Script("accession", Sealed("keep_pharaohs", keep_pharaohs_offers, keep_pharaohs, every_seat))
