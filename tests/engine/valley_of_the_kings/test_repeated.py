"""A Tyet Amulet repeats every action that it may, and a Vizier borrows each."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import legal_offers
from ludarium_engine.testkit.perft import actions
from ludarium_engine.titles.valley_of_the_kings import TITLE
from ludarium_engine.titles.valley_of_the_kings.cards import KINDS, ROWS, card_of, copies_of
from tests.engine.valley_of_the_kings.scene import AT_PLAY, Table, table

NEVER = {
    "tyet_amulet": {"censer", "statue_thoth", "tyet_amulet"},
    "lector": {"censer", "statue_thoth", "tyet_amulet", "lector"},
    "vizier": {"vizier", "tyet_amulet", "lector"},
}
ACTIONS = [row.id for row in ROWS if row.type != "pharaoh" and row.reaction is None]
FULL = dict(
    hand="urn urn box_of_food menial embalmer statue_bastet dagger", discard="shabti kite potter resin shabti shabti",
    tomb="statue_anubis sculptor shabti shabti shabti shabti", deck="urn urn kite menial menial menial menial",
    stock="ring natron weaver", boneyard="bow stonemason", hand1="embalmer embalmer", discard1="menial embalmer",
    deck1="menial menial menial", pyramid="statue_anubis ring scribe potter throwing_stick priestess_isis", bought=8,
)  # fmt: skip


def full(card: str, executed: str) -> Table:
    """Return a table at which most actions are possible, and one has been executed."""
    scene = table(**{**FULL, "hand": f"{card} {FULL['hand']}"})
    scene.s.executed = [card_of("statue_anubis", 1), card_of(executed)]
    return scene


def to_the_end(scene: Table) -> Table:
    """Answer with the first offers until the question of the turn is asked again."""
    while (scene.s.agenda[-1].script, scene.s.agenda[-1].row) != ("turn", AT_PLAY):
        seat = scene.seat()
        scene.answer(seat, next(actions(legal_offers(TITLE, scene.s, seat)[0])))
    return scene


@pytest.mark.parametrize("repeater", ["tyet_amulet", "lector"])
@pytest.mark.parametrize("action", ACTIONS)
def test_repeating(action: str, repeater: str) -> None:
    scene = full(repeater, action).play(repeater)
    assert (action in scene.can("repeat")) == (action not in NEVER[repeater])
    if action in NEVER[repeater]:
        return
    scene = to_the_end(scene.pick(action))
    assert scene.names(scene.s.executed)[-2:] == [action, repeater]


@pytest.mark.parametrize("action", ACTIONS)
def test_borrowing(action: str) -> None:
    scene = full("vizier", "statue_anubis")
    copies = copies_of(KINDS[action])
    scene.s.pyramid[0][:] = [next((card for card in copies if card in scene.s.box), copies[0])]
    if action in NEVER["vizier"]:
        assert action not in scene.play("vizier").can("repeat")
        return
    scene.play("vizier").pick(action)
    scene = to_the_end(scene)
    assert scene.names(scene.s.executed)[-2:] == [action, "vizier"]
