"""Rulesets as the API returns them, made of titles."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from ludarium.api.card_details import CardDetails, card_details
from ludarium.api.ruleset_art import TitleArt, art_body
from ludarium.api.ruleset_options import option_schema, option_seats
from ludarium.http.answers import hash_of
from ludarium.platform.locale import ENGLISH
from ludarium.tables.model.events import AnyTitle
from ludarium_engine.bots import bots
from ludarium_engine.guides import Chapter, Picture, Ruled, chapters_of, guide_of, pictures_in, ruled_in
from ludarium_engine.kernel import title as printed
from ludarium_engine.kernel.drawing import Face, Spot
from ludarium_engine.kernel.folder import translations
from ludarium_engine.kernel.house_values import Extent, HouseValues, counted, counted_by_option, extent_of_title
from ludarium_engine.kernel.scripts import windows
from ludarium_engine.story.letters import letters

Told = TypeVar("Told")


class SeatRange(msgspec.Struct, frozen=True):
    least: int
    most: int


class HouseSummary(msgspec.Struct, frozen=True):
    """How much of the cards and maps is our own and not printed: most effects (`cards`), other values (`values`) or `none`.

    options: the same by option and value, for the cards that the value brings. The ruleset's texts say it as
    `house.<option>.<value>`, for all cards as `house`.
    """

    extent: Extent
    options: dict[str, dict[str, Extent]]


class RulesetSummary(msgspec.Struct, frozen=True):
    """name, about: by locale. version: of the rules and their data. bots: those that can be seated.

    minutes: that a game among people usually takes. weight: how much there is to learn. Null: nobody knows yet. art: null where
    the title has none.
    """

    id: str
    name: dict[str, str]
    about: dict[str, str]
    seats: SeatRange
    version: str
    bots: list[str]
    minutes: int | None
    weight: printed.Weight | None
    house: HouseSummary
    art: TitleArt | None


class Rulesets(msgspec.Struct, frozen=True):
    rulesets: list[RulesetSummary]


class CardBody(msgspec.Struct, frozen=True):
    """A card or tile: its id in zones, its kind, its names by locale, what it does, and its facts.

    text: a message id of the ruleset's texts. icons: names of the ruleset's icons, the foremost first. chapter: the one of the
    guide that explains it; null where none does. house: the values that are our own and not printed: `name`, `effect`, `copies`
    or a fact; the texts name them as `house.field.<name>`. details: the same in words, in the requested language.
    """

    id: int
    kind: str
    name: dict[str, str]
    text: str
    facts: dict[str, Any]
    icons: list[str]
    chapter: str | None
    house: list[str]
    details: CardDetails | UnsetType = UNSET


class Space(msgspec.Struct, frozen=True):
    """A space of a board, known by its index, with its names by locale.

    x, y: where to draw it, in hundredths from the upper left corner.
    """

    id: str
    name: dict[str, str]
    x: float
    y: float
    facts: dict[str, int | str]


class Board(msgspec.Struct, frozen=True):
    """What a client needs to draw a map: the one for so many seats, where the table has these options.

    zone: one that has an entry for each space; arguments of this kind are indices of spaces. areas: beneath the spaces, the
    lowest first; a map that has land is water elsewhere. house: whether the map is our own and not the printed one.
    """

    seats: int
    options: dict[str, bool]
    zone: str
    spaces: list[Space]
    edges: list[printed.Edge]
    areas: list[printed.Area]
    house: bool


class Zone(msgspec.Struct, frozen=True):
    """A field of the game's view: who sees it, and what kind of value it has.

    of: what its numbers are where they are not amounts: `seat`, or a prefix of message ids (`colour.`).
    """

    name: str
    sight: str
    kind: str
    of: str | None


class GuidePicture(msgspec.Struct, frozen=True):
    """href: where it is, a WebP that may be kept for ever. width, height: in pixels."""

    href: str
    width: int
    height: int


class GuideChapter(msgspec.Struct, frozen=True):
    """A part of how the game is played. The texts have it as `how.<id>`, its heading as `how.<id>.name`, and as
    `how.<id>.picture` what its picture shows.

    asks: what it explains of questions: those whose prompt is `prompt.<one>` or begins with `prompt.<one>.`; the texts have a
    hint of each as `hint.<one>`. options: names of those that it explains: by rulings, or by the text `how.option.<name>`.
    """  # noqa: D205  published in the OpenAPI document

    id: str
    asks: list[str]
    options: list[str]
    picture: GuidePicture | None


class Ruling(msgspec.Struct, frozen=True):
    """What is played where the rulebook is silent or unclear, and the option that changes it, if any.

    text: as Accept-Language wants it; the texts have it in each language as `ruling.<id>`. house: our own, in no rulebook.
    basis: what it follows. source: its name, of the rulebook or the answer. why: why there is a ruling, in words `why.<why>`.
    asks: the questions that it is about, as in the guide's chapters. cards: the kinds of cards that it is about.
    """

    id: str
    text: str
    option: str | None
    house: bool
    basis: printed.Basis
    source: str | None
    why: printed.Why | None
    asks: list[str]
    cards: list[str]


class HouseValuesBody(msgspec.Struct, frozen=True):
    """How many kinds of cards have values that are our own: of all cards, and by option and value of those that it brings."""

    all: HouseValues
    options: dict[str, dict[str, HouseValues]]


class Ruleset(RulesetSummary, frozen=True):
    """guide: how it is played, in chapters. options: the JSON Schema of what a table may choose. option_seats: by option and
    value, for how many seats a table with this value can be; only of options that have a few values. windows: scripts that a
    seat may always pass, each by its name or by one made of it (see `passes` of a choice). letters: a mark for each seat that
    no space of a map is called by. icons: by name what an SVG path of 512 by 512 draws (game-icons.net, CC BY 3.0). texts:
    messages by locale and id, in ICU MessageFormat 1.
    """  # noqa: D205  published in the OpenAPI document

    guide: list[GuideChapter]
    options: Annotated[dict[str, Any], Meta(description="JSON Schema")]
    option_seats: dict[str, dict[str, list[int]]]
    rulings: list[Ruling]
    cards: list[CardBody]
    house_values: HouseValuesBody
    zones: list[Zone]
    boards: list[Board]
    spots: list[Spot]
    face: Face
    windows: list[str]
    letters: list[str]
    icons: dict[str, str]
    texts: dict[str, dict[str, str]]


def summary(title: AnyTitle) -> RulesetSummary:
    return RulesetSummary(
        title.id, {**title.name}, about(title), seat_range(title), title.version, sorted(bots(title)), title.minutes,
        title.weight, house_summary(title), art_body(title),
    )  # fmt: skip


def house_summary(title: AnyTitle) -> HouseSummary:
    options = counted_by_option(title.cards, title.cards_of_options)
    extents = {option: {value: found.extent for value, found in values.items()} for option, values in options.items()}
    return HouseSummary(extent_of_title(title), extents)


def about(title: AnyTitle) -> dict[str, str]:
    """Return the description of the title, one sentence, by locale."""
    return {locale: texts["about"] for locale, texts in title.texts.items() if "about" in texts}


def seat_range(title: AnyTitle) -> SeatRange:
    return SeatRange(title.seats.start, title.seats.stop - 1)


def in_one_language(title: AnyTitle, body: Ruleset, locale: str) -> Ruleset:
    numbers = tuple(of for of in title.numbers.values() if of.endswith("."))
    english = {known: text for known, text in title.texts[ENGLISH].items() if known.startswith(numbers)}
    return replace(
        body,
        name=only(body.name, locale),
        about=only(body.about, locale),
        cards=[replace(card, name=only(card.name, locale)) for card in body.cards],
        boards=[replace(board, spaces=[replace(s, name=only(s.name, locale)) for s in board.spaces]) for board in body.boards],
        texts={ENGLISH: english, **only(body.texts, locale)},
    )


def with_details(title: AnyTitle, body: Ruleset, locale: str) -> Ruleset:
    pairs = zip(body.cards, title.cards, strict=True)
    return replace(body, cards=[replace(card, details=card_details(title, known, locale)) for card, known in pairs])


def only(said: dict[str, Told], locale: str) -> dict[str, Told]:
    return {locale: said[locale]}


def described(title: AnyTitle, locale: str = ENGLISH) -> Ruleset:
    guide = guide_of(title)
    chapters = chapters_of(guide)
    return Ruleset(
        id=title.id,
        name={**title.name},
        about=about(title),
        seats=seat_range(title),
        version=title.version,
        bots=sorted(bots(title)),
        minutes=title.minutes,
        weight=title.weight,
        house=house_summary(title),
        art=art_body(title),
        guide=[chapter_body(title, chapter) for chapter in guide],
        options=option_schema(title),
        option_seats=option_seats(title),
        rulings=ruling_bodies(title, locale),
        cards=[card_body(title, card, chapters.get(card.kind)) for card in title.cards],
        house_values=HouseValuesBody(counted(title.cards), counted_by_option(title.cards, title.cards_of_options)),
        zones=[Zone(f.name, f.visibility, f.kind, title.numbers.get(f.name)) for f in title.layout.fields],
        boards=[board_body(title, board) for board in title.boards],
        spots=[*title.spots],
        face=title.face,
        windows=windows(title),
        letters=letters(title),
        icons={**title.icons.paths},
        texts={locale: {**texts} for locale, texts in title.texts.items()},
    )


def ruling_bodies(title: AnyTitle, locale: str) -> list[Ruling]:
    ruled = ruled_in(title)
    return [ruling_body(title, ruling, ruled.get(ruling.id, Ruled(ruling.id)), locale) for ruling in title.rulings]


def ruling_body(title: AnyTitle, ruling: printed.Ruling, ruled: Ruled, locale: str) -> Ruling:
    texts = title.texts[locale]
    source = texts[f"source.{ruling.source}"] if ruling.source else None
    text = texts[f"ruling.{ruling.id}"]
    about = [*ruled.asks], [*ruled.cards]
    return Ruling(ruling.id, text, ruling.option, ruling.house, ruling.follows, source, ruling.why, *about)


def chapter_body(title: AnyTitle, chapter: Chapter) -> GuideChapter:
    picture = pictures_in(title.package).get(chapter.id)
    shown = picture_body(title.id, chapter.id, picture) if picture else None
    return GuideChapter(chapter.id, [*chapter.asks], [*chapter.options], shown)


def picture_body(ruleset_id: str, chapter: str, picture: Picture) -> GuidePicture:
    href = f"/api/v1/rulesets/{ruleset_id}/pictures/{chapter}?digest={hash_of(picture.content)}"
    return GuidePicture(href, picture.width, picture.height)


def card_body(title: AnyTitle, card: printed.Card, chapter: str | None) -> CardBody:
    name = f"card.{card.kind}"
    icons = title.icons.of(card.kind, card.facts, title.face.pictured)
    names = translations(title.texts, name)
    return CardBody(card.id, card.kind, names, f"{name}.text", {**card.facts}, icons, chapter, [*card.house])


def board_body(title: AnyTitle, board: printed.Board) -> Board:
    spaces = [space_body(title, space) for space in board.spaces]
    return Board(board.seats, board.options, board.zone, spaces, board.edges, board.areas, board.house)


def space_body(title: AnyTitle, space: printed.Space) -> Space:
    return Space(space.id, translations(title.texts, f"space.{space.id}"), space.x, space.y, space.facts)
