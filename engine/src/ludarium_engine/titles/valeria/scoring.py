"""Count points, determine places and end the game."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ludarium_engine.kernel.bodies import Source
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.table import standings

from .cards import CITIZEN, DOMAIN, DUKE, MONSTER, TABLEAU
from .data_file import ROLES
from .state import T, Valeria, at
from .tokens import purse

POINTS = {card: face.vp for card, face in (MONSTER | DOMAIN).items()}


class Score(NamedTuple):
    monsters: int
    domains: int
    tokens: int
    duke: int


def score(s: Valeria, seat: int) -> Score:
    """Return a seat's current points, including the duke's points once it is chosen."""
    chosen = s.duke[seat][0] if len(s.duke[seat]) == 1 else None
    of_duke = 0 if chosen is None else duke_points(s, seat, chosen)
    return Score(printed(s.slain[seat]), printed(s.built[seat]), s.vp[seat], of_duke)


def sources(s: Valeria, seat: int) -> dict[str, list[Source]]:
    """Return the seat's cards with printed points, keyed by category."""
    zones = {"score.monsters": s.slain[seat], "score.domains": s.built[seat]}
    return {part: [Source([card], POINTS[card]) for card in cards if POINTS[card]] for part, cards in zones.items()}


def duke_points(s: Valeria, seat: int, duke: int) -> int:
    counted = icons(duke, s.tableau[seat], s.built[seat], s.slain[seat])
    return counted + left_over(s, seat, DUKE[duke].resources)


def printed(cards: Iterable[int]) -> int:
    return sum(POINTS[card] for card in cards)


def icons(duke: int, tableau: list[int], domains: list[int], monsters: list[int]) -> int:
    """Return a duke's points for role icons and cards.

    Role icons on citizens and domains are counted. Starters have no role icons and do not count as citizens.
    """
    counts = {role: sum(TABLEAU[card].role == role for card in tableau) for role in ROLES}
    for card in domains:
        for role, n in DOMAIN[card].roles.items():
            counts[role] += n
    counts["citizen"] = sum(card in CITIZEN for card in tableau)
    counts["domain"], counts["monster"] = len(domains), len(monsters)
    counts["titan"] = sum(MONSTER[card].type == "titan" for card in monsters)
    return sum(counts[what] * vp for what, vp in DUKE[duke].vp_per.items())


def left_over(s: Valeria, seat: int, size: int) -> int:
    """Return the points for remaining resources, which are one for every `size` tokens.

    All resources are counted together or, depending on the option, each kind separately.
    """
    held = purse(s, seat)
    return sum(n // size for n in held) if s.options.duke_resource_mode == "per_type" else sum(held) // size


def card_count(s: Valeria, seat: int) -> int:
    return len(s.tableau[seat]) + len(s.built[seat]) + len(s.slain[seat])


def standing(s: Valeria) -> list[int]:
    """Return each seat's current place by points, with ties broken by fewest cards.

    In a solo game the player counts as having lost.
    """
    if s.seats == 1:
        return [2]
    return standings([(sum(score(s, seat)), -card_count(s, seat)) for seat in range(s.seats)])


def finish(t: T) -> None:
    """End the game, which the seat with the most points wins.

    Ties are broken by the fewest cards; if a tie remains, the seats share the place.
    """
    scores = [tell_score(t, seat) for seat in range(t.s.seats)]
    places = standing(t.s)
    tell_winners(t, scores, [seat for seat, place in enumerate(places) if place == 1])
    t.end(places)


def tell_score(t: T, seat: int) -> int:
    parts = score(t.s, seat)
    t.say("scores", seat, t.reveal(t.s.duke[seat], at.duke[seat], to=EVERYBODY), sum(parts), *parts)
    return sum(parts)


def tell_winners(t: T, scores: list[int], winners: list[int]) -> None:
    best = max(scores)
    alone = "wins" if scores.count(best) == 1 else "wins_tie"
    for seat in winners:
        t.say(alone if len(winners) == 1 else "shares", seat, best, card_count(t.s, seat))
