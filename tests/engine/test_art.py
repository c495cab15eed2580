"""The art of titles is shapes alone, and a title without art has none."""

import pytest

from ludarium_engine.art import HEIGHT, MOST_BYTES, WIDTH, art_of, flaws_of
from ludarium_engine.registry import titles

SCENE = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">%s</svg>'


ART = {title.id: art for title in titles().values() if (art := art_of(title.package))}


def test_the_scenes_of_our_titles_have_no_flaw() -> None:
    assert len(ART) >= 5
    assert {name: flaws_of(art.scene) for name, art in ART.items()} == {name: [] for name in ART}


def test_no_two_titles_have_the_same_colour() -> None:
    hues = [art.look.hue for art in ART.values()]
    assert len(set(hues)) == len(hues)


def test_a_package_without_art_has_none() -> None:
    assert art_of("tests.engine.proof") is None


def test_plain_shapes_have_no_flaw() -> None:
    shapes = '<g transform="rotate(3)"><path d="M0 0H9" fill="#123"/></g>'
    assert flaws_of((SCENE % shapes).encode()) == []


@pytest.mark.parametrize("body", [
    "<script>alert(1)</script>", '<path d="M0 0" onclick="alert(1)"/>', "<foreignObject/>", "<style>a{}</style>",
    '<rect fill="url(#a)"/>', '<rect style="fill:red"/>', '<image href="x.png"/>', '<a href="/"/>', '<use href="#a"/>',
    '<rect xmlns="http://www.w3.org/1999/xhtml"/>', '<g xlink:href="x" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
    '<rect fill="URL(//a)"/>', "<!-- a -->", "<?php a?>", "<g>", f'<path d="{"M0 0" * MOST_BYTES}"/>',
])  # fmt: skip
def test_what_is_more_than_shapes_is_a_flaw(body: str) -> None:
    assert flaws_of((SCENE % body).encode()) != []


def test_a_scene_of_another_size_is_a_flaw() -> None:
    assert flaws_of(b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>') != []
