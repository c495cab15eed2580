"""Describe views, choices and facts with names, not numbers, for the API.

This module applies no rules. Views are cached. Facts name the zones that they change, so only these zones are encoded again.
The view of a seat consists of the spectators' zones, encoded once for all audiences, and of the zones that show more to this
seat.

See docs/decisions/053.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType, json

from ludarium_engine.kernel import bodies
from ludarium_engine.kernel.bodies import OfferBody, Piece
from ludarium_engine.kernel.choices import CARD, NUMBER, Action, Illegal, Offer, Phrase
from ludarium_engine.kernel.contract import asking_row, legal_offers, seats_to_act, view
from ludarium_engine.kernel.facts import EVERYBODY, Admitted, AnyFact, Event, Told, written_fields
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import is_window, pass_names_of
from ludarium_engine.kernel.slots import ENTRY_KINDS, SPECTATOR, Frame, State, entry_index, field_number
from ludarium_engine.kernel.title import Title

AnyTitle = Title[Any, Any]
encode = json.Encoder().encode
T = TypeVar("T")


def describe_view(title: AnyTitle, s: State, audience: int, layout: Layout | None = None) -> bodies.ViewBody:
    """Describe the state as a seat or the spectators may see it.

    Args:
        title: the title of the game.
        s: the state.
        audience: a seat, or SPECTATOR.
        layout: the layout by which the state is masked, in place of the title's own.
    """
    seen = view(title, s, audience, layout)
    zones = {f.name: getattr(seen, f.name) for f in title.layout.fields}
    zones |= {name: copied(zones[name]) for name, copied in title.layout.mutable_fields.values()}
    return view_body(title, s, seen, describe_frames(title, s, seen), zones)


def view_body(title: AnyTitle, s: State, seen: State, frames: list[bodies.FrameBody], zones: dict[str, Any]) -> bodies.ViewBody:
    """Build the body of a view.

    Args:
        title: the title of the game.
        s: the whole state.
        seen: the state as the audience may see it; the focus is computed from this, so that it discloses nothing.
        frames: the described agenda.
        zones: the zones by name, masked for the audience.
    """
    outcome, windows = None if s.outcome is None else [*s.outcome], [window for _, window in seen.always_passes]
    focus, (scores, sources) = title.focus(seen) if seen.agenda else None, describe_scores(title, s)
    return bodies.ViewBody(s.turn, outcome, [*seats_to_act(s)], frames, zones, windows, scores, focus, sources)


def describe_scores(title: AnyTitle, s: State) -> tuple[list[dict[str, int]], list[dict[str, list[bodies.Source]]] | UnsetType]:
    """Return the points of each seat by category, and the cards that brought them.

    Both are empty until the game is over.
    """
    if s.outcome is None:
        return [], UNSET
    scores, sources = [{**parts} for parts in title.scores(s)], [{**parts} for parts in title.sources(s)]
    return scores, sources if scores and any(sources) else UNSET


def describe_frames(title: AnyTitle, s: State, seen: State) -> list[bodies.FrameBody]:
    """Describe the agenda of a masked state; `s` is the whole state."""
    return [describe_frame(title, f, whole) for f, whole in zip(seen.agenda, s.agenda, strict=True)]


def describe_frame(title: AnyTitle, f: Frame, whole: Frame) -> bodies.FrameBody:
    """Describe a frame.

    The description says which seats have sealed an answer, but not the answers.
    """
    picks = title.scripts[f.script].picks
    shown = {pick.name: value for pick, value in zip(picks, f.picks, strict=True) if pick.shown}
    return bodies.FrameBody(f.script, f.seat, [*f.asked], shown, [seat for seat, _ in whole.sealed])


class CachedZones:
    """Cached zones as one audience sees them.

    Attributes:
        stale: the fields to encode again.
        masked: the values of zones that are masked for some audience, by name.
        encoded: all zones as JSON, by name.
    """

    def __init__(self, fields: Iterable[int]) -> None:
        self.stale = {*fields}
        self.masked: dict[str, Any] = {}
        self.encoded: dict[str, Raw] = {}

    def refreshed(self, layout: Layout, s: State, audience: int) -> CachedZones:
        """Encode the stale zones again and return the cache itself."""
        for n in sorted(self.stale):
            name, value = layout.fields[n].name, layout.zone(s, n, audience)
            self.encoded[name] = Raw(encode(value))
            if name in layout.masked_fields:
                self.masked[name] = value
        self.stale.clear()
        return self


class ViewCache:
    """Cached views of one game under one layout.

    Call `invalidate` with every event.

    Attributes:
        was_veiled: whether a zone has ever been veiled for a seat.
    """

    def __init__(self, title: AnyTitle, layout: Layout) -> None:
        self.title, self.layout = title, layout
        self.own_fields = {n for n, f in enumerate(layout.fields) if f.kind in ENTRY_KINDS and len({*layout.depths[n]}) > 1}
        self.own_fields |= layout.groups.keys()
        self.zones = {SPECTATOR: CachedZones(range(len(layout.fields)))}             # for a seat, the zones that show it more
        self.frames: list[bodies.FrameBody] | None = None
        self.was_veiled = False

    def invalidate(self, s: State, facts: Iterable[AnyFact]) -> None:
        """Mark the zones that these facts change as stale.

        Args:
            s: the state after the facts.
            facts: the facts of an event, not redacted.
        """
        fields = written_fields(facts)
        for audience, sight in self.zones.items():
            sight.stale |= fields if audience == SPECTATOR else fields & self.own_fields
        self.frames = None
        self.was_veiled = self.was_veiled or any(self.title.veiled(s, seat) for seat in range(s.seats))

    def view(self, s: State, audience: int) -> bodies.ViewBody:
        """Return the same view as `describe_view`, with its zones already encoded as JSON."""
        if audience not in self.zones:
            self.zones[audience] = CachedZones(self.own_fields)
        common, own = (self.zones[a].refreshed(self.layout, s, a) for a in (SPECTATOR, audience))
        veiled = self.title.veiled(s, audience)
        seen = self.layout.masked_view(s, audience, common.masked | without_names(veiled, own.masked))
        if self.frames is None:                   # described frames are the same for all audiences
            self.frames = describe_frames(self.title, s, seen)
        return view_body(self.title, s, seen, self.frames, common.encoded | without_names(veiled, own.encoded))


def without_names(veiled: Collection[str], zones: dict[str, T]) -> dict[str, T]:
    return {name: zone for name, zone in zones.items() if name not in veiled} if veiled else zones


def describe_choice(title: AnyTitle, s: State, seat: int, offers: Sequence[Offer] | None = None) -> bodies.ChoiceBody | None:
    """Describe the question that a seat is asked; None if it is not asked.

    Args:
        title: the title of the game.
        s: the state.
        seat: the seat.
        offers: what the seat is offered, if the caller knows it.
    """
    offers = legal_offers(title, s, seat) if offers is None else offers
    if not offers:
        return None
    described = [describe_offer(title, s, seat, offer) for offer in offers]
    passes = pass_names_of(title, s.agenda[-1]) if is_window(asking_row(title, s.agenda[-1])) else []
    return bodies.ChoiceBody(prompt(title, s, seat), described, passes)


def prompt(title: AnyTitle, s: State, seat: int) -> bodies.Message:
    """Return the prompt of the current question to a seat.

    The result is the title's own prompt for this row, or `prompt.<row>`.
    """
    row = asking_row(title, s.agenda[-1]).name
    asks = title.prompts.get(row)
    return phrase_message(title, s, asks(s, s.agenda[-1], seat)) if asks else bodies.Message(f"prompt.{row}")


def describe_offer(title: AnyTitle, s: State, seat: int, offer: Offer) -> bodies.OfferBody:
    verb = title.verbs[offer.verb]
    pieces = [piece(kind, value) for kind, value in zip(verb.args, offer.args, strict=True)]
    touches = [p for p in pieces if p.kind not in ("number", "text")]
    subset = subset_of(verb.subset or NUMBER, offer) if offer.pool else None
    return bodies.OfferBody(offer.id, offer.verb, [*offer.args], label(title, s, seat, offer), touches, subset)


def subset_of(kind: str, offer: Offer) -> bodies.Subset:
    """Describe the subset of an offer, with `most` limited to what the pool is worth."""
    most = min(offer.most, sum(offer.worth) if offer.worth else len(offer.pool))
    return bodies.Subset(kind, [*offer.pool], [*offer.worth], offer.least, most)


def label(title: AnyTitle, s: State, seat: int, offer: Offer) -> bodies.Message:
    """Return the label of an offer.

    The result is the title's own label for the verb, or `verb.<verb>` with the arguments.
    """
    labels = title.labels.get(offer.verb)
    if labels:
        return phrase_message(title, s, labels(s, s.agenda[-1], seat, *offer.args))
    return message(title, s, f"verb.{offer.verb}", title.verbs[offer.verb].args, offer.args)


def phrase_message(title: AnyTitle, s: State, phrase: Phrase) -> bodies.Message:
    return message(title, s, phrase.id, title.phrases[phrase.id], phrase.args)


def message(title: AnyTitle, s: State, of: str, kinds: Sequence[str], args: Sequence[int]) -> bodies.Message:
    """Build the message with id `of` from parameters and their kinds."""
    return bodies.Message(of, [piece_or_card(title.layout, s, kind, value) for kind, value in zip(kinds, args, strict=True)])


@lru_cache(maxsize=8192)
def piece(kind: str, value: int) -> bodies.Piece:
    """Describe a card, a seat, a number, a text or an entry of a zone."""
    match kind:
        case "card" | "seat" | "number":
            return bodies.Piece(kind, value)
    return bodies.Piece("text", f"{kind}{value}") if kind.endswith(".") else bodies.Piece("slot", value, kind)


def piece_or_card(layout: Layout, s: State, kind: str, value: int) -> bodies.Piece:
    """Describe a value like `piece`, but name a slot that holds one card by that card."""
    if kind not in layout.card_fields:
        return piece(kind, value)
    there = getattr(s, kind)[value]
    cards = [there] if isinstance(there, int) else there
    return bodies.Piece("card", cards[0]) if cards and len(cards) == 1 else piece(kind, value)


def action_of(offer_id: str, subset: Sequence[int] = ()) -> Action:
    """Parse the id of an offer that a client sends, and append the chosen subset.

    Raises:
        Illegal: the id is malformed.
    """
    verb, *args = offer_id.split(":")
    if not all(a.isascii() and a.removeprefix("-").isdigit() and len(a) < 10 for a in args):
        raise Illegal(offer_id)
    return Action(verb, (*map(int, args), *subset))


def describe_facts(title: AnyTitle, event: Event) -> list[bodies.FactBody]:
    """Describe the facts of a redacted event, without agendas and sentences."""
    return [body for fact in event.facts if (body := describe_fact(title, fact)) is not None]


@lru_cache(maxsize=1 << 12)
def describe_fact(title: AnyTitle, fact: AnyFact) -> bodies.FactBody | None:
    """Describe a redacted fact; None for agendas and sentences.

    Results are cached, because most facts recur.
    """
    body = bodies.BODIES.get(type(fact))
    return body and body(*[describe_field(title, fact, name) for name in body.__struct_fields__])


def describe_field(title: AnyTitle, fact: Any, name: str) -> Any:
    """Return the value of a field of the described fact."""
    if name == "message":
        return message_of(title, fact)
    value = getattr(fact, name)
    if bodies.IN_WORDS.get(name) is bodies.SlotBody:
        index = entry_index(value)
        return bodies.SlotBody(title.layout.fields[field_number(value)].name, UNSET if index < 0 else index)
    return None if name == "to" and value == EVERYBODY else value


def message_of(title: AnyTitle, fact: Told | Admitted) -> bodies.Message:
    """Return the message of a disclosure or a disclosed answer."""
    if isinstance(fact, Told):
        of, kinds = f"told.{fact.what}", title.disclosures[fact.what]
    else:
        _, kinds, words, *_ = title.predicates[fact.what]
        of = f"admit.{fact.what}.{words[fact.answer]}"
    return bodies.Message(of, [piece(kind, value) for kind, value in zip(kinds, fact.args, strict=True)])


# --- offers grouped for clients: by verb and piece, equal cards as one offer with a count -----------------------------------
class OfferGroup(msgspec.Struct, frozen=True):
    """Offers with the same verb that touch the same piece first.

    `piece` is null if the offers touch no piece. `offers` contains lists of offer ids. The offers in one list have the
    same effect, on equal cards in the same pile: show one of them, with their number. `text`, in the requested
    language, is the label of the only list, or a heading for several lists.
    """

    verb: str
    piece: Piece | None
    offers: list[list[str]]
    text: str | UnsetType = UNSET


def grouped(title: AnyTitle, s: State, offers: Sequence[OfferBody]) -> list[OfferGroup]:
    """Group offers for clients, in the order of the offers."""
    equal = equals(title, s, {card for offer in offers for card in cards_of(title, offer)})
    groups: dict[object, dict[object, list[OfferBody]]] = {}
    for offer in offers:
        first = [equal.get(p.value, p.value) if p.kind == CARD else p for p in offer.touches[:1]]
        alike = groups.setdefault((offer.verb, *first), {})
        alike.setdefault(likeness(title, equal, offer), []).append(offer)
    return [group_of([*alike.values()]) for alike in groups.values()]


def group_of(alike: list[list[OfferBody]]) -> OfferGroup:
    first = alike[0][0]
    piece = first.touches[0] if first.touches else None
    return OfferGroup(first.verb, piece, [[offer.id for offer in offers] for offers in alike])


def likeness(title: AnyTitle, equal: Mapping[object, object], offer: OfferBody) -> object:
    """Return a key that is the same for offers that differ only in equal cards."""
    if not equal:
        return tuple(offer.args)
    kinds = title.verbs[offer.verb].args
    return tuple([equal.get(n, n) if kind == CARD else n for kind, n in zip(kinds, offer.args, strict=True)])


def cards_of(title: AnyTitle, offer: OfferBody) -> list[int]:
    kinds = title.verbs[offer.verb].args
    return [n for kind, n in zip(kinds, offer.args, strict=True) if kind == CARD] if CARD in kinds else []


def equals(title: AnyTitle, s: State, cards: Set[int]) -> dict[object, object]:
    """Map each card that has equals among `cards` to a key, its kind and its pile.

    Cards with the same key are interchangeable for a player. Cards without equals are left out.
    """
    kind_of = kinds(title)
    if len({kind_of[card] for card in cards}) == len(cards):
        return {}                               # the most frequent case
    often = Counter([kind_of[card] for card in cards])
    several = {card: kind for card in cards for kind in [kind_of[card]] if often[kind] > 1}
    return {card: (several[card], where) for where, pile in piles(title, s) for card in pile if card in several}


def piles(title: AnyTitle, s: State) -> Iterator[tuple[object, list[int]]]:
    """Yield ((field, index), cards) for each pile of the state."""
    for field in title.layout.fields:
        if field.holds_cards:
            there = getattr(s, field.name)
            for i, pile in enumerate([there] if field.kind == "pile" else there):
                yield (field.name, i), pile


@lru_cache
def kinds(title: AnyTitle) -> dict[int, str]:
    """Return the kind of each card, by id."""
    return {card.id: card.kind for card in title.cards}
