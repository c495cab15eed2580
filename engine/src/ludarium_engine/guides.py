"""Read the guide for new players, which a title defines as `GUIDE` in its module `guide`.

The rules do not use the guide. A chapter has its heading in the text `how.<id>.name` and its body in `how.<id>`. Each chapter
lists the prompts, kinds of cards and options that it explains. Every prompt has a hint in the text `hint.<prompt>`; an option
is described by a ruling or by the text `how.option.<name>`. A chapter may have a picture, `pictures/<id>.webp` in the title's
folder, described by `how.<id>.picture`.

`RULED` in the same module says which prompts and kinds of cards each ruling is about. See docs/decisions/140.
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

SIZE_AT, SIDE = 26, 0x3FFF                      # RFC 9649, 2.5: width and height, little-endian with 14 bits each


class Chapter(msgspec.Struct, frozen=True):
    """A chapter of a guide: its id, and the rows, cards and options it explains."""

    id: str
    asks: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class Ruled(msgspec.Struct, frozen=True):
    """A ruling, by its id, with the rows and the kinds of cards that it is about.

    The ruling itself names its option. A ruling about the whole game, such as its set-up, has neither rows nor cards.
    """

    id: str
    asks: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


class Picture(msgspec.Struct, frozen=True):
    """A lossy WebP image, with its width and height in pixels."""

    content: bytes
    width: int
    height: int


def guide_of(title: Title[Any, Any]) -> Sequence[Chapter]:
    """Return the chapters of a title's guide, or () if the title has no guide."""
    told: Sequence[Chapter] = defined(title, "GUIDE")
    return told


def ruled_in(title: Title[Any, Any]) -> Mapping[str, Ruled]:
    """Map the rulings of a title, by their ids, to what they are about."""
    ruled: Sequence[Ruled] = defined(title, "RULED")
    return {ruling.id: ruling for ruling in ruled}


def defined(title: Title[Any, Any], name: str) -> Any:
    """Return what a title's guide defines by a name, or () if there is none."""
    module = f"{title.package}.guide"
    return getattr(import_module(module), name, ()) if find_spec(module) else ()


def chapters_of(guide: Sequence[Chapter]) -> Mapping[str, str]:
    """Map each kind of card to the id of the chapter that explains it."""
    return {kind: chapter.id for chapter in guide for kind in chapter.cards}


@cache
def pictures_in(package: str) -> Mapping[str, Picture]:
    """Return the pictures in a title's package, keyed by chapter id.

    Raises:
        ValueError: a file is not lossy WebP.
    """
    folder = files(package) / "pictures"
    found = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    return {file.name.removesuffix(".webp"): read_picture(file.read_bytes()) for file in found if file.name.endswith(".webp")}


def read_picture(content: bytes) -> Picture:
    """Create a picture from the content of its file, whose header has the size.

    Raises:
        ValueError: the content is not lossy WebP.
    """
    if content[:4] != b"RIFF" or content[8:16] != b"WEBPVP8 ":
        raise ValueError("no lossy WebP")
    width, height = (int.from_bytes(content[at : at + 2], "little") & SIDE for at in (SIZE_AT, SIZE_AT + 2))
    return Picture(content, width, height)
