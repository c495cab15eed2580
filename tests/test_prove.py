"""docs/proofs.md and `make prove` name the same proofs."""
from __future__ import annotations

import pytest
from typer import BadParameter

from tests.prove import NEEDS_MORE, PARTS, STANDARD, Part, chosen, descriptions, list_proofs


def test_the_page_describes_each_proof_once() -> None:
    assert [*descriptions()] and set(descriptions()) == set(Part) == set(PARTS)


def test_the_list_has_each_proof_with_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    list_proofs()
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines() if line[:1].islower()][:-1] == [*descriptions()]
    assert "No acknowledged command is lost" in printed and "](" not in printed


def test_without_a_name_nothing_runs() -> None:
    assert chosen(None, None) == []


@pytest.mark.parametrize(("only", "title", "parts"), [
    ("kill", None, [Part.kill]), (None, "kemet", [Part.worlds]), ("web", "kemet", [Part.web]),
])  # fmt: skip
def test_a_proof_is_chosen_by_name_or_by_title(only: str | None, title: str | None, parts: list[Part]) -> None:
    assert chosen(only, title) == parts


def test_the_standard_proofs_need_nothing_else() -> None:
    assert set(chosen(STANDARD, None)) == set(Part) - NEEDS_MORE


def test_an_unknown_proof_is_refused() -> None:
    with pytest.raises(BadParameter, match="no proof"):
        chosen("everything", None)
