"""The commands for the engine, run as on the command line."""
from __future__ import annotations

import io
import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
import typer
from rich.console import Console, RenderableType
from typer.testing import CliRunner, Result

from ludarium.cli import COMMANDS, main
from ludarium.commands import replay, tournament
from ludarium.commands.records import read_file
from ludarium.records.record import record_of
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import cases
from tests.support.pure_games import Game

KINGDOMS = "game-of-kingdoms"
TOOLS = Path(tournament.__file__).parent


def ludarium(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_the_command_says_its_version() -> None:
    assert ludarium("--version").stdout == f"{version('ludarium')}\n"


def test_every_command_stands_in_its_module_and_is_named() -> None:
    shown = ludarium("--help").stdout
    assert all(f" {name} " in shown for name in COMMANDS)
    registered = typer.Typer()
    for module in {*COMMANDS.values()}:
        import_module(f"ludarium.commands.{module}").register(registered)
    assert typer.main.get_group(registered).commands.keys() == COMMANDS.keys()
    assert {path.stem for path in TOOLS.glob("*.py") if "def register(" in path.read_text()} == {*COMMANDS.values()}


@pytest.mark.parametrize("ruleset", titles())
def test_the_file_that_ships_fits(ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table is tested; tests/engine/test_every_title.py covers all tables."""
    monkeypatch.setattr("ludarium_engine.testkit.trial.cases", lambda title: cases(title)[:1])
    file = tmp_path / "data.json"
    file.write_bytes(titles()[ruleset].data)
    told = ludarium("ruleset", "check", str(file))
    assert told.exit_code == 0 and f"fits {ruleset}." in told.stdout


def test_a_file_that_does_not_fit_is_told_where(tmp_path: Path) -> None:
    facts = json.loads(titles()["kemet"].data)
    facts["boards"]["2"]["edges"][3]["a"] = "NOWHERE"
    file = tmp_path / "kemet.json"
    file.write_text(json.dumps(facts))
    told = ludarium("ruleset", "check", str(file))
    assert told.exit_code == 1 and "/boards/2/edges/3/a: NOWHERE is no space" in told.stdout.splitlines()
    told = ludarium("ruleset", "check", str(file), "--ruleset", "valeria")
    assert told.exit_code == 1 and "unknown field" in told.stdout
    file.write_text("chess")
    told = ludarium("ruleset", "check", str(file))
    assert told.exit_code == 1 and "no JSON object" in told.stderr


@pytest.mark.parametrize("words", [
    ("ruleset", "check", "nowhere.json"), ("ruleset", "check", ".", "--ruleset", "chess"),
    ("tournament", "simulate", "--seed", "-1"),
])  # fmt: skip
def test_words_that_make_no_sense(words: tuple[str, ...]) -> None:
    told = ludarium(*words)
    assert told.exit_code == 2 and "Traceback" not in told.output


@pytest.fixture(scope="module")
def told_game() -> Game:
    return Game("replayed", KINGDOMS, 2).start().play()


@pytest.fixture(scope="module")
def record_file(told_game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a record with names that must not reach a terminal unescaped."""
    seats = [seat.player for seat in told_game.history.seats if seat and seat.player]
    names = {seats[0]: "[red]Ada[/]\x1b[2J", seats[1]: "[link=file:///etc/passwd]Bea"}
    path = tmp_path_factory.mktemp("replay") / "game.json"
    path.write_bytes(msgspec.json.encode(record_of(told_game.history, told_game.rows, SPECTATOR, names)))
    return path


def test_a_record_is_replayed_as_a_text(record_file: Path) -> None:
    told = ludarium("replay", str(record_file))
    assert told.exit_code == 0 and "1. [red]Ada[/]\ufffd[2J" in told.stdout and "\x1b" not in told.stdout
    assert "[link=file:///etc/passwd]Bea" in told.stdout
    assert told.stdout.count("\n") > 60 and told.stdout.splitlines()[-1].strip()


def test_a_record_is_leafed_through_by_keys(record_file: Path, told_game: Game) -> None:
    record = read_file(str(record_file))
    screen = replay.Screen(replay.read_game("", record), replay.claimed_names(record), 0, "es")
    pages: list[str] = []

    def show(page: RenderableType) -> None:
        console = Console(file=io.StringIO(), width=120)
        console.print(page)
        pages.append(console.file.getvalue())  # type: ignore[attr-defined]

    replay.browse(screen, iter(["n", "\x1b[B", "\x1b[A", "G", "n", "p", "g", "p", "?", "q", "n"]), show)
    first, second, turn, back, last, beyond, before = pages[:7]
    assert first == pages[7] == pages[8] == pages[9] and len(pages) == 10 and len({first, second, turn, last, before}) == 5
    assert last == beyond and f"event {told_game.history.version}" not in first and "▮" in first
    assert screen.lines[screen.turn(0, 1)].begins and turn != back


def test_a_record_that_is_broken_or_not_whole_is_not_replayed(record_file: Path, told_game: Game, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(record_file.read_bytes().replace(b'"seq":9,', b'"seq":8,', 1))
    told = ludarium("replay", str(other))
    assert told.exit_code == 1 and "event" in told.stderr
    running = Game("still", KINGDOMS, 2).start().play(5)
    other.write_bytes(msgspec.json.encode(record_of(running.history, running.rows, 1)))
    assert "running game" in ludarium("replay", str(other)).stderr
    assert ludarium("replay", str(record_file), "--as", "2").exit_code == 1
