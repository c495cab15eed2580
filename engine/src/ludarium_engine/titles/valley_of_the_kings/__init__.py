"""Valley of the Kings with the editions Base, Afterlife, Last Rites and Premium.

Premium seats up to six players.
"""
from __future__ import annotations

from ludarium_engine.kernel.bodies import reluctant
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.title import Title

from .cards import CARDS, CARDS_OF_OPTIONS, DATA, FACTS, MOST_SEATS, TYPE, File
from .data_checks import wrong
from .drawing import FACE, SPOTS
from .prompts import ASKS, LABELS, PHRASES, focus
from .pyramid import FEEDERS, SPACES, cards_in, occupied
from .rules import SCRIPTS, setup
from .scoring import outcome, parts, sources
from .sentences import SENTENCES
from .state import Valley, blank
from .stock import check
from .verbs import VERBS
from .words import TEXTS

PHARAOH_BACK, CARD_BACK = 1, 0
PREMIUM = {"edition": "premium", "extra_uniques": True, "pharaohs": True}


def invariants(s: Valley) -> None:
    """Assert what must be true of every position.

    No pyramid card lies above an empty space, except while the pyramid crumbles. Only pyramid cards are face down. Between
    turns no card is still revealed or looked at. A seat has no card in hand or deck that it is publicly known to lack.
    """
    for space in SPACES:
        assert len(s.pyramid[space]) <= 1
        crumbling = any(f.script == "fork" for f in s.agenda)
        assert s.pyramid[space] or crumbling or not occupied(s, FEEDERS[space]), "a card above an empty space"
    in_pyramid = cards_in(s)
    assert all(card in in_pyramid for cards in s.covered for card in cards)
    if s.agenda and s.agenda[-1].script == "turn":
        assert not (s.revealed or s.book or any(s.looked))
        assert not any(s.played[p] for p in range(s.seats) if p != s.turn)
    for seat, lacks in enumerate(s.lacks):
        assert not {*lacks}.intersection(s.hand[seat], s.deck[seat]), "a card that its seat is known to lack"
    assert 0 <= s.reach <= 2 and s.quiet_turns <= (FACTS.stall_rounds + 1) * s.seats
    assert s.outcome is None or not (s.stock or s.under or in_pyramid)


def scores(s: Valley) -> list[dict[str, int]]:
    return [parts(tomb) for tomb in s.tomb]


def veiled(s: Valley, seat: int) -> tuple[str, ...]:
    """Return the zones that the seat sees as the other seats do.

    With the option `strict_discard_view`, players may not look through their own discard pile in their own turn. Offers name
    the cards of it that an action needs.
    """
    return ("discard",) if s.options.strict_discard_view and seat == s.turn else ()


def back(card: int) -> int:
    return PHARAOH_BACK if TYPE[card] == "pharaoh" else CARD_BACK


TITLE = Title(
    id="valley-of-the-kings",
    name=translations(TEXTS, "name"),
    revision=4,
    oldest_revision=3,
    seats=range(2, MOST_SEATS + 1),
    minutes=45,
    weight="medium",
    state=Valley,
    check_options=check,
    veiled=veiled,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs=VERBS,
    numbers={"pool": "group.", "first": SEAT},
    sentences=SENTENCES,
    phrases=PHRASES,
    prompts=ASKS,
    labels=LABELS,
    focus=focus,
    data=DATA,
    file=File,
    data_problems=wrong,
    cards=CARDS,
    cards_of_options=CARDS_OF_OPTIONS,
    spots=SPOTS,
    face=FACE,
    rulings=FACTS.rulings,
    texts=TEXTS,
    variants=(
        {"edition": "base"},
        {"edition": "afterlife"},
        {"edition": "last_rites"},
        PREMIUM,
        {"edition": "base", "bastet": "own_pile", "inner_sarcophagus": "opponents", "strict_discard_view": True},
    ),
    standing=outcome,
    default_answer=reluctant("pass", "skip", "end"),
    scores=scores,
    sources=lambda s: [sources(tomb) for tomb in s.tomb],
    invariants=invariants,
    card_back=back,
)
