"""Add `text` to decoded views, events and answers, in one language.

Only clients that ask for a language are sent these documents. Events are stored, hashed and published without texts.

See docs/decisions/135.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET

from ludarium.platform.locale import policy_texts
from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.story.formatting import Argument, formatted
from ludarium_engine.story.words import Words

Json = dict[str, Any]
NOTHING: Json = {}


class TextFields:
    """Adds the texts of one table, with the names of its players."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def answer(self, answer: Json) -> None:
        """Add texts to the answer to a command: to its events and its view."""
        for event in answer.get("events", ()):
            self.event(event)
        self.view(answer.get("view") or NOTHING)

    def page(self, page: Json) -> None:
        """Add texts to a page of events."""
        for event in page["events"]:
            self.event(event)

    def event(self, event: Json) -> None:
        data = event.get("data") or NOTHING
        self.messages([*data.get("facts", ()), *data.get("story", ())])
        self.view(data.get("view") or NOTHING)
        self.view(data.get("change") or NOTHING)
        if "policies" in data:
            self.policies(data)

    def policies(self, body: Json) -> None:
        """Add the texts of a table's policies, by setting."""
        body["policy_texts"] = {setting: self.policy(setting, value) for setting, value in settings_of(body["policies"])}

    def policy(self, setting: str, value: str) -> str:
        """Return the text of a setting. For a clock, the value is followed by the arguments of its text."""
        kind, *arguments = value.split()
        text = policy_texts(self.words.locale)[f"{setting}.{kind}"]
        return formatted(self.words.locale, text, [*map(argument_of, arguments)])

    def view(self, view: Json) -> None:
        """Add texts to a view, or to the changes of one."""
        game = view.get("view") or view
        self.pieces((game.get("focus") or NOTHING).get("pieces", ()))
        if choice := view.get("choice"):
            self.choice(choice)

    def choice(self, choice: Json) -> None:
        self.message(choice["prompt"])
        for offer in choice["offers"]:
            self.message(offer["label"])
            self.pieces(offer["touches"])
            if subset := offer["subset"]:
                subset["texts"] = [self.member(subset["kind"], member) for member in subset["pool"]]
        labels = {offer["id"]: offer["label"]["text"] for offer in choice["offers"]}
        for group in choice["groups"]:
            self.group(group, labels)

    def group(self, group: Json, labels: dict[str, str]) -> None:
        if piece := group["piece"]:
            self.pieces([piece])
        label = labels[group["offers"][0][0]]
        group["text"] = piece["text"] if piece and len(group["offers"]) > 1 else label

    def messages(self, bodies: Iterable[Json]) -> None:
        """Add texts to the messages of facts and of lines of the game log."""
        for body in bodies:
            if message := body.get("message"):
                self.message(message)

    def message(self, message: Json) -> None:
        message["text"] = self.words.message(Message(message["id"], [*map(piece_of, message["params"])]))

    def pieces(self, pieces: Iterable[Json]) -> None:
        for piece in pieces:
            piece["text"] = self.words.argument(piece_of(piece)).text

    def member(self, kind: str, member: int) -> str:
        """Return the name of a subset's member. Kinds that end with a dot are prefixes of message ids."""
        if kind.endswith("."):
            return self.words.argument(Piece("text", f"{kind}{member}")).text
        return self.words.argument(Piece("card" if kind == "card" else "seat" if kind == "seat" else "number", member)).text


def settings_of(policies: Json) -> Iterator[tuple[str, str]]:
    """Yield the settings that have texts, with their values."""
    yield "join", policies["join"]
    yield "spectators", policies["spectators"]["who"]
    yield "undo", policies["undo"]
    yield "chat", policies["chat"]
    if policies["clock"]:
        yield "absence", policies["absence"]["remedy"]
    yield "clock", clock_of(policies["clock"])
    for setting in "rated", "auto_start", "substitutes", "branches":
        yield setting, "true" if policies[setting] else "false"
    yield "order", policies["order"]


def clock_of(clock: Json | None) -> str:
    """Return the kind of a clock, followed by the numbers that its text contains."""
    match clock:
        case None:
            return "none"
        case {"type": "live", "bank": bank, "increment": increment}:
            return f"live {bank // 60}:{bank % 60:02} {increment}"
        case _:
            return f"{clock['type']} {clock['days']}"


def argument_of(text: str) -> Argument:
    return Argument(text, int(text) if text.isdecimal() else 0)


def piece_of(piece: Json) -> Piece:
    return Piece(piece["kind"], piece["value"], piece.get("zone", UNSET))
