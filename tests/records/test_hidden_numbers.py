"""In a title with hidden numbers, verifiers agree, and sizes reveal no number."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludarium.tables.event_views import body_of
from ludarium.tables.model import decisions
from ludarium.tables.model.events import Acted, GameStarted
from ludarium.tables.model.hash_chain import seen_bytes
from ludarium.tables.schemas import ActionBody
from ludarium_engine import registry
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.story.lines import lines
from ludarium_engine.testkit.fuzz import Case
from tests.engine import folded
from tests.engine.proof.cups import cups
from tests.engine.proof.rally import rally
from tests.records.forged import change_fact, change_fields, forged
from tests.records.test_browser import Browser, agreed
from tests.records.vectors import written
from tests.support import node
from tests.support.pure_games import Game
from tests.tables import test_changes
from tests.tables.test_changes import Reader, Told, play, tell

ROLLED = 4
CHANGES = Path(test_changes.__file__).with_name("changes.mjs")
to_json = msgspec.json.encode


@pytest.fixture(autouse=True)
def _offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the test titles, so that tables can offer them."""
    monkeypatch.setitem(registry.current(), "cups", cups())
    monkeypatch.setitem(registry.current(), "rally", rally())


def table() -> Game:
    return Game("cups", "cups", 3).start()


@pytest.fixture
def browser(tmp_path: Any) -> Browser:
    return Browser(tmp_path)


def test_all_verifiers_agree_on_its_records(browser: Browser) -> None:
    whole, running = written(table().play()), table().play(6)
    files = [whole, *(written(running, audience) for audience in (SPECTATOR, 0, 1, 2))]
    assert agreed(browser, files) == ["holds"] * 5
    assert browser.reports([whole])[0]["dice"] > 3


def test_all_verifiers_agree_on_a_game_of_several_deals(browser: Browser) -> None:
    running = Game("rally", "rally", 3).start().play(20)
    files = [written(Game("rally", "rally", 3).start().play()), *(written(running, audience) for audience in (SPECTATOR, 0, 2))]
    assert agreed(browser, files) == ["holds"] * 4


@pytest.mark.parametrize("kind", [GameStarted, Acted])
def test_all_verifiers_find_one_die_of_several_that_the_seed_does_not_give(kind: type, browser: Browser) -> None:
    game = Game("cups", "cups", 3).start()
    game.append(decisions.act_for_seat(game.history, 0, ActionBody("shake")))
    game.play()
    part = 5 if kind is GameStarted else 2

    def another(value: Any) -> Any:
        return [*value[:-1], value[-1] % 6 + 1]

    def change(rows: list[Any]) -> None:
        change_fields(rows, kind, lambda row: change_fact(row[part], ROLLED, 2, another))

    assert agreed(browser, [forged(written(game), change)]) != ["holds"]


def test_neither_leaves_nor_messages_have_another_size_for_another_bid() -> None:
    leaves, messages, pushes = set[Any](), set[Any](), set[Any]()
    for bid in range(1000, 1201, 50):
        game = Told("cups", "cups", 3)
        event, *_ = decisions.act_for_seat(game.history, 0, ActionBody(f"bid:{bid}"))
        game.append([event])
        entry, layout = game.rows[-1], game.history.title.layout
        leaves.add((len(entry.data), *(len(data) for data in seen_bytes(layout, 3, event).values())))
        seen = [event.seen(layout, audience) for audience in (SPECTATOR, 0, 1, 2)]
        messages.add(tuple(len(to_json(body_of(one, entry, game.history.title, story=lines))) for one in seen))
        assert game.last.keys() == {SPECTATOR, 0, 1, 2}
        pushes.add(tuple(tuple(map(len, pushed)) for pushed in game.last.values()))
    assert len(leaves) == len(messages) == len(pushes) == 1


def test_both_clients_fold_what_they_are_told(tmp_path: Any) -> None:
    game = Told("cups", "cups", 3)
    readers = {audience: Reader() for audience in game.history.audiences}
    tell(game, readers)
    play(game, readers, 60)
    assert all(reader.folded > 8 for reader in readers.values())
    (tmp_path / "told.json").write_bytes(to_json([reader.told for reader in readers.values()]))
    folds = node.output(CHANGES, tmp_path / "told.json")
    assert int(folds) == sum(reader.folded for reader in readers.values())
    (tmp_path / "game.json").write_bytes(folded.written(Case(cups(), {}, 3), 3))
    assert int(folded.folded_in_the_browsers_code([tmp_path / "game.json"])) > 30


def test_a_bid_is_taken_back_in_the_record_too(browser: Browser) -> None:
    game = table()
    game.append(decisions.act_for_seat(game.history, 0, ActionBody("bid:1100")))
    assert game.history.playing.bid == [1100, 1000, 1000]      # type: ignore[attr-defined]
    game.append(decisions.undo(game.history, game.history.seats[0].player))     # type: ignore[union-attr, arg-type]
    assert game.history.playing.bid == [1000, 1000, 1000]      # type: ignore[attr-defined]
    files = [*(written(game, audience) for audience in (SPECTATOR, 0, 1)), written(game.play())]
    assert agreed(browser, files) == ["holds"] * 4
