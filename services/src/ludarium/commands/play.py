"""`ludarium play`: a game in the terminal, over the public API."""
from __future__ import annotations

import json
import logging
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console
from rich.markup import escape

from ludarium.commands.board import Json, TextBoard
from ludarium.commands.running import fail
from ludarium_engine.story.formatting import Argument, formatted

SERVER = "http://localhost:8000"
console = Console(highlight=False)


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    ruleset: Annotated[str, typer.Argument(help="The game to play.")] = "game-of-kingdoms",
    bots: Annotated[str, typer.Option(help="The other seats, separated by commas.")] = "simple,simple",
    option: Annotated[list[str] | None, typer.Option(help="name=value, in JSON or as text; may be repeated.")] = None,
    server: Annotated[str, typer.Option(help="Address of the running server.")] = SERVER,
) -> None:
    """Play against bots in the terminal. Needs a running server (make serve)."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        with httpx.Client(base_url=f"{server}/api/v1", timeout=30) as api:
            Game(api, ruleset).play(bots.split(","), dict(parse_option(word) for word in option or []))
    except httpx.TransportError as error:
        fail(f"No server at {server} ({error}); start one with make serve.")


def parse_option(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def ask_index(count: int) -> int:
    """Ask for a number from 1 to `count`, and return the index from 0."""
    while not 1 <= (nth := typer.prompt("Which", type=int)) <= count:
        console.print(f"1 to {count}, please")
    return int(nth) - 1


def ask_numbers(count: int, least: int, most: int) -> list[int]:
    """Ask for `least` to `most` different numbers from 1 to `count`."""
    while True:
        words = typer.prompt(f"Which of them ({least} to {most}, separated by spaces)", default="", show_default=False).split()
        found = [int(word) for word in words if word.isdecimal() and 1 <= int(word) <= count]
        if len(words) == len({*found}) and least <= len(words) <= most:
            return found
        console.print(f"{least} to {most} of the numbers from 1 to {count}, please")


def plural_number(piece: Json) -> int:
    """Return the number that selects the plural form of a text."""
    return int(piece["value"]) if piece["kind"] == "number" else 0


def matching_boards(boards: list[Json], seats: int, options: Json) -> list[Json]:
    """Return a list with the board for this game, empty if there is none."""
    def fits(board: Json) -> bool:
        return bool(board["seats"] == seats and all(options.get(name, False) == on for name, on in board["options"].items()))
    return [board for board in boards if fits(board)][:1]


class Game:
    """A table, played from the seat of the user at this terminal."""

    def __init__(self, api: httpx.Client, ruleset: str) -> None:
        self.api = api
        self.rules = self.get(f"/rulesets/{ruleset}")
        self.board = TextBoard(self.rules)
        self.texts, self.cards = self.board.texts, self.board.cards
        self.spaces: dict[str, list[str]] = {}              # by the zone that has an entry for each

    def play(self, bots: list[str], options: Json) -> None:
        guest = self.post("/guests", {"name": "Terminal"})
        self.api.headers["authorization"] = f"Bearer {guest['token']}"
        body = {"ruleset": self.rules["id"], "seats": 1 + len(bots), "options": options}
        for board in matching_boards(self.rules["boards"], 1 + len(bots), options):
            self.spaces[board["zone"]] = [self.texts[f"space.{space['id']}"] for space in board["spaces"]]
        path = f"/tables/{self.post('/tables', body)['id']}"
        self.post(f"{path}/seats", {})
        for bot in bots:
            self.post(f"{path}/seats", {"bot": bot})
        self.post(f"{path}/start", {})
        self.turns(path)

    def turns(self, path: str) -> None:
        """Print events and ask for moves until the game is over."""
        printed = -1
        while True:
            printed = self.print_news(path, printed)
            view = self.get(f"{path}/view")
            if view["status"] == "over":
                return console.print(f"[bold]Over.[/] Places: {view['view']['outcome']}")
            if view["choice"]:
                self.answer(path, view)

    def print_news(self, path: str, after: int) -> int:
        """Print the events after version `after`, and return the last version printed."""
        story = self.get(f"{path}/story?after={after}&locale=en")
        for line in story["lines"]:
            text = escape(line["text"])             # names are untrusted
            console.print(f"[bold]{text}[/]" if line["begins"] else f"[dim]{line['seq']:4}[/] {text}")
        return int(story["seq"])

    def answer(self, path: str, view: Json) -> None:
        console.print(self.board.table(view["view"]["zones"]))
        choice = view["choice"]
        console.print(f"[bold]{self.text(choice['prompt'])}[/]")
        for nth, offer in enumerate(choice["offers"], 1):
            console.print(f"  {nth}. {self.label(offer)}")
        offer = choice["offers"][ask_index(len(choice["offers"]))]
        action = {"id": offer["id"], "subset": self.subset(offer["subset"]) if offer["subset"] else []}
        answer = self.api.post(f"{path}/commands", json={"expected_seq": view["seq"], "action": action})
        if answer.is_error:                     # the next turn asks again
            console.print(f"[red]{answer.json()['title']}.[/]")

    def subset(self, subset: Json) -> list[int]:
        """Ask which pieces to choose, unless all must be taken."""
        pool: list[int] = subset["pool"]
        if subset["least"] == len(pool):
            return pool
        for nth, piece in enumerate(pool, 1):
            console.print(f"     {nth}. {self.cards.get(piece, piece)}")
        return [pool[nth - 1] for nth in ask_numbers(len(pool), subset["least"], subset["most"])]

    # --- words --------------------------------------------------------------------------------------------------------
    def label(self, offer: Json) -> str:
        pool = offer["subset"]["pool"] if offer["subset"] else []
        return self.text(offer["label"]) + (f" ({', '.join(self.cards.get(c, str(c)) for c in pool)})" if pool else "")

    def text(self, message: Json) -> str:
        arguments = [Argument(self.piece(piece), plural_number(piece)) for piece in message["params"]]
        return formatted(self.board.locale, self.texts.get(message["id"]) or str(message["id"]), arguments)

    def piece(self, piece: Json) -> str:
        match piece["kind"]:
            case "card":
                return str(self.cards.get(piece["value"], "a card"))
            case "text":
                return str(self.texts.get(piece["value"], piece["value"]))
            case "seat":
                return f"seat {piece['value']}"
            case "slot" if piece["zone"] in self.spaces:
                return self.spaces[piece["zone"]][piece["value"]]
            case _:
                return str(piece["value"])

    # --- the API ------------------------------------------------------------------------------------------------------
    def get(self, path: str) -> Any:
        return self.checked(self.api.get(path))

    def post(self, path: str, body: Json) -> Any:
        return self.checked(self.api.post(path, json=body))

    def checked(self, answer: httpx.Response) -> Any:
        if answer.is_error:
            problem = answer.json()
            fail(f"{problem['title']}. {problem.get('detail', '')}")
        return answer.json()
