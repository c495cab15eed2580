"""Images of tables show exactly what the audience sees, with names of any kind."""
from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element, fromstring

import msgspec
import pytest
from PIL import Image, ImageChops
from typer.testing import CliRunner, Result

from ludarium.cli import main
from ludarium.records.record import record_of
from ludarium.sharing.pictures import lettering
from ludarium.sharing.pictures.boxes import Box, fitted, text_box
from ludarium.sharing.pictures.drawing import HEIGHT, WIDTH, draw_svg
from ludarium.sharing.pictures.pictures import render_png
from ludarium.sharing.pictures.pieces import PATHS
from ludarium.sharing.pictures.scenes import Scene, scene_of
from ludarium.sharing.studies.schemas import Arrow, Pointed
from ludarium.tables.story import words_of
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import titles
from tests.support.pure_games import Game, player

SVG = "{http://www.w3.org/2000/svg}"
CLIENT = Path(__file__).parents[2] / "clients/web/src"
HOSTILE = "</text><script>alert(1)</script><image href=\"file:///etc/passwd\"/>&\"'\x1b]]>"


def scene(game: Game, audience: int = SPECTATOR, locale: str = "en", names: tuple[str, ...] = ()) -> Scene:
    people = {player(game_name(game), seat): name for seat, name in enumerate(names)}
    return scene_of(game.history, audience, words_of(game.history, locale, people))


def game_name(game: Game) -> str:
    return NAMES[game.history.title.id]


VARIANTS = {"valley-of-the-kings": {"edition": "premium"}}
"""Options for the largest number of seats."""
NAMES = {id_: f"drawn {id_}" for id_ in titles()}


@pytest.fixture(scope="module", params=[*titles()])
def game(request: pytest.FixtureRequest) -> Game:
    title = titles()[request.param]
    return Game(NAMES[title.id], title.id, title.seats[-1], VARIANTS.get(title.id)).start().play(120)


def elements(picture: str) -> list[Element]:
    return [*fromstring(picture).iter()]


def texts(picture: str) -> str:
    return " ".join(each.text or "" for each in elements(picture) if each.tag == f"{SVG}text")


def pixels(picture: str) -> Image.Image:
    with Image.open(io.BytesIO(render_png(picture))) as image:
        return image.convert("RGB")


# --- contents ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("locale", ["en", "es", "hu"])
def test_each_title_is_drawn_for_each_audience_within_its_frame(game: Game, locale: str) -> None:
    for audience in (SPECTATOR, 0, game.history.opened.seats - 1):
        picture = draw_svg(scene(game, audience, locale, names=("Ada",)))
        assert game.history.title.name[locale] in texts(picture) and "Ada" in texts(picture)
        assert {each.tag.removeprefix(SVG) for each in elements(picture)} <= {
            "svg", "title", "g", "rect", "circle", "line", "path", "text"
        }  # fmt: skip
        assert not re.search(r"href|url\(|style=|on[a-z]+=", picture)


def test_it_tells_no_audience_what_it_does_not_see() -> None:
    """Only a seat's own image has the names of its cards, as text or in attributes."""
    game = Game("secret", "game-of-kingdoms", 3).start()
    hand = game.history.playing.hand[0]                              # type: ignore[attr-defined]
    title = game.history.title
    names = {title.texts["en"][f"card.{card.kind}"] for card in title.cards if card.id in hand}
    seen, others = (draw_svg(scene(game, audience)) for audience in (0, 1))
    public = draw_svg(scene(game))
    shown = [name for name in names if all(word in texts(seen) for word in name.split())]
    assert len(shown) == len(names) > 3
    assert sum(name in texts(public) for name in names) <= 1 and sum(name in texts(others) for name in names) < len(names)


def test_names_are_text_whatever_is_in_them() -> None:
    game = Game("drawn game-of-kingdoms", "game-of-kingdoms", 2).start()
    picture = draw_svg(scene(game, names=(HOSTILE, "‮Eve\x00")))
    assert not [each for each in elements(picture) if each.tag.removeprefix(SVG) in ("script", "image")]
    assert "<script" not in picture and "\x1b" not in picture and "\x00" not in picture
    assert "</text><script>" in (fromstring(picture)[0].text or "")
    assert pixels(picture).size == (WIDTH, HEIGHT)


def test_before_the_game_it_shows_who_sits_there() -> None:
    game = Game("drawn game-of-kingdoms", "game-of-kingdoms", 3)
    picture = draw_svg(scene(game, names=("Ada", "Bea")))
    assert all(name in texts(picture) for name in ("Ada", "Bea", "Seat 3"))


def test_at_the_end_it_shows_the_places() -> None:
    game = Game("over", "lights-in-the-fog", 3).start().play()
    ended = game.history.ended
    assert ended is not None and ended.outcome is not None
    assert all(f"{place}." in texts(draw_svg(scene(game))).split() for place in ended.outcome)


# --- arrows of notes --------------------------------------------------------------------------------------------------
def circled(value: int, kind: Literal["card", "seat"] = "card") -> Arrow:
    return Arrow(Pointed(kind, value))


def changed(one: str, other: str) -> tuple[int, int, int, int]:
    """Return the bounding box of the differences as left, top, right and bottom."""
    box = ImageChops.difference(pixels(one), pixels(other)).getbbox()
    assert box is not None
    return box


def test_a_circle_lies_around_its_seat_however_small_that_is_drawn(game: Game) -> None:
    for seat in (0, game.history.opened.seats - 1):
        plain, other = [scene(game, 0, names=(*"." * seat, name)) for name in ("Ada", "Bea")]
        bare = draw_svg(plain)
        around = changed(bare, draw_svg(plain._replace(arrows=[circled(seat, "seat")])))
        width, height = around[2] - around[0], around[3] - around[1]
        name = ImageChops.difference(pixels(bare), pixels(draw_svg(other))).crop(around).getbbox()
        assert name and name[0] > 0 and name[1] > 0 and name[2] < width and name[3] < height
        assert max(width, height) < 300


def test_an_arrow_goes_from_the_middle_of_a_piece_to_that_of_another(game: Game) -> None:
    plain = scene(game, 0)
    bare = draw_svg(plain)
    first, last = [changed(bare, draw_svg(plain._replace(arrows=[circled(seat, "seat")]))) for seat in (0, 1)]
    arrow = Arrow(Pointed("seat", 0), Pointed("seat", 1))
    along = changed(bare, draw_svg(plain._replace(arrows=[arrow])))
    ends = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in (first, last)]
    wanted = [min(x for x, _ in ends), min(y for _, y in ends), max(x for x, _ in ends), max(y for _, y in ends)]
    assert [*along] == pytest.approx(wanted, abs=12)                  # the size of the arrow's head and round end


def test_cards_that_are_seen_are_pointed_at_and_others_are_not() -> None:
    """The place of such a card is not revealed, since the image lacks the arrow."""
    game = Game("pointed", "game-of-kingdoms", 3).start()
    own, theirs = [game.history.playing.hand[seat] for seat in (0, 1)]   # type: ignore[attr-defined]
    plain = scene(game, 0)
    bare = draw_svg(plain)
    assert all(draw_svg(plain._replace(arrows=[circled(card)])) != bare for card in own)
    assert draw_svg(plain._replace(arrows=[circled(card) for card in theirs])) == bare
    assert draw_svg(plain._replace(arrows=[Arrow(Pointed("card", own[0]), Pointed("card", theirs[0]))])) == bare
    hand = Arrow(Pointed("slot", 1, "hand"))                           # the backs of the cards are visible
    assert draw_svg(plain._replace(arrows=[hand])) != bare
    for nowhere in (Pointed("card", 9999), Pointed("seat", 7), Pointed("slot", 99, "hand"), Pointed("slot", 0, "nothing")):
        assert draw_svg(plain._replace(arrows=[Arrow(nowhere)])) == bare


def test_spaces_of_a_map_are_pointed_at() -> None:
    game = Game("mapped", "kemet", 2).start().play(40)
    plain = scene(game)
    zone = game.history.title.boards[0].zone
    circled_slots = [plain._replace(arrows=[Arrow(Pointed("slot", nth, zone))]) for nth in (0, 1)]
    one, other = [changed(draw_svg(plain), draw_svg(scene)) for scene in circled_slots]
    assert one != other


# --- drawing -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("letters", ["ő", "ű", "ñ", "Ő", "¿", "Ж", "Ω"])
def test_words_are_drawn_in_our_own_font(letters: str) -> None:
    """Without a font, nothing would be drawn, and a missing glyph would be a box."""
    sheet = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60" font-family="Noto Sans">'
    frame = sheet + '<rect width="80" height="60" fill="#fff"/><text x="9" y="44" {}>{}</text></svg>'
    blank, missing, *found = [
        pixels(frame.format(f'font-size="40" font-weight="{weight}"', text))
        for weight, text in ((400, ""), (400, "\ue000"), (400, letters), (700, letters))
    ]
    assert all(ImageChops.difference(each, other).getbbox() for each in found for other in (blank, missing))
    assert ImageChops.difference(*found).getbbox()                    # bold differs


def test_every_letter_of_the_catalogues_is_in_the_font() -> None:
    catalogues = [text for title in titles().values() for texts in title.texts.values() for text in texts.values()]
    said = {letter for text in catalogues for letter in lettering.writable(text)} - {" "}
    assert not [letter for letter in said if looks(letter) == looks("\ue000")] and {"ő", "ű", "ñ"} <= said


def looks(letter: str) -> bytes:
    """Return the glyph of a letter, or the box for a missing glyph."""
    return bytes(lettering.font(False).getmask(letter))


def test_words_are_cut_and_broken_to_their_room() -> None:
    assert lettering.shortened("Sarcophagus", 1000, 12) == "Sarcophagus"
    assert lettering.shortened("Sarcophagus", 40, 12).endswith(lettering.ELLIPSIS)
    lines = lettering.wrapped("The Golden Obelisk of Nae", 60, 12, 3)
    assert len(lines) == 3 and all(lettering.text_width(line, 12) <= 60 for line in lines)
    assert lettering.wrapped("", 60, 12, 3) == []


def test_what_is_too_large_is_drawn_smaller() -> None:
    box = fitted(lambda width: Box(width, 9000 / width * 100, text_box("x", 9).draw), 100, 300)
    assert box.width <= 101 and box.height <= 300


def test_the_signs_are_those_of_the_web_client() -> None:
    theirs = dict(re.findall(r'^  (\w+):\s+"([^"]+)",', (CLIENT / "parts/icons.tsx").read_text(), re.MULTILINE))
    assert theirs == PATHS


# --- command line ------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = Game("drawn game-of-kingdoms", "game-of-kingdoms", 2, {"version": "ruthless"}, bot="simple").start().play()
    file = tmp_path_factory.mktemp("pictures") / "game.json"
    file.write_bytes(msgspec.json.encode(record_of(game.history, game.rows, SPECTATOR)))
    return file


def asked(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["picture", *map(str, arguments)])


def test_a_record_becomes_a_picture_or_one_that_moves(record: Path) -> None:
    for kind in ("svg", "png", "gif"):
        assert asked(record, record.with_suffix(f".{kind}"), "--locale", "hu").exit_code == 0
    assert "Kéz" in texts(record.with_suffix(".svg").read_text())
    with Image.open(record.with_suffix(".png")) as image:
        assert image.size == (WIDTH, HEIGHT)
    with Image.open(record.with_suffix(".gif")) as film:
        assert film.size == (WIDTH / 2, HEIGHT / 2) and getattr(film, "n_frames", 1) > 5


@pytest.mark.parametrize("wrong", [("x.svg", "--at", "9999"), ("x.svg", "--as", "2"), ("x.jpeg",)])
def test_what_cannot_be_drawn_is_said(record: Path, wrong: tuple[str, ...]) -> None:
    name, *options = wrong
    assert asked(record, record.parent / name, *options).exit_code == 1 and not (record.parent / name).exists()
