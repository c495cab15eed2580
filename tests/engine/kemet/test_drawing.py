"""A client can draw a table's board from the ruleset document alone."""
from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import asdict

from ludarium.api.ruleset_schemas import described
from ludarium_engine.titles.kemet import TITLE
from ludarium_engine.titles.kemet.cards import BOXES
from ludarium_engine.titles.kemet.state import KemetOptions, blank, board


@pytest.mark.parametrize("seats, sanctuary", [(2, False), (2, True), (3, False), (3, True), (4, False), (5, False), (5, True)])
def test_the_board_of_a_table_is_found_by_its_seats_and_options(seats: int, sanctuary: bool) -> None:
    s = blank(KemetOptions(sanctuary_small_boards=sanctuary), seats)
    (drawing,) = [b for b in TITLE.boards if b.seats == seats and b.options.items() <= asdict(s.options).items()]
    assert [space.id for space in drawing.spaces] == board(s).ids
    assert len(drawing.spaces) == len(s.units)
    beside = {(edge.a, edge.b) for edge in drawing.edges}
    assert all((a, b) in beside or (b, a) in beside for a, near in enumerate(board(s).beside) for b in near)


def test_the_ruleset_of_the_api_has_spaces_edges_kinds_and_coordinates() -> None:
    sent = msgspec.json.decode(msgspec.json.encode(described(TITLE)))["boards"][0]
    assert sent["zone"] == "units" and sent["edges"][0] == {"a": 0, "b": 1, "kind": "land"}
    temple = sent["spaces"][1]
    assert (temple["id"], temple["facts"]["kind"], temple["facts"]["pp"]) == ("T_SMALL_W", "temple", 2)
    assert 0 <= temple["x"] <= 100 and 0 <= temple["y"] <= 100


def test_each_place_of_the_board_of_actions_and_each_space_has_a_short_word_in_every_language() -> None:
    (boxes,) = [spot for spot in TITLE.spots if spot.shape == "places"]
    assert sum(boxes.rows) == len(BOXES)
    wanted = {f"short.box.{nth}" for nth in range(len(BOXES))}
    wanted |= {f"short.space.{space.id}" for drawing in TITLE.boards for space in drawing.spaces}
    assert not [locale for locale, texts in TITLE.texts.items() if wanted - texts.keys()]
