"""The checks of wording, spelling and grammar find planted faults, and miss no catalogue."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from devtools.words import catalogues, grammar, prose, spelling, telltales
from devtools.words.__main__ import app
from devtools.words.catalogues import ROOT, Text, TooFew

PLANTED = {
    "Who holds the fewest cards begins": "who",
    "The first player is chosen by chance": "by chance",
    "The game goes on without them": "go on",
    "{0} wins, for of equal points the smaller tomb decides": "for",
    "They may play it, too.": "too",
    "Nobody has a card left": "body",
    "See what others have written": "what",
    "Whoever opens the table chooses": "whoever",
    "In the middle one's own cards": "one's",
    "A space beside it": "beside",
    "The rules of the house": "house",
    "Mend the name": "mend",
    "Code from the letter": "letter",
    "Players that shall sit here": "shall",
    "Those with as many lives": "as many",
    "{0} rolls {1} and {2}, together {3}": "together",
    "{0} is out: place {1}": "place",
}
GOOD = (
    "The player who holds the fewest cards begins", "The purchase goes on top of the deck", "Place {0} in {1}",
    "Players are paired with opponents who have the same number of lives.", "House value", "Who is next?", "Nobles",
)  # fmt: skip


def of(text: str) -> list[Text]:
    return [Text("planted", "a", text)]


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_all_catalogues_of_the_product_are_read(locale: str) -> None:
    read = {each.catalogue for each in catalogues.texts(locale)}
    folders = {file.parent.name for file in (ROOT / "clients/web/src").glob("*/en.json")}
    assert {f"web {folder}" for folder in folders} <= read
    assert {"game-of-kingdoms", "kemet", "lights-in-the-fog", "pairing", "phrases", "valeria", "valley-of-the-kings"} <= read


def test_fewer_texts_than_there_are_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "titles", dict)
    with pytest.raises(TooFew):
        catalogues.texts("en")


@pytest.mark.parametrize(("text", "pattern"), PLANTED.items())
def test_a_phrase_that_was_translated_word_for_word_is_found(text: str, pattern: str) -> None:
    lines = list(telltales.telltales(of(text)))
    assert len(lines) == 1 and pattern in lines[0].partition("(")[2]


@pytest.mark.parametrize("text", GOOD)
def test_good_english_has_no_such_phrase(text: str) -> None:
    assert not list(telltales.telltales(of(text)))


def test_every_pattern_is_tried() -> None:
    assert len(PLANTED) == len(telltales.TELLTALES)


def test_a_folder_above_its_limit_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("Whoever came is told what nobody kept.\n```\nwhoever told\n```\n")
    (tmp_path / "code").mkdir()
    (tmp_path / "code/a.py").write_text('"""Return the seats."""\nWHO = "whoever is told"\n"""The seats, as they stand."""\n')
    assert prose.rate(tmp_path / "docs") == pytest.approx(5 / 7 * 1000)
    assert prose.rate(tmp_path / "code") == pytest.approx(1 / 8 * 1000)
    lines = list(prose.above({"docs": 700.0, "code": 126.0}, tmp_path))
    assert len(lines) == 1 and lines[0].startswith("docs: 714.3")


def test_the_limits_cover_all_code_and_docs() -> None:
    listed = subprocess.run(["git", "ls-files", "*.py", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    folders = {path.split("/")[0] for path in listed.stdout.split() if "/" in path and not path.startswith(".")}
    assert {limit.split("/")[0] for limit in prose.LIMITS} == folders


MISTAKES = """You has two cards left. He don't have enough gold. Their are no cards left. A attack is not allowed here.
The the deck is empty. Its your turn to play. She draw two cards.""".replace("\n", " ").split(". ")


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_in_grammar_is_found(text: str) -> None:
    assert list(grammar.mistakes(of(text.removesuffix(".") + ".")))


def test_no_mistake_in_grammar_is_imagined() -> None:
    assert not list(grammar.mistakes(of("Take a bearing: you have two cards, and the deck is empty.")))


def installed() -> bool:
    try:
        spelling.require()
    except spelling.NotInstalled:
        return False
    return True


hunspell = pytest.mark.skipif(not installed(), reason=f"needs Debian's {spelling.PACKAGES}")


@hunspell
@pytest.mark.parametrize(("locale", "text", "wrong"), [
    ("en", "{n0, plural, =1 {One crad} other {{0} cards}} of Kemet", "crad"),
    ("es", "{0} juega {n1, plural, =1 {una carta} other {{1} cratas}}", "cratas"),
    ("hu", "{0} kijátszik {n1, plural, =1 {egy lapott} other {{1} lapot}}", "lapott"),
])  # fmt: skip
def test_a_misspelt_word_is_found_in_each_language(locale: str, text: str, wrong: str) -> None:
    lines = list(spelling.misspelt(locale, of(text)))
    assert [re.sub(r".*: a: (.*?): .*", r"\1", line) for line in lines] == [wrong]


@hunspell
@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_the_list_of_known_words_has_no_word_that_the_dictionary_has(locale: str) -> None:
    words = spelling.known_words(locale)
    command = ["hunspell", "-l", "-i", "utf-8", "-d", spelling.DICTIONARIES[locale]]
    found = subprocess.run(command, input="\n".join(words), capture_output=True, text=True, check=True)
    assert words == set(found.stdout.split())


def test_without_hunspell_the_check_says_so_and_fails_under_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    result = CliRunner().invoke(app, ["spelling"])
    assert result.exit_code == 0 and "sudo apt-get install hunspell" in result.output
    assert CliRunner().invoke(app, ["spelling"], env={"CI": "true"}).exit_code == 1


def test_wording_fails_with_more_phrases_than_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CliRunner().invoke(app, ["wording"]).exit_code == 0
    monkeypatch.setattr(telltales, "MOST", -1)
    result = CliRunner().invoke(app, ["wording"])
    assert result.exit_code == 1 and "more than -1" in result.output


def test_codespell_finds_a_planted_mistake(tmp_path: Path) -> None:
    wrong = "rec" + "ieved"
    (tmp_path / "a.md").write_text(f"It is {wrong}.\n")
    command = [sys.executable, "-m", "codespell_lib", "--toml", str(ROOT / "pyproject.toml"), str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{wrong} ==> received" in found.stdout and found.returncode
