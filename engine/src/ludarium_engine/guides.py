"""How a title is played, told to who learns it: `GUIDE` of its module `guide`. No rule reads any of this.

A chapter's heading is the text `how.<id>.name`, what it tells `how.<id>`. It names what else it explains: rows that ask, each
with a hint in the texts (`hint.<row>`), kinds of cards, and options, of which a ruling tells, or else `how.option.<name>`. Its
picture, if it has one, is `pictures/<id>.webp` in the title's folder, and `how.<id>.picture` says what is seen there.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import msgspec

from ludarium_engine.kernel import Title

SIZE_AT, SIDE = 26, 0x3FFF                      # RFC 9649, 2.5: width and height in 14 bits each, the lower byte first


class Chapter(msgspec.Struct, frozen=True):
    """asks: rows of scripts, by name. cards: kinds. options: names of them."""

    id: str
    asks: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class Picture(msgspec.Struct, frozen=True):
    """content: lossy WebP. width, height: in pixels."""

    content: bytes
    width: int
    height: int


def guide_of(title: Title[Any, Any]) -> Sequence[Chapter]:
    """Nothing of a title without one."""
    name = f"{title.package}.guide"
    told: Sequence[Chapter] = import_module(name).GUIDE if find_spec(name) else ()
    return told


def chapters_of(guide: Sequence[Chapter]) -> Mapping[str, str]:
    """By kind of card the chapter that explains it."""
    return {kind: chapter.id for chapter in guide for kind in chapter.cards}


@cache
def pictures_in(package: str) -> Mapping[str, Picture]:
    """Of a title, by the chapter that each belongs to. Raises ValueError of a file that is no lossy WebP."""
    folder = files(package) / "pictures"
    found = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    return {file.name.removesuffix(".webp"): read_picture(file.read_bytes()) for file in found if file.name.endswith(".webp")}


def read_picture(content: bytes) -> Picture:
    """Raises ValueError."""
    if content[:4] != b"RIFF" or content[8:16] != b"WEBPVP8 ":
        raise ValueError("no lossy WebP")
    width, height = (int.from_bytes(content[at : at + 2], "little") & SIDE for at in (SIZE_AT, SIZE_AT + 2))
    return Picture(content, width, height)
