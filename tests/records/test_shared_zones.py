"""A title with shared zones, with its leaves, records, verifiers and both clients."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludarium.tables.model import decisions
from ludarium.tables.model.hash_chain import leaves_of, seen_bytes
from ludarium.tables.schemas import ActionBody
from ludarium_engine import registry
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.testkit.fuzz import Case
from tests.engine import folded
from tests.engine.proof.partners import partners
from tests.records.test_browser import Browser, agreed
from tests.records.vectors import written
from tests.support import node
from tests.support.pure_games import Game
from tests.tables import test_changes
from tests.tables.test_changes import Reader, Told, play, tell

CHANGES = Path(test_changes.__file__).with_name("changes.mjs")


@pytest.fixture(autouse=True)
def _offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the test title, so that tables can offer it."""
    monkeypatch.setitem(registry.current(), "partners", partners())


def test_members_have_the_same_bytes_in_leaves_of_their_own() -> None:
    game = Game("partners", "partners", 4).start()
    state: Any = game.history.playing
    card = state.hand[state.turn][0]
    event, *_ = decisions.act_for_seat(game.history, state.turn, ActionBody(f"give:{card}"))
    seen = seen_bytes(game.history.title.layout, 4, event)
    partner = (state.turn + 2) % 4
    other, another = (p for p in range(4) if p % 2 != state.turn % 2)
    assert seen[other] == seen[another] == seen[SPECTATOR] != seen[partner] != seen[state.turn]
    leaves = leaves_of(game.history.secret.seed, game.history.version + 1, seen)
    assert len(leaves) == len({*leaves}) == 5


def test_all_verifiers_agree_on_its_records(tmp_path: Path) -> None:
    running = Game("partners", "partners", 4).start().play(12)
    files = [written(running, audience) for audience in (SPECTATOR, 0, 1, 2, 3)]
    files.append(written(Game("partners", "partners", 4, {"partners": "beside"}).start().play()))
    assert agreed(Browser(tmp_path), files) == ["holds"] * 6


@pytest.mark.parametrize("options", [{}, {"partners": "beside"}])
def test_both_clients_fold_what_they_are_told(options: dict[str, Any], tmp_path: Path) -> None:
    game = Told("partners", "partners", 4, options)
    readers = {audience: Reader() for audience in game.history.audiences}
    tell(game, readers)
    play(game, readers, 60)
    assert all(reader.folded > 8 for reader in readers.values())
    (tmp_path / "told.json").write_bytes(msgspec.json.encode([reader.told for reader in readers.values()]))
    assert int(node.output(CHANGES, tmp_path / "told.json")) == sum(reader.folded for reader in readers.values())
    (tmp_path / "game.json").write_bytes(folded.written(Case(partners(), options, 4), 3))
    assert int(folded.folded_in_the_browsers_code([tmp_path / "game.json"])) > 50
