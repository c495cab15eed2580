"""The content of a picture: a table as seen by an audience in a language."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from ludarium.platform.locale import ENGLISH
from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import Box
from ludarium.sharing.studies.schemas import Arrow
from ludarium.tables.model.events import AnyTitle
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import Status
from ludarium.tables.views import viewer_of
from ludarium_engine.kernel.bodies import ViewBody
from ludarium_engine.kernel.describe import describe_view
from ludarium_engine.kernel.drawing import BY_SEAT, Spot
from ludarium_engine.kernel.title import Board, Card
from ludarium_engine.registry import provide
from ludarium_engine.story.words import Words

Piece = tuple[str, int, str | None]
"""A piece as notes name it: `card`, `seat` or `slot`; its number; for a slot, the zone."""


class Place(NamedTuple):
    """A place where a box was drawn: the parent element, and a corner in it."""

    parent: Element
    x: float
    y: float
    box: Box


class Scene(NamedTuple):
    """The content of a table's picture.

    Attributes:
        data: the ruleset's data.
        board: the index of the title's board; -1 for none.
        view: the audience's view; None before the game.
        viewer: the viewer's seat; None for spectators.
        places: each seat's place in a finished game.
        arrows: the arrows of a note.
    """

    ruleset: str
    data: bytes
    board: int
    locale: str
    names: Sequence[str]
    view: ViewBody | None
    viewer: int | None
    status: Status
    places: Sequence[int]
    arrows: Sequence[Arrow]


def scene_of(table: TableState, audience: int, words: Words, arrows: Sequence[Arrow] = ()) -> Scene:
    """Return the scene of a table; `words` include the players' names."""
    state, ended = table.state, table.ended
    return Scene(
        ruleset=table.title.id,
        data=table.title.data,
        board=board_of(table.title, table.opened.seats, table.all_options),
        locale=words.locale,
        names=[*words.names],
        view=None if state is None else describe_view(table.title, state, audience, table.shown(table.version)),
        viewer=viewer_of(audience),
        status=table.status,
        places=[*((ended.outcome if ended else None) or (state.outcome if state else None) or ())],
        arrows=arrows,
    )


def board_of(title: AnyTitle, seats: int, options: Mapping[str, object]) -> int:
    """Return the index of the board that is played on; -1 for none."""
    fitting = (
        nth for nth, board in enumerate(title.boards)
        if board.seats == seats and all(options.get(name) == value for name, value in board.options.items())
    )  # fmt: skip
    return next(fitting, -1)


class Stage:
    """A scene with its title, and lookups for drawing."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.title = provide(scene.ruleset, scene.data)
        self.board: Board | None = self.title.boards[scene.board] if scene.board >= 0 else None
        locale = scene.locale if scene.locale in self.title.texts else ENGLISH
        self.words = Words(self.title, locale, scene.names, self.board.spaces if self.board else ())
        self.cards: dict[int, Card] = {card.id: card for card in self.title.cards}
        self.kinds = {field.name: field.kind for field in self.title.layout.fields}
        self.zones: dict[str, Any] = scene.view.zones if scene.view else {}
        self.pieces: dict[Piece, Place] = {}

    def text(self, id_: str) -> str:
        return self.words.texts.get(id_, id_.rpartition(".")[2].replace("_", " "))

    def zone(self, name: str) -> str:
        return self.text(f"zone.{name}")

    def of(self, zone: str) -> str | None:
        """Return what kind of thing the zone's numbers refer to; None for amounts."""
        return self.title.numbers.get(zone)

    def value_text(self, zone: str, value: int) -> str | None:
        """Return a zone's value as text; None if nothing is set."""
        of = self.of(zone)
        if of is None:
            return str(value)
        if value < 0:
            return None
        if of == "seat":
            return self.words.seat(value)
        if of == "card":
            return self.words.listed([value])
        return self.text(f"{of}{value}") if of.endswith(".") else self.words.slot(of, value)

    def english(self, zone: str, value: int) -> str:
        """Return the English name of a value, by which its colour is looked up."""
        return self.title.texts[ENGLISH].get(f"{self.of(zone)}{value}", "")

    def tint(self, card: Card) -> colours.Tint:
        fact = self.title.face.tint
        return colours.tints(self.title).get(str(card.facts.get(fact)), colours.PLAIN) if fact else colours.PLAIN

    def spots(self, at: str) -> Sequence[Spot]:
        return [spot for spot in self.title.spots if spot.at == at]

    def piece(self, kind: str, value: int, box: Box, zone: str | None = None) -> Box:
        """Return the box, changed to record where the piece is first drawn."""

        def draw(parent: Element, x: float, y: float) -> None:
            self.pieces.setdefault((kind, value, zone), Place(parent, x, y, box))
            box.draw(parent, x, y)

        return box._replace(draw=draw) if box.width else box

    def slot(self, zone: str, index: int, box: Box) -> Box:
        return self.piece("slot", index, box, zone)

    @cached_property
    def roles(self) -> Sequence[Spot]:
        """The zones with one number that names a seat, such as the first player."""
        return [spot for spot in self.spots(BY_SEAT) if self.kinds[spot.zone] == "number"]
