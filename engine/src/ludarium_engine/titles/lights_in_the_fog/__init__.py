"""Lights in the Fog, for two to four ships."""
from __future__ import annotations

from ludarium_engine.kernel.bodies import reluctant
from ludarium_engine.kernel.choices import CARD, SEAT
from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.title import COMPARED, Predicate, Title, some_card

from .cards import CARDS, DATA, FACTS, File
from .drawing import FACE, SPOTS
from .prompts import ASKS, PHRASES, focus
from .rules import SCRIPTS, bears, has_sign, higher, is_lamp, kept, logged, setup, standing
from .sentences import SENTENCES
from .state import Fog, blank
from .verbs import VERBS
from .words import TEXTS


def invariants(s: Fog) -> None:
    """Assert that recorded answers are true and that no ship has surplus lamps."""
    for seat in range(s.seats):
        assert all(bears(s, seat, sign) for sign in s.yes[seat]) and not any(bears(s, seat, sign) for sign in s.no[seat])
        assert not {*s.missed[seat]} & {*s.hand[seat]}
        assert len(s.hand[seat]) <= FACTS.hand[s.seats - 2]


def scores(s: Fog) -> list[dict[str, int]]:
    return [{"score.log": logged(s, seat), "score.dark": kept(s, seat)} for seat in range(s.seats)]


TITLE = Title(
    id="lights-in-the-fog",
    name=translations(TEXTS, "name"),
    revision=2,
    oldest_revision=2,
    seats=range(2, 5),
    minutes=15,
    weight="light",
    state=Fog,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs=VERBS,
    sentences=SENTENCES,
    phrases=PHRASES,
    prompts=ASKS,
    focus=focus,
    predicates={
        "bears": some_card("hand", (SEAT, "sign."), has_sign),
        "carries": some_card("hand", (SEAT, "sign.", "sign."), is_lamp),
        "higher": Predicate(higher, (SEAT, SEAT), COMPARED, zone="hand"),
    },
    numbers={"yes": "sign.", "no": "sign.", "missed": CARD, "first": SEAT},
    data=DATA,
    file=File,
    cards=CARDS,
    spots=SPOTS,
    face=FACE,
    rulings=FACTS.rulings,
    texts=TEXTS,
    standing=standing,
    default_answer=reluctant("bearing", "silence"),
    scores=scores,
    invariants=invariants,
)
