"""New Title, for two to four players."""
from __future__ import annotations

from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.title import Title

from .cards import CARDS, DATA, FACTS, File
from .drawing import FACE, SPOTS
from .rules import SCRIPTS, VERBS, points, setup, standing
from .sentences import SENTENCES
from .state import NewTitle, blank
from .words import TEXTS


def invariants(s: NewTitle) -> None:
    """Assert conditions that must be true after every event; random games check them."""
    assert all(len(played) <= FACTS.turns for played in s.played)


def scores(s: NewTitle) -> list[dict[str, int]]:
    return [{"score.played": points(s, seat)} for seat in range(s.seats)]


TITLE = Title(
    id="new-title",
    name=translations(TEXTS, "name"),
    revision=1,
    seats=range(2, 5),
    state=NewTitle,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs=VERBS,
    sentences=SENTENCES,
    data=DATA,
    file=File,
    cards=CARDS,
    spots=SPOTS,
    face=FACE,
    rulings=FACTS.rulings,
    texts=TEXTS,
    standing=standing,
    scores=scores,
    invariants=invariants,
)
