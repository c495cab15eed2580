"""Schemas of rulesets in the API, and their conversion from titles."""

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
    """The smallest and the greatest number of seats."""

    least: int
    most: int


class HouseSummary(msgspec.Struct, frozen=True):
    """How much of the cards and maps is our own instead of printed.

    `extent` is `cards` if most effects are our own, `values` if only other values are, and `none` if all values are
    printed. `options` has the extent for the cards that each value of an option adds. The ruleset's texts describe it
    in `house`, and for options in `house.<option>.<value>`.
    """

    extent: Extent
    options: dict[str, dict[str, Extent]]


class RulesetSummary(msgspec.Struct, frozen=True):
    """A game that can be played on this server.

    - `name` and `about` are in each locale.
    - `version` is the version of the rules and their data.
    - `bots` lists the bots that can be seated.
    - `minutes` is the usual length of a game between people, and `weight` the complexity of the rules. Each is null if
      it is unknown.
    - `art` is null if the title has none.
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
    """The rulesets that can be played on this server."""

    rulesets: list[RulesetSummary]


class CardBody(msgspec.Struct, frozen=True):
    """A card or tile of a ruleset.

    - `id` is its number in zones. All copies of a card have the same `kind`.
    - `name` is in each locale. `text` is the message id of its effect.
    - `icons` names icons of the ruleset, most important first.
    - `chapter` is the chapter of the guide that explains the card; null if there is none.
    - `house` lists the values that are our own instead of printed: `name`, `effect`, `copies` or a fact. The texts name
      them in `house.field.<name>`.
    - `details` describes the card in words, in the requested language.
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
    """A space of a board, which others refer to by its index.

    `name` is in each locale. `x` and `y` say where to draw it, in hundredths from the upper left corner.
    """

    id: str
    name: dict[str, str]
    x: float
    y: float
    facts: dict[str, int | str]


class Board(msgspec.Struct, frozen=True):
    """A map for a number of seats and these options of the table.

    - `zone` is a zone with an entry for each space. Arguments that refer to it are indices of spaces.
    - `areas` are drawn below the spaces, the lowest first. On a map with land, the rest is water.
    - `house` says whether the map is our own instead of the printed one.
    """

    seats: int
    options: dict[str, bool]
    zone: str
    spaces: list[Space]
    edges: list[printed.Edge]
    areas: list[printed.Area]
    house: bool


class Zone(msgspec.Struct, frozen=True):
    """A field of the game's view, with its visibility and the kind of its values.

    `of` says what its numbers stand for, if they are not amounts: `seat`, or a prefix of message ids such as `colour.`.
    """

    name: str
    sight: str
    kind: str
    of: str | None


class GuidePicture(msgspec.Struct, frozen=True):
    """A picture of the guide.

    `href` is its address, a WebP image that can be cached permanently. `width` and `height` are in pixels.
    """

    href: str
    width: int
    height: int


class GuideChapter(msgspec.Struct, frozen=True):
    """A chapter of the guide for new players.

    The texts have its body in `how.<id>`, its heading in `how.<id>.name`, and a description of its picture in
    `how.<id>.picture`.

    - `asks` lists the questions that it explains. An entry `x` stands for the prompt `prompt.x` and for all that begin
      with `prompt.x.`; the texts have a hint for it in `hint.x`.
    - `options` lists the options that it explains, by rulings or in the text `how.option.<name>`.
    """

    id: str
    asks: list[str]
    options: list[str]
    picture: GuidePicture | None


class Ruling(msgspec.Struct, frozen=True):
    """How a game is played here where the rulebook is silent or unclear.

    - `text` is in the language of Accept-Language. The texts have it in every language in `ruling.<id>`.
    - `option` is the option that changes the ruling; null if there is none.
    - `house` means that the ruling is our own and not from any rulebook.
    - `basis` is what the ruling follows, and `source` the name of the rulebook or answer.
    - `why` is the reason for the ruling; the texts have it in `why.<why>`.
    - `asks` and `cards` list the questions and the kinds of cards that it is about. `asks` is as in the chapters of the
      guide.
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
    """How many kinds of cards have values that are our own instead of printed.

    `all` counts all cards. `options` counts the cards that each value of an option adds.
    """

    all: HouseValues
    options: dict[str, dict[str, HouseValues]]


class Ruleset(RulesetSummary, frozen=True):
    """A ruleset with everything that a client needs to show a game.

    - `guide` explains the game in chapters.
    - `options` is the JSON Schema of the options of a table.
    - `option_seats` has the numbers of seats that each value of an option allows, for options with a fixed set of
      values.
    - `windows` lists scripts that a seat can always pass, by name or by a name derived from it (see `passes` of a
      choice).
    - `letters` has a letter for each seat. No space of a map has one of these letters as its name.
    - `icons` maps names to SVG paths of 512 by 512 units (game-icons.net, CC BY 3.0).
    - `texts` has the messages by locale and id, in ICU MessageFormat 1.
    """

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
    """Return the title's description in one sentence, by locale."""
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
