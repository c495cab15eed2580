"""Valeria: Card Kingdoms, for one to five players."""
from __future__ import annotations

from ludarium_engine.kernel.bodies import reluctant
from ludarium_engine.kernel.choices import CARD, SEAT, Illegal
from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.slots import UNKNOWN
from ludarium_engine.kernel.title import Title

from .cards import CARDS, CITIZEN, DATA, DOMAIN, FACTS, MONSTER, STACK, STARTER, STARTER_KINDS, back
from .data_file import File, wrong
from .drawing import FACE, SPOTS
from .prompts import ASKS, LABELS, PHRASES, focus
from .rules import SCRIPTS, is_over, reached, setup
from .scoring import score, sources, standing
from .sentences import SENTENCES
from .state import Valeria, ValeriaOptions, blank
from .verbs import VERBS
from .words import TEXTS


def check(options: ValeriaOptions, seats: int) -> None:
    stacks = [STACK[kind] for kind in options.citizens]
    if len(set(options.areas)) != len(options.areas):
        raise Illegal("areas: each may be named once")
    if len(set(stacks)) != len(stacks):
        raise Illegal("citizens: one for each activation number")
    if options.setup != "free" and (options.areas or options.citizens or options.mixed_citizens):
        raise Illegal("setup: names the areas and citizens itself")
    if options.mixed_citizens and options.citizens:
        raise Illegal("citizens: all kinds are in the stacks of mixed citizens")


def invariants(s: Valeria) -> None:
    """Assert that cards are in the right zones and all seats had equally many turns."""
    assert all(card in MONSTER for pile in s.monsters + s.slain for card in pile)
    assert all(card in CITIZEN for pile in s.citizens + s.citizens_below for card in pile)
    assert all(card in DOMAIN for pile in s.domains + s.domains_below + s.built for card in pile)
    assert all(sum(card in STARTER for card in cards) == len(STARTER_KINDS) for cards in s.tableau)
    assert all(len(cards) <= 1 for cards in s.domains + s.duke)
    assert all(face_up or not below for face_up, below in zip(s.citizens, s.citizens_below, strict=True))
    assert len(set(s.used)) == len(s.used)
    assert s.outcome is None or s.turn == (s.first - 1) % s.seats


def scores(s: Valeria) -> list[dict[str, int]]:
    """Return each seat's points, keyed by category.

    In a solo game the list is empty, since points matter only at the end, when both dukes are revealed and the game log lists
    the points.
    """
    if s.seats == 1:
        return []
    return [{f"score.{part}": n for part, n in score(s, seat)._asdict().items()} for seat in range(s.seats)]


TITLE = Title(
    id="valeria",
    name=translations(TEXTS, "name"),
    revision=5,
    oldest_revision=5,
    seats=range(FACTS.seats[0], FACTS.seats[1] + 1),
    minutes=60,
    weight="medium",
    state=Valeria,
    check_options=check,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs=VERBS,
    sentences=SENTENCES,
    phrases=PHRASES,
    prompts=ASKS,
    labels=LABELS,
    focus=focus,
    numbers={"used": CARD, "fresh": CARD, "lot": CARD, "areas": "area.", "kinds": "kind.", "first": SEAT},
    data=DATA,
    file=File,
    data_problems=wrong,
    cards=CARDS,
    spots=SPOTS,
    face=FACE,
    rulings=FACTS.rulings,
    texts=TEXTS,
    variants=(
        {},
        {"mixed_citizens": True},
        {"setup": "first_game"},
        {"setup": "glittering_gold", "domain_build_turn_cooldown": True},
        {"setup": "mastery_over_magic", "duke_resource_mode": "per_type"},
        {"setup": "monster_blood", "resting_player_targetable": False},
    ),
    standing=standing,
    default_answer=reluctant("slay", "build", "recruit", "pass"),
    scores=scores,
    sources=lambda s: [sources(s, seat) for seat in range(s.seats)],
    invariants=invariants,
    cut_short=lambda s: reached(s) and not is_over(s),
    lowest={"kinds": UNKNOWN, "lot": UNKNOWN},
    homes={"citizens_below": lambda stack, card: back(card) == stack},
    card_back=back,
)
