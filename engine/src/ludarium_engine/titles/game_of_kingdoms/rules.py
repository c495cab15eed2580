"""The rules of the game.

Each round is an attack on one defender, and the last player left loses.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.elimination import best_free_place, final_places, next_seat_left, places_by_result, seats_left
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import Ask, Handlers, Pick, Script, Sealed, by_name, turn_order_from
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import repetition, verbs
from .cards import COLOUR, HAND, LIMIT, RANK
from .memory import add_known, cards_on_table, could_match, remove_known
from .state import Kingdoms, T, at

TAKE, ENOUGH = verbs.take(), verbs.done()
NO_CARDS = Action("throw")                      # the answer of a seat that always passes
wave_before = Pick("wave before", shown=True)              # whether the unbeaten cards came in a wave
last_word = Pick("last word", shown=True)                 # whether no wave follows the attacker's answer


def beats(s: Kingdoms, card: int, other: int) -> bool:
    """Return whether `card` beats `other` by a higher rank of its colour or as a trump."""
    return card > other if COLOUR[card] == COLOUR[other] else COLOUR[card] == s.trump


def unbeaten(s: Kingdoms) -> list[int]:
    return [i for i in range(len(s.attack)) if not s.defence[i]]


def ranks(s: Kingdoms) -> set[int]:
    return {RANK[card] for card in cards_on_table(s)}


def matching(s: Kingdoms, seat: int) -> tuple[int, ...]:
    wanted = ranks(s)
    return tuple([card for card in s.hand[seat] if RANK[card] in wanted])


def clockwise(s: Kingdoms, seat: int) -> list[int]:
    """Return the seats still in the game, clockwise from `seat`."""
    return seats_left(s.place, seat)


def is_ruthless(s: Kingdoms) -> bool:
    return s.options.version == "ruthless"


def players_left(s: Kingdoms) -> list[int]:
    return clockwise(s, 0)


def next_player(s: Kingdoms, seat: int) -> int:
    """Return the next seat clockwise that is still in the game."""
    return next_seat_left(s.place, seat)


def cards_allowed(s: Kingdoms) -> int:
    """Return how many more cards may attack.

    At most LIMIT cards may attack, and at most as many may be unbeaten as the defender has cards.
    """
    return min(LIMIT - len(s.attack), len(s.hand[s.defender]) - len(unbeaten(s)))


# --- the attack: one or more cards of one rank; the first attack is mandatory -----------------------------------------
def lead_offers(s: Kingdoms, f: Frame, seat: int) -> list[Offer]:
    cards, most = s.hand[seat], min(LIMIT, len(s.hand[s.defender]))
    same = {r: tuple([c for c in cards if RANK[c] == r]) for r in sorted({RANK[c] for c in cards})}
    return [verbs.lead(r, pool=pool, least=1, most=most) for r, pool in same.items()]


def lead(t: T, f: Frame, seat: int, action: Action) -> None:
    t.say("leads", seat, play_cards(t, seat, action.args[1:]))
    t.ask(bout, seat, wave_before=False)


def play_cards(t: T, seat: int, cards: tuple[int, ...]) -> FactNumbers:
    laid = t.move(cards, at.hand[seat], at.attack)
    remove_known(t, seat, cards)
    if is_ruthless(t.s):
        t.set(at.layer, t.s.layer + [seat] * len(cards))
    return laid


# --- the defence: beat every card, or take; ruthless: pass the attack on ----------------------------------------------
def defend_seats(s: Kingdoms, f: Frame) -> list[int]:
    return [s.defender] if not s.taking and s.hand[s.defender] and unbeaten(s) else []


def defend_offers(s: Kingdoms, f: Frame, seat: int) -> list[Offer]:
    beating = [(i, c) for i in unbeaten(s) for c in s.hand[seat] if beats(s, c, s.attack[i])]
    return [*each(verbs.beat, beating), *each(verbs.pass_on, pass_on_cards(s, seat)), TAKE]


def pass_on_cards(s: Kingdoms, seat: int) -> tuple[int, ...]:
    """Return the seat's cards that can pass the attack on to the next player.

    These are cards of the attacking rank. All attacking cards must have the same rank, none may be beaten yet, and the next
    player must hold at least as many cards as will then attack.
    """
    if not is_ruthless(s) or any(s.defence) or len({RANK[card] for card in s.attack}) != 1:
        return ()
    return matching(s, seat) if len(s.attack) < len(s.hand[next_player(s, seat)]) else ()


def beat(t: T, f: Frame, seat: int, where: int, card: int) -> None:
    remove_known(t, seat, (card,))
    t.say("beats", seat, t.s.attack[where], t.move(card, at.hand[seat], at.defence[where]))
    if not unbeaten(t.s):
        t.set(at.opened, True)


def pass_on(t: T, f: Frame, seat: int, card: int) -> None:
    laid = play_cards(t, seat, (card,))
    t.set(at.attacker, seat)
    t.set(at.defender, next_player(t.s, seat))
    t.say("passes_on", seat, t.s.defender, laid)


def take(t: T, f: Frame, seat: int) -> None:
    t.set(at.taking, True)
    t.say("gives_up", seat)


def give_back(t: T, f: Frame) -> None:
    """Return unbeaten cards to their owners, since a defender with no cards left succeeds."""
    if t.s.taking or not (left := unbeaten(t.s)):
        return
    owners = [(t.s.attack[i], t.s.layer[i]) for i in left]
    for card, seat in owners:
        add_known(t, seat, (card,))
        t.say("gets_back", seat, t.move(card, at.attack, at.hand[seat]))
    end_defence(t)


def end_defence(t: T) -> None:
    """Discard all cards on the table after a successful defence."""
    t.say("holds", t.s.defender, clear_cards(t, at.pile))


def attack_again(t: T, f: Frame) -> None:
    """Ask for more attacking cards.

    After a wave, the players other than the attacker and the defender may throw in another one. Otherwise the attacker may add
    cards.
    """
    if t.s.taking:
        t.ask(pile_on, t.s.attacker)
    elif wave_before(f):
        t.ask(wave, t.s.attacker, wave_before=True)
    else:
        t.ask(addition, t.s.attacker, last_word=False)


# --- the attacker adds matching cards, or says done -------------------------------------------------------------------
def add_seats(s: Kingdoms, f: Frame) -> list[int]:
    return [s.attacker] if cards_allowed(s) > 0 and could_match(s, s.attacker) else []


def add_offers(s: Kingdoms, f: Frame, seat: int) -> list[Offer]:
    cards = matching(s, seat)
    return [*([verbs.add(pool=cards, least=1, most=cards_allowed(s))] if cards else []), ENOUGH]


def add(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "add":
        t.say("adds", seat, play_cards(t, seat, action.args))
    else:
        t.say("is_done", seat)


def after_addition(t: T, f: Frame) -> None:
    if unbeaten(t.s):
        t.ask(bout, t.s.attacker, wave_before=False)
    elif not last_word(f) and throw_seats(t.s, f):
        t.ask(wave, t.s.attacker, wave_before=False)


# --- ruthless: the others throw in cards simultaneously; each is limited only by the defender's hand ------------------
def throw_seats(s: Kingdoms, f: Frame) -> list[int]:
    if not (is_ruthless(s) and s.opened and cards_allowed(s) > 0):
        return []
    return [p for p in clockwise(s, s.attacker + 1) if p not in (s.attacker, s.defender) and could_match(s, p)]


def throw_offers(s: Kingdoms, f: Frame, seat: int) -> list[Offer]:
    return [verbs.throw(pool=matching(s, seat), least=0, most=cards_allowed(s))]


def throw(t: T, f: Frame, answers: dict[int, Action]) -> None:
    """Play the thrown-in cards, clockwise from the attacker; surplus cards stay in hand."""
    for seat in [p for p in clockwise(t.s, t.s.attacker) if p in answers]:
        cards = answers[seat].args
        fitting = LIMIT - len(t.s.attack)
        if not cards:
            t.say("throws_nothing", seat)
        if cards[:fitting]:
            t.say("throws", seat, play_cards(t, seat, cards[:fitting]))
        if cards[fitting:]:
            t.disclose("surplus", seat, len(cards[fitting:]), to=EVERYBODY)


def after_wave(t: T, f: Frame) -> None:
    """Let the defender answer the cards that were thrown in.

    If no cards were thrown in after an earlier wave, the attacker is asked once more.
    """
    if unbeaten(t.s):
        t.ask(bout, t.s.attacker, wave_before=True)
    elif wave_before(f):
        t.ask(addition, t.s.attacker, last_word=True)


# --- the defender takes: the attacker may pile on, then the others if the first attack was beaten ---------------------
def pile_on_seats(s: Kingdoms, f: Frame) -> list[int]:
    return add_seats(s, f) if s.options.pile_on_take else []


def pile_on_throw_seats(s: Kingdoms, f: Frame) -> list[int]:
    return throw_seats(s, f) if s.options.pile_on_take else []


# --- the end of a round ---------------------------------------------------------------------------------------------
def clear(t: T, f: Frame) -> None:
    """Discard the cards on the table, or give them to a defender who takes."""
    if t.s.taking:
        add_known(t, t.s.defender, cards_on_table(t.s))
        t.say("takes", t.s.defender, clear_cards(t, at.hand[t.s.defender]))
    elif t.s.attack:
        end_defence(t)


def clear_cards(t: T, where: list[int]) -> FactNumbers:
    defence: FactNumbers = ()
    for i in [i for i, zone in enumerate(t.s.defence) if zone]:
        defence += t.move_all(at.defence[i], where)
    return t.move_all(at.attack, where) + defence


def refill(t: T, f: Frame) -> None:
    """Let all players draw until they have HAND cards.

    The attacker draws first, then the others clockwise, and the defender last. The turned-up card is the last card of the deck.
    """
    if not t.s.turned:
        return
    for seat in [p for p in clockwise(t.s, t.s.attacker) if p != t.s.defender] + [t.s.defender]:
        drawn = t.draw(HAND - len(t.s.hand[seat]), at.deck, at.hand[seat])
        drawn += draw_turned(t, seat)
        if drawn:
            t.say("draws", seat, drawn)


def draw_turned(t: T, seat: int) -> FactNumbers:
    turned = t.s.turned[: HAND - len(t.s.hand[seat])]
    add_known(t, seat, turned)
    return t.move(turned, at.turned, at.hand[seat])


def leave(t: T, f: Frame) -> None:
    """Let players without cards leave the game once nothing can be drawn.

    Players who leave in the same round share a place. The last player left loses.
    """
    if t.s.deck or t.s.turned:
        return
    nth = best_free_place(t.s.place)
    for seat in players_left(t.s):
        if not t.s.hand[seat]:
            t.set(at.place[seat], nth)
            t.say("is_out", seat, nth)
    if len(players_left(t.s)) < 2:
        end_game(t)


def end_game(t: T) -> None:
    if left := players_left(t.s):
        t.say("loses", left[0])
    else:
        t.say("nobody_loses")
    t.end(final_places(t.s.place))


def next_round(t: T, f: Frame) -> None:
    """Begin the next round; the defender attacks unless it took the cards."""
    seat = clockwise(t.s, t.s.defender + t.s.taking)[0]
    repetition.record_position(t, seat)
    if is_without_progress(t):
        return end_in_draw(t)
    begin_round(t, seat)


def is_without_progress(t: T) -> bool:
    repeats, stalls = repetition.repeats(t.s), repetition.stalls(t.s)
    if repeats:
        t.say("repeats")
    elif stalls:
        t.say("stalls", repetition.MOST_ROUNDS)
    return repeats or stalls


def end_in_draw(t: T) -> None:
    """End the game, with the remaining players sharing the next place."""
    t.end(final_places(t.s.place))


def begin_round(t: T, seat: int) -> None:
    t.pass_turn(seat)
    t.set(at.taking, False)
    t.set(at.opened, False)
    t.set(at.layer, [])
    t.set(at.attacker, seat)
    t.set(at.defender, next_player(t.s, seat))
    t.say("begins", seat, t.s.defender)
    t.ask(round_, seat)


round_ = Script("round", Ask("lead", lead_offers, lead), clear, refill, leave, next_round)
DEFENCES: Handlers = {verbs.beat: beat, verbs.pass_on: pass_on, verbs.take: take}
defence = Ask("defend", defend_offers, DEFENCES, defend_seats, repeat=True)
bout = Script("bout", defence, give_back, attack_again, picks=(wave_before,))
addition = Script("addition", Ask("add", add_offers, add, add_seats), after_addition, picks=(last_word,))
wave = Script("wave", Sealed("throw", throw_offers, throw, throw_seats, pass_action=NO_CARDS), after_wave, picks=(wave_before,))
pile_on = Script(
    "pile on", Ask("add", add_offers, add, pile_on_seats),
    Sealed("throw", throw_offers, throw, pile_on_throw_seats, pass_action=NO_CARDS),
)
SCRIPTS = by_name(round_, bout, addition, wave, pile_on)


# --- setup ----------------------------------------------------------------------------------------------------------
def setup(t: T) -> None:
    if t.s.options.dealer is None:
        t.roll(at.dealer, range(t.s.seats))
    else:
        t.set(at.dealer, t.s.options.dealer)
    t.shuffle(at.deck)
    t.say("deals", t.s.dealer)
    deal(t)
    turned = t.draw(1, at.deck, at.turned)
    t.set(at.trump, COLOUR[t.s.turned[0]])
    t.say("trump", t.s.trump, turned)
    seat = first_attacker(t)
    repetition.record_position(t, seat)
    begin_round(t, seat)


def deal(t: T) -> None:
    dealt: dict[int, FactNumbers] = {seat: () for seat in clockwise(t.s, t.s.dealer + 1)}
    for seat in [*dealt] * HAND:
        dealt[seat] += t.draw(1, at.deck, at.hand[seat])
    for seat, cards in dealt.items():
        t.say("is_dealt", seat, cards)


def first_attacker(t: T) -> int:
    """Return the first attacker, who holds the lowest trump and reveals the card.

    If no player has a trump, the first attacker is chosen at random.
    """
    trumps = [(card, seat) for seat in players_left(t.s) for card in t.s.hand[seat] if COLOUR[card] == t.s.trump]
    if not trumps:
        t.roll(at.attacker, range(t.s.seats))
        t.say("is_chosen", t.s.attacker)
        return t.s.attacker
    card, seat = min(trumps)
    add_known(t, seat, (card,))
    t.say("shows", seat, t.reveal(card, at.hand[seat], to=EVERYBODY))
    return seat


def next_dealer(s: Kingdoms) -> int:
    """Return the dealer of a rematch: the loser, or the next dealer after a draw."""
    losers = [p for p, place in enumerate(s.outcome or []) if place == s.seats]
    return losers[0] if len(losers) == 1 else turn_order_from(s, s.dealer + 1)[0]


def standing(s: Kingdoms) -> list[int]:
    """Return each seat's current place.

    Players who are out come first. The others are ordered by the number of cards in hand, with the fewest first.
    """
    return places_by_result(s.place, {seat: -len(s.hand[seat]) for seat in players_left(s)})
