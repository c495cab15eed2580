"""Pictures on cards: which icon stands for what, and how it is drawn, from the folder `icons` of a title.

`names.json` is written by hand: a kind of card, or a word that is printed on cards, and the icon's name at game-icons.net.
`paths.json` is made of it by `make icons`: by name what an SVG path of 512 by 512 draws. No rule reads them.
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import msgspec


class Icons(msgspec.Struct, frozen=True):
    names: Mapping[str, str] = {}
    paths: Mapping[str, str] = {}

    def of(self, kind: str, facts: Mapping[str, Any], pictured: Iterable[str]) -> list[str]:
        """The icon of the kind of card; without one those of the words printed on it, if they have any."""
        words = [kind] if kind in self.names else [str(facts[fact]) for fact in pictured if fact in facts]
        return [*dict.fromkeys(self.names[word] for word in words if word in self.names)]


def icons_of(package: str) -> Icons:
    folder = files(package).joinpath("icons")
    if not folder.is_dir():
        return Icons()
    return Icons(*[json.loads(folder.joinpath(f"{name}.json").read_bytes()) for name in ("names", "paths")])
