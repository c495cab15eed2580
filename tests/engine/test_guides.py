"""Every guide explains all questions, cards and options, and nothing else."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from ludarium_engine.guides import Chapter, Ruled, defined, guide_of, pictures_in, read_picture, ruled_in
from ludarium_engine.kernel import Title
from ludarium_engine.registry import titles
from ludarium_engine.testkit.messages import messages

AnyTitle = Title[Any, Any]
MOST_BYTES, LONGEST_HINT = 40_000, 260
every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())


def told(guide: Sequence[Chapter]) -> list[str]:
    """Return the items that the chapters name, with repetitions."""
    return [
        f"{what} {name}"
        for chapter in guide
        for what, names in (("row", chapter.asks), ("kind", chapter.cards), ("option", chapter.options))
        for name in names
    ]


def there(title: AnyTitle) -> Iterator[str]:
    """Yield the items that a title has to explain."""
    yield from (f"row {row.name}" for script in title.scripts.values() for row in script.rows if not callable(row))
    yield from (f"kind {card.kind}" for card in title.cards)
    yield from (f"option {name}" for name in title.options.__struct_fields__)


def left_out(title: AnyTitle, guide: Sequence[Chapter]) -> list[str]:
    """Return the items that are not explained, unknown, or explained twice."""
    found = told(guide)
    return sorted({*found} ^ {*there(title)}) + sorted({each for each in found if found.count(each) > 1})


@every_title
def test_each_question_card_and_option_is_explained_in_one_chapter(title: AnyTitle) -> None:
    assert not left_out(title, guide_of(title))


@pytest.mark.parametrize(
    ("chapter", "wrong"),
    [
        (Chapter("more", asks=("bluff",)), "row bluff"), (Chapter("more", cards=("joker",)), "kind joker"),
        (Chapter("more", options=("speed",)), "option speed"), (Chapter("more", asks=("lead",)), "row lead"),
    ],
)  # fmt: skip
def test_a_chapter_that_explains_what_is_not_there_or_is_explained_is_found(chapter: Chapter, wrong: str) -> None:
    title = titles()["game-of-kingdoms"]
    assert left_out(title, [*guide_of(title), chapter]) == [wrong]


@pytest.mark.parametrize("gone", ["start", "turn", "options"])
def test_what_no_chapter_explains_is_found(gone: str) -> None:
    title = titles()["game-of-kingdoms"]
    assert left_out(title, [chapter for chapter in guide_of(title) if chapter.id != gone])


def misplaced(title: AnyTitle, ruled: Sequence[Ruled]) -> list[str]:
    """Return the rulings that are left out, unknown or named twice, and what they are about that is not there."""
    rulings = [ruling.id for ruling in ruled]
    rows = {f"row {row}" for ruling in ruled for row in ruling.asks}
    kinds = {f"kind {kind}" for ruling in ruled for kind in ruling.cards}
    twice = {ruling for ruling in rulings if rulings.count(ruling) > 1}
    return sorted({*rulings} ^ {ruling.id for ruling in title.rulings} | (rows | kinds) - {*there(title)} | twice)


@every_title
def test_each_ruling_says_once_which_questions_and_cards_it_is_about(title: AnyTitle) -> None:
    assert not misplaced(title, [*ruled_in(title).values()])
    assert len(ruled_in(title)) == len(defined(title, "RULED"))


@pytest.mark.parametrize(
    ("ruled", "wrong"),
    [
        (Ruled("bluffing"), ["bluffing"]), (Ruled("limit"), ["limit"]),
        (Ruled("bluffing", asks=("bluff",)), ["bluffing", "row bluff"]),
        (Ruled("bluffing", cards=("joker",)), ["bluffing", "kind joker"]),
    ],
)  # fmt: skip
def test_a_ruling_that_is_unknown_or_about_what_is_not_there_is_found(ruled: Ruled, wrong: list[str]) -> None:
    title = titles()["game-of-kingdoms"]
    assert misplaced(title, [*ruled_in(title).values(), ruled]) == wrong


def test_a_ruling_that_is_left_out_is_found() -> None:
    title = titles()["game-of-kingdoms"]
    assert misplaced(title, [ruled for ruled in ruled_in(title).values() if ruled.id != "limit"]) == ["limit"]


@every_title
def test_hints_are_short(title: AnyTitle) -> None:
    """Hints are shown next to the choices on a phone."""
    for texts in title.texts.values():
        assert not [message for message in texts if message.startswith("hint.") and len(texts[message]) > LONGEST_HINT]


def test_a_row_without_a_hint_and_an_option_of_which_nothing_is_told_are_found() -> None:
    assert {"hint.lead", "how.turn", "how.turn.name", "how.option.version"} <= messages(titles()["game-of-kingdoms"])


@every_title
def test_pictures_belong_to_chapters_and_are_light(title: AnyTitle) -> None:
    pictures = pictures_in(title.package)
    assert {*pictures} <= {chapter.id for chapter in guide_of(title)}
    for shown in pictures.values():
        assert len(shown.content) <= MOST_BYTES
        assert Image.open(BytesIO(shown.content)).size == (shown.width, shown.height)


def test_a_title_may_have_no_pictures() -> None:
    assert pictures_in("ludarium_engine.story") == {}


@pytest.mark.parametrize("content", [b"", b"RIFF", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_what_is_no_lossy_webp_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="WebP"):
        read_picture(content)
