"""Kemet for two to five players, with short, long and beginner games."""
from __future__ import annotations

from ludarium_engine.kernel.bodies import reluctant
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.title import Title

from .board import DRAWINGS
from .cards import CARDS, DATA, FACTS, HAND, MOST_PP, UNITS, back
from .data_checks import wrong
from .data_file import File
from .drawing import FACE, SPOTS
from .powers import points_of, troop_limit
from .prompts import ASKS, LABELS, PHRASES, focus
from .rules import SCRIPTS, setup, standing
from .sentences import SENTENCES
from .state import NOBODY, Kemet, blank
from .troops import holders
from .verbs import SPACE, VERBS
from .words import TEXTS


def units_of(s: Kemet, seat: int) -> int:
    """Count all of a seat's units, in reserve, on the board and in an attack."""
    standing = sum(n for n, holder in zip(s.units, s.holder, strict=True) if holder == seat)
    attacking = (s.attackers + sum(s.recruits)) * (seat == s.turn)
    return s.reserve[seat] + standing + attacking


def battle_cards_of(s: Kemet, seat: int) -> int:
    return sum(len(zone[seat]) for zone in (s.hand, s.used, s.aside, s.fighting))


def invariants(s: Kemet) -> None:
    """Assert each seat's totals and temporary points, and that troops are legal.

    Each seat has 12 units, 0 to 11 prayer points and six battle cards.
    """
    for seat in range(s.seats):
        assert units_of(s, seat) == UNITS
        assert 0 <= s.pp[seat] <= MOST_PP
        assert battle_cards_of(s, seat) == HAND
        assert s.held[seat] == holders(s).count(seat)
    for space, n in enumerate(s.units):
        assert (n == 0) == (s.holder[space] == NOBODY)
        assert n == 0 or n <= troop_limit(s, s.holder[space])
        assert len(s.creatures[space]) <= 1
        assert n or not s.creatures[space]


def scores(s: Kemet) -> list[dict[str, int]]:
    return [
        {"score.permanent": vp - battle, "score.battle": battle, "score.held": held}
        for vp, battle, held in zip(s.vp, s.battle_vp, s.held, strict=True)
    ]


def cut_short(s: Kemet) -> bool:
    """Return whether the last day was reached before any seat had enough points."""
    return s.day >= s.options.max_days and max(points_of(s, seat) for seat in range(s.seats)) < s.target


TITLE = Title(
    id="kemet",
    name=translations(TEXTS, "name"),
    revision=4,
    oldest_revision=4,
    seats=range(2, 6),
    minutes=120,
    weight="heavy",
    state=Kemet,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs=VERBS,
    sentences=SENTENCES,
    phrases=PHRASES,
    prompts=ASKS,
    labels=LABELS,
    focus=focus,
    numbers={
        "holder": SEAT, "lord": SEAT, "pyramid": "colour.", "city": "city.", "boxes": "box.", "order": SEAT,
        "next_order": SEAT, "turn_drawn": SEAT, "offered": SPACE, "where": SPACE, "winner": SEAT,
    },
    lowest={"holder": NOBODY, "lord": NOBODY, "pyramid": -1, "city": NOBODY},
    data=DATA,
    file=File,
    data_problems=wrong,
    cards=CARDS,
    boards=DRAWINGS,
    spots=SPOTS,
    face=FACE,
    scores=scores,
    rulings=FACTS.rulings,
    texts=TEXTS,
    standing=standing,
    default_answer=reluctant("pass", "end", "sleep", "nothing", "rest", "keep_back", "stop", "stay", "spare"),
    variants=({"length": "short"}, {"length": "long"}, {"length": "beginner"}),
    cut_short=cut_short,
    invariants=invariants,
    card_back=back,
    most_events=20_000,
)  # fmt: skip
