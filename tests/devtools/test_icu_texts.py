"""Texts in the earlier syntax become messages with the same meaning."""
from __future__ import annotations

from pathlib import Path

import pytest

from devtools.icu_texts import Differs, catalogues, checked, convert_file, converted, icu_texts
from ludarium_engine.kernel.choices import CARDS, NUMBER, SEAT

PLAIN = ["Play", "{0} takes {1}", "{0}'s turn", "No. #1", "{strength} | 'x'"]
ICU_TEXTS = ["{n0, plural, =1 {card} other {cards}}", "l''{0}", "{0}; {sound, select, i {e} other {y}} {1}"]


@pytest.mark.parametrize("text", [*PLAIN, *ICU_TEXTS])
def test_other_texts_stay(text: str) -> None:
    assert converted(text) == checked("en", text, text) == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{1?card|cards}", "{n1, plural, =1 {card} other {cards}}"),
        ("{0?none|one|#} left", "{n0, plural, =0 {none} =1 {one} other {{0}}} left"),
        ("{0?# lap}", "{0} lap"),
        ("{0} has {1?|, # more|, # more}", "{0} has {n1, plural, =0 {} =1 {, {1} more} other {, {1} more}}"),
        ("it's {0?a 'b'|# 'c'}'", "it's {n0, plural, =1 {a 'b''} other {{0} 'c''}}'"),
        ("'{0}' d'{0?un|#}", "''{0}' d''{n0, plural, =1 {un} other {{0}}}"),
        ("{0?it's '#'|d' #}", "{n0, plural, =1 {it's ''{0}''} other {d' {0}}}"),
    ],
)
def test_a_text_is_converted(old: str, new: str) -> None:
    assert checked("en", old, converted(old)) == new


def test_of_cards_the_form_has_their_number() -> None:
    old = "{0}: {1?a card|# cards}, {2?# lap}"
    new = converted(old, (SEAT, CARDS, CARDS))
    assert new == "{0}: {n1, plural, =1 {a card} other {# cards}}, {n2, plural, other {# lap}}"
    assert checked("hu", old, new) == new
    assert converted("{0?a|#}", (NUMBER,)) == "{n0, plural, =1 {a} other {{0}}}"


def test_a_text_that_would_say_something_else_stops_the_run() -> None:
    with pytest.raises(Differs):
        checked("en", "{0?card|cards}", "{n0, plural, =1 {card} other {Cards}}")


def test_only_converted_lines_change(tmp_path: Path) -> None:
    path = tmp_path / "en.json"
    path.write_text('{\n  "a": "{0}",\n\n  "b": "\\"{0?a|b}\\"",\n  "c":   "x"\n}\n')
    expected = '{\n  "a": "{0}",\n\n  "b": "\\"{n0, plural, =1 {a} other {b}}\\"",\n  "c":   "x"\n}\n'
    assert "".join(convert_file(path, {})) == expected


def test_all_catalogues_are_converted() -> None:
    assert len([*catalogues()]) >= 42
    icu_texts(check=True)
