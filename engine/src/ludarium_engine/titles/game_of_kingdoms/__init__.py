"""Game of Kingdoms for two to six players, in a standard and a ruthless version."""
from __future__ import annotations

import msgspec

from ludarium_engine.kernel.choices import NUMBER, SEAT, Illegal
from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.title import Title

from .absence import default
from .cards import CARDS, DATA, FACTS, LIMIT, File
from .drawing import FACE, SPOTS
from .prompts import ASKS, LABELS, PHRASES, focus
from .rules import SCRIPTS, next_dealer, setup, standing
from .sentences import SENTENCES
from .state import Kingdoms, KingdomsOptions, blank
from .verbs import VERBS
from .words import TEXTS


def check(options: KingdomsOptions, seats: int) -> None:
    if options.dealer is not None and options.dealer >= seats:
        raise Illegal("dealer: no such seat")


def invariants(s: Kingdoms) -> None:
    """Assert the limits on attack and defence, and that known cards are in hand."""
    assert len(s.attack) <= LIMIT
    assert all(len(zone) <= 1 for zone in s.defence)
    assert all(i < len(s.attack) for i, zone in enumerate(s.defence) if zone)
    assert all({*known} <= {*hand} for known, hand in zip(s.known, s.hand, strict=True))
    assert s.place[s.attacker] == 0 or s.outcome is not None


def rematch(s: Kingdoms) -> KingdomsOptions:
    return msgspec.structs.replace(s.options, dealer=next_dealer(s))


TITLE = Title(
    id="game-of-kingdoms",
    name=translations(TEXTS, "name"),
    revision=4,
    oldest_revision=4,
    seats=range(FACTS.seats[0], FACTS.seats[1] + 1),
    minutes=20,
    weight="light",
    state=Kingdoms,
    check_options=check,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs=VERBS,
    disclosures={"surplus": (SEAT, NUMBER)},
    sentences=SENTENCES,
    phrases=PHRASES,
    prompts=ASKS,
    labels=LABELS,
    focus=focus,
    numbers={"layer": SEAT, "dealer": SEAT, "trump": "colour.", "attacker": SEAT, "defender": SEAT},
    data=DATA,
    file=File,
    cards=CARDS,
    spots=SPOTS,
    face=FACE,
    rulings=FACTS.rulings,
    texts=TEXTS,
    rematch=rematch,
    standing=standing,
    default_answer=default,
    variants=({"version": "standard"}, {"version": "ruthless"}, {"version": "ruthless", "pile_on_take": False}),
    invariants=invariants,
)
