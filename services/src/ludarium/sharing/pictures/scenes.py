"""What a picture shows: a game as an audience sees it, in a language, with the names of who plays."""
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
"""As notes point at it: `card`, `seat` or `slot`; its number; and of a slot the zone."""


class Place(NamedTuple):
    """Where a box was drawn: into what, and there its corner."""

    parent: Element
    x: float
    y: float
    box: Box


class Scene(NamedTuple):
    """A table at a moment: all that is drawn of it.

    data: of its ruleset. board: which of the title's it is played on, -1: on none. view: None before the game. viewer: whose
    seat looks on, None of spectators. places: of each seat, when it is over. arrows: of the note on it.
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
    """words: with the names of who plays."""
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
    """Which of the title's boards it is played on; -1: on none."""
    fitting = (
        nth for nth, board in enumerate(title.boards)
        if board.seats == seats and all(options.get(name) == value for name, value in board.options.items())
    )  # fmt: skip
    return next(fitting, -1)


class Stage:
    """A scene with its title at hand: what is asked again and again while it is drawn."""

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
        """What its numbers are where they are not amounts."""
        return self.title.numbers.get(zone)

    def said(self, zone: str, value: int) -> str | None:
        """A number that is no amount, in words; None where nothing is set."""
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
        """Colours are known by their English names."""
        return self.title.texts[ENGLISH].get(f"{self.of(zone)}{value}", "")

    def tint(self, card: Card) -> colours.Tint:
        fact = self.title.face.tint
        return colours.tints(self.title).get(str(card.facts.get(fact)), colours.PLAIN) if fact else colours.PLAIN

    def spots(self, at: str) -> Sequence[Spot]:
        return [spot for spot in self.title.spots if spot.at == at]

    def piece(self, kind: str, value: int, box: Box, zone: str | None = None) -> Box:
        """The box, of which is known afterwards where it was drawn: the first one of each piece."""

        def draw(parent: Element, x: float, y: float) -> None:
            self.pieces.setdefault((kind, value, zone), Place(parent, x, y, box))
            box.draw(parent, x, y)

        return box._replace(draw=draw) if box.width else box

    def slot(self, zone: str, index: int, box: Box) -> Box:
        return self.piece("slot", index, box, zone)

    @cached_property
    def roles(self) -> Sequence[Spot]:
        """Zones of one number that names a seat: attacker, first player."""
        return [spot for spot in self.spots(BY_SEAT) if self.kinds[spot.zone] == "number"]
