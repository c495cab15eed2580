"""Describe cards, actions and positions in English for failure messages."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludarium_engine.kernel import Action, Event, State, Title, legal_offers, seats_to_act

AnyTitle = Title[Any, Any]


def named_card(title: AnyTitle, card: int) -> str:
    kinds = {known.id: known.kind for known in title.cards}
    kind = kinds.get(card)
    return f"{card}" if kind is None else f"{card} {title.texts['en'].get(f'card.{kind}', kind)}"


def named_piece(title: AnyTitle, kind: str | None, value: int) -> str:
    match kind:
        case "card":
            return named_card(title, value)
        case "seat":
            return f"seat {value}"
        case "number" | None:
            return str(value)
        case _ if kind.endswith("."):
            return title.texts["en"].get(f"{kind}{value}", f"{kind}{value}")
    return f"{kind}[{value}]"


def named_action(title: AnyTitle, action: Action) -> str:
    """Describe an action, which may have an unknown verb."""
    verb = title.verbs.get(action.verb)
    kinds = [] if verb is None else [*verb.args, *[verb.subset] * (len(action.args) - len(verb.args))]
    pieces = [named_piece(title, kind, value) for kind, value in zip(kinds, action.args, strict=False)]
    return ", ".join([action.verb, *(pieces or map(str, action.args))])


def named_event(title: AnyTitle, event: Event) -> str:
    return f"seat {event.seat}: {named_action(title, event.action)}"


def position(title: AnyTitle, s: State) -> Iterator[str]:
    """Yield lines that describe the zones, the agenda and the current offers."""
    for f in title.layout.fields:
        yield f"  {f.name}: {named_zone(title, f.kind, getattr(s, f.name))}"
    yield from (f"  {f.script}, row {f.row}, seat {f.seat}, picks {[*f.picks]}" for f in s.agenda)
    for seat in seats_to_act(s):
        offers = [named_action(title, Action(offer.verb, offer.args)) for offer in legal_offers(title, s, seat)]
        yield f"  seat {seat} may: {'; '.join(offers)}"


def named_zone(title: AnyTitle, kind: str, value: Any) -> str:
    match kind:
        case "pile":
            return "[" + ", ".join(named_card(title, card) for card in value) + "]"
        case "piles":
            return " ".join(named_zone(title, "pile", pile) for pile in value)
    return str(value)
