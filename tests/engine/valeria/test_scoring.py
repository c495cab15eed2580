"""Points, dukes, tie-breaks and the end of the game."""
from __future__ import annotations

import pytest
from msgspec.structs import replace

from ludarium_engine.kernel.facts import Revealed
from ludarium_engine.titles.valeria.cards import DOMAIN_KINDS, DUKE_KINDS
from ludarium_engine.titles.valeria.centre import exhausted
from ludarium_engine.titles.valeria.data_file import Duke
from ludarium_engine.titles.valeria.rules import is_over
from ludarium_engine.titles.valeria.scoring import score, sources
from tests.engine.valeria.language import Realm

ESTATE = "2 cleric 2 merchant rogue archer goblin_mage goblin wraith darktide_harbour halfpenny_hill"
# With darktide (worker, soldier, shadow) and halfpenny (3 workers): icons W 2+4, S 1+1, s 1+1, H 2; 3 monsters, 2 of them
# titans; 6 citizens; 2 domains; left 5 gold, 4 strength, 5 magic.
ICONS = {"worker": 6, "soldier": 2, "shadow": 2, "holy": 2, "monster": 3, "citizen": 6, "domain": 2, "titan": 2}
POINTS = {
    "cornelius_the_dreamer": 6 + 4, "elsyn_saint_of_shadows": 8 + 3, "elisium_the_allsmith": 12 + 3,
    "hrothgar_the_conqueror": 8 + 3, "isabella_the_righteous": 6 + 4, "lekzandr_the_protector": 10 + 4,
    "node_master_of_swords": 6 + 4, "reese_the_firebrand": 11 + 3, "simon_the_unclean": 8 + 7,
    "waryn_lord_of_rogues": 10 + 4,
}  # fmt: skip
PER_TYPE = {2: 2 + 2 + 2, 3: 1 + 1 + 1, 4: 1 + 1 + 1}


@pytest.mark.parametrize("kind", DUKE_KINDS, ids=lambda kind: kind.id)
def test_what_a_duke_scores(kind: Duke) -> None:
    r = Realm().duke(0, kind.id).has(0, ESTATE, gold=5, strength=4, magic=5)
    assert score(r.s, 0).duke == POINTS[kind.id]
    assert sum(ICONS[what] * vp for what, vp in kind.vp_per.items()) + 14 // kind.resources == POINTS[kind.id]
    r.s.options = replace(r.s.options, duke_resource_mode="per_type")
    assert score(r.s, 0).duke == POINTS[kind.id] - 14 // kind.resources + PER_TYPE[kind.resources]


def test_points_of_monsters_domains_and_tokens() -> None:
    r = Realm().has(0, ESTATE)
    r.s.vp[0] = 4
    assert score(r.s, 0)[:3] == (2 + 1 + 3, 2 + 2, 4)


def test_starters_score_for_no_duke() -> None:
    for kind in DUKE_KINDS:
        assert score(Realm().duke(0, kind.id).s, 0) == (0, 0, 0, 0)


def test_the_printed_points_of_all_domains() -> None:
    assert sum(kind.vp for kind in DOMAIN_KINDS) == 64


# --- the end ----------------------------------------------------------------------------------------------------------
def last_action(r: Realm) -> Realm:
    """End the last turn of a round by gaining a resource."""
    r.s.turn = r.s.seats - 1
    return r.acting(last=True).do(r.s.seats - 1, "gain", "gold")


def ready(seats: int = 2) -> Realm:
    """Return a position in which leftover tokens make no difference to the score."""
    r = Realm(seats)
    for seat, kind in enumerate(["hrothgar_the_conqueror", "elsyn_saint_of_shadows", "node_master_of_swords"][:seats]):
        r.duke(seat, kind)
    return r


def test_all_monsters_slain_end_the_game() -> None:
    assert last_action(ready(3).without("monsters", *range(5))).s.outcome is not None
    assert last_action(ready(3).without("monsters", *range(4))).s.outcome is None


def test_all_domains_built_end_the_game() -> None:
    assert last_action(ready(3).without("domains", *range(5))).s.outcome is not None
    assert last_action(ready(3).without("domains", *range(4))).s.outcome is None


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_exhausted_positions_a_seat_end_the_game(seats: int) -> None:
    r = Realm(seats).without("citizens", *range(2 * seats - 1))
    assert exhausted(r.s) == 2 * seats - 1 and not is_over(r.s)
    assert is_over(r.without("monsters", 0).s)


def test_all_have_as_many_turns() -> None:
    r = ready(3).without("monsters", *range(5))
    r.acting(last=True).do(0, "gain", "gold")
    assert r.s.end_announced and r.s.outcome is None and r.s.turn == 1
    r.acting(last=True).do(1, "gain", "gold")
    assert r.s.outcome is None
    assert r.acting(last=True).do(2, "gain", "gold").s.outcome is not None


def test_a_returned_card_takes_the_end_back() -> None:
    r = ready(3).without("monsters", *range(5)).on_top("domains", 0, "watcher_on_the_water")
    r.has(0, "2 archer goblin", gold=6)
    r.s.end_announced = True
    r.acting(last=True).do(0, "build", "watcher_on_the_water").do(0, "put_back", "goblin")
    assert not r.s.end_announced and r.kinds("monsters", 0) == ["goblin"]
    assert last_action(r).s.outcome is None


def test_the_end_shows_the_dukes_and_tells_the_points() -> None:
    r = ready().without("monsters", *range(5)).has(0, "goblin_king").has(1, "goblin")
    last_action(r)
    shown = [fact.cards for fact in r.event.facts if isinstance(fact, Revealed)]
    assert shown == [(r.s.duke[0][0],), (r.s.duke[1][0],)]
    assert r.told("scores") == [(0, 6, 4, 0, 0, 2), (1, 1, 1, 0, 0, 0)] and r.s.outcome == [1, 2]


def test_a_tie_goes_to_the_fewest_cards_and_else_is_shared() -> None:
    r = ready(3).duke(0, "simon_the_unclean").without("monsters", *range(5))
    r.has(0, "troll").has(1, "2 flaming_skeleton").has(2, "orc_chieftain")
    assert last_action(r).told("scores") == [(seat, 6, 6, 0, 0, 0) for seat in range(3)]
    assert r.s.outcome == [1, 3, 1]


@pytest.mark.parametrize(("cards", "points"), [("butcher", 0), ("cutthroats_truce", 1)])
def test_citizens_and_domains_count_for_the_tie(cards: str, points: int) -> None:
    r = ready(3).duke(0, "simon_the_unclean" if points else "isabella_the_righteous").without("monsters", *range(5))
    r.has(0, f"goblin_king {cards}").has(1, "skeleton_king")
    r.s.vp[1] = points
    assert last_action(r).s.outcome == [2, 1, 3]


def test_the_cards_that_brought_points_are_named() -> None:
    r = Realm().has(0, ESTATE)
    found = sources(r.s, 0)
    assert [sum(source.points for source in cards) for cards in found.values()] == [*score(r.s, 0)[:2]]
    assert [len(source.cards) for cards in found.values() for source in cards] == [1] * 5
