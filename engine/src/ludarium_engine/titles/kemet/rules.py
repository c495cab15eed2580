"""Run the game from day to day.

After the set-up, nights alternate with days of five rounds, which end with sacrifices. Victory may end the game.
"""
from __future__ import annotations

from itertools import product

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import DONE, Ask, Handlers, Script, by_name
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import standings

from . import actions, battle, interventions, movement, night, recruiting, troops, verbs, veto
from .cards import BOX_ROW, BOXES, COLOURS, LEVEL, RULES, TOKENS
from .powers import bonus, earn, gain, points_of
from .state import NO_PYRAMID, NOBODY, Kemet, T, at, board
from .troops import city_of, enlist, leave_alone, say, withdraw

END = verbs.end()
MOVE, RECRUIT = "move", "recruit"
GOLD = (MOVE, RECRUIT)                          # actions of the golden token
FOUNDED = 3                                     # levels at the start: 1, 1, 1 or 2, 1, 0
HIGHEST_FOUNDED = 2
SANCTUARY_UNITS = 2                             # to sacrifice for a point


# --- setup --------------------------------------------------------------------------------------------------------------
def setup(t: T) -> None:
    t.shuffle(at.di_deck)
    draw_order(t)
    for nth, seat in enumerate(t.s.order, 1):
        t.say("is_drawn", seat, nth, t.draw(RULES["start_di"], at.di_deck, at.di[seat]))
    t.ask(founding, t.s.order[0])


def draw_order(t: T) -> None:
    """Draw the first turn order at random, one seat after another."""
    left = [*range(t.s.seats)]
    while left:
        t.roll(at.turn_drawn, left)
        left.remove(t.s.turn_drawn)
        t.set(at.order, [*t.s.order, t.s.turn_drawn])


def choose_city_seats(s: Kemet, f: Frame) -> list[int]:
    return [seat for seat in s.order if s.city[seat] == NOBODY][:1]


def choose_city_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.city, [city for city in range(board(s).cities) if city not in s.city])


def choose_city(t: T, f: Frame, seat: int, action: Action) -> None:
    t.set(at.city[seat], action.args[0])
    for space in city_of(t.s, seat):
        t.set(at.lord[space], seat)
    t.say("settles", seat, t.s.city[seat])


def levels_left(s: Kemet, seat: int) -> int:
    return FOUNDED - sum(s.level[space] for space in city_of(s, seat))


def found_pyramid_seats(s: Kemet, f: Frame) -> list[int]:
    return [seat for seat in s.order if levels_left(s, seat)][:1]


def found_pyramid_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    """Return an offer for each district, colour and level of a pyramid to found."""
    most = min(HIGHEST_FOUNDED, levels_left(s, seat))
    return [verbs.found(*site, n) for site in actions.foundations(s, seat) for n in range(1, most + 1)]


def found_pyramid(t: T, f: Frame, seat: int, action: Action) -> None:
    space, colour, level = action.args
    t.set(at.pyramid[space], colour)
    t.set(at.level[space], level)
    t.say("founds", seat, colour, space, level)


def garrison_seats(s: Kemet, f: Frame) -> list[int]:
    return [seat for seat in s.order if s.reserve[seat] > RULES["start_reserve"]][:1]


def garrison_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    """Return an offer for each way to place the starting units.

    Units are placed in the districts with a pyramid, up to the troop limit in each.
    """
    most = [RULES["troop_limit"] * (s.pyramid[space] != NO_PYRAMID) for space in city_of(s, seat)]
    every = product(*(range(n + 1) for n in most))
    return [verbs.garrison(*split) for split in every if sum(split) == RULES["start_units"]]


def garrison(t: T, f: Frame, seat: int, action: Action) -> None:
    for space, n in zip(city_of(t.s, seat), action.args, strict=True):
        if n:
            enlist(t, seat, space, n)


def fall_of_night(t: T, f: Frame) -> None:
    t.ask(nightfall, t.s.order[0])


founding = Script(
    "founding",
    Ask("choose_city", choose_city_offers, choose_city, choose_city_seats, repeat=True, answer_if_forced=True),
    Ask("found_pyramid", found_pyramid_offers, found_pyramid, found_pyramid_seats, repeat=True, answer_if_forced=True),
    Ask("garrison", garrison_offers, garrison, garrison_seats, repeat=True, answer_if_forced=True),
    fall_of_night,
)


# --- the day ------------------------------------------------------------------------------------------------------------
def dawn(t: T, f: Frame) -> None:
    """Begin a day and return the action tokens.

    In a beginner game, tiles of level 2 are for sale from day 2.
    """
    t.pass_turn(t.s.order[0])
    t.add(at.day, 1)
    t.set(at.round, 0)
    for seat in range(t.s.seats):
        t.set(at.boxes[seat], [])
        t.set(at.silver[seat], False)
        t.set(at.gold[seat], False)
    t.say("day", t.s.day)
    if t.s.options.length == "beginner" and t.s.day == 2:
        t.say("opens", t.move([tile for tile in t.s.box if LEVEL[tile] == 2], at.box, at.market))
    begin_turn(t, t.s.order[0])


def begin_turn(t: T, seat: int) -> None:
    t.set(at.acted, False)
    t.ask(turn, seat)


def early_victory(t: T, f: Frame) -> None:
    """End the game if the option allows and the seat has enough points.

    No other seat may have more points.
    """
    points = [points_of(t.s, seat) for seat in range(t.s.seats)]
    if t.s.options.win_check == "start_of_turn" and points[f.seat] >= t.s.target and points[f.seat] == max(points):
        t.say("reaches", f.seat, points[f.seat])
        rank(t, f.seat)


def turn_seats(s: Kemet, f: Frame) -> list[int]:
    """Return the seat as long as, by public knowledge, it may do more than end its turn."""
    tokens = not s.acted or silver_boxes(s, f.seat) or gold_uses(s, f.seat)
    return [f.seat] if tokens or s.di[f.seat] else []


def turn_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [
        *each(verbs.act, open_boxes(s, seat)),
        *each(verbs.silver, silver_boxes(s, seat)),
        *each(verbs.gold, gold_uses(s, seat)),
        *each(verbs.play, interventions.playable(s, seat)),
        *([END] if s.acted else []),
    ]


def empty_boxes(s: Kemet, seat: int) -> list[int]:
    return [box for box in range(len(BOXES)) if box not in s.boxes[seat]]


def open_boxes(s: Kemet, seat: int) -> list[int]:
    """Return the empty boxes that the seat may use for its next token.

    Enough tokens must remain to place one in every row that is still empty.
    """
    if s.acted:
        return []
    left = TOKENS - 1 - s.round
    return [box for box in empty_boxes(s, seat) if len(bare_rows(s.boxes[seat] + [box])) <= left]


def bare_rows(boxes: list[int]) -> set[int]:
    return set(BOX_ROW) - {BOX_ROW[box] for box in boxes}


def silver_boxes(s: Kemet, seat: int) -> list[int]:
    usable = bonus(s, seat, "silver_token") and not s.silver[seat]
    return empty_boxes(s, seat) if usable else []


def gold_uses(s: Kemet, seat: int) -> list[int]:
    usable = bonus(s, seat, "gold_token") and not s.gold[seat]
    return [*range(len(GOLD))] if usable else []


def act(t: T, f: Frame, seat: int, box: int) -> None:
    t.set(at.acted, True)
    place_token(t, seat, box, "acts")


def use_silver(t: T, f: Frame, seat: int, box: int) -> None:
    t.set(at.silver[seat], True)
    place_token(t, seat, box, "uses_silver")


def use_gold(t: T, f: Frame, seat: int, use: int) -> None:
    t.set(at.gold[seat], True)
    t.say("uses_gold", seat, use)
    resolve(t, seat, GOLD[use])


def play(t: T, f: Frame, seat: int, card: int) -> None:
    interventions.play(t, seat, card)


def end(t: T, f: Frame, seat: int) -> bool:
    t.say("ends_turn", seat)
    return DONE


TURN: Handlers = {verbs.act: act, verbs.silver: use_silver, verbs.gold: use_gold, verbs.play: play, verbs.end: end}


def place_token(t: T, seat: int, box: int, said: str) -> None:
    t.set(at.boxes[seat], [*t.s.boxes[seat], box])
    t.say(said, seat, box)
    resolve(t, seat, BOXES[box])


def resolve(t: T, seat: int, action: str) -> None:
    match action.split("_"):
        case ["pray"]:
            actions.pray(t, seat)
        case ["raise", _]:
            t.ask(actions.raising, seat)
        case ["buy", colour]:
            t.ask(actions.buying, seat, colour=COLOURS.index(colour))
        case ["recruit"]:
            t.ask(actions.recruiting, seat)
        case ["move"]:
            t.ask(movement.moving, seat)


def next_turn(t: T, f: Frame) -> None:
    """Begin the next turn or round, or end the day after five rounds."""
    following = t.s.order[(t.s.order.index(f.seat) + 1) % t.s.seats]
    last = following == t.s.order[0]
    if last and t.s.round + 1 == TOKENS:
        return fall_of_evening(t)
    t.pass_turn(following)
    if last:
        t.add(at.round, 1)
        t.say("round", t.s.round + 1)
    begin_turn(t, following)


def fall_of_evening(t: T) -> None:
    t.add(at.round, 1)
    t.say("evening", t.s.day)
    t.ask(dusk, t.s.order[0])


turn = Script("turn", early_victory, Ask("take_turn", turn_offers, TURN, turn_seats, repeat=True), next_turn)


# --- the end of a day ---------------------------------------------------------------------------------------------------
def pay_temples(t: T, f: Frame) -> None:
    """Give prayer points for held temples, and a victory point for two or more temples."""
    t.set(at.offered, [])
    for seat in t.s.order:
        mine = [space for space in board(t.s).temples if t.s.holder[space] == seat]
        incomes = [board(t.s).temples[space] for space in mine]
        paying = [pp for pp, sacrifice in incomes if not sacrifice]
        if paying:
            t.say("temples", seat, len(paying), gain(t, seat, sum(paying)))
        if len(mine) >= RULES["temples_for_pair_vp"]:
            earn(t, seat)
            t.say("temple_point", seat, len(mine))


def altars(s: Kemet, seat: int) -> list[int]:
    """Return the spaces where the seat may still sacrifice today."""
    needed = {space: units for space, (_, units) in board(s).temples.items() if units}
    if board(s).sanctuary >= 0:
        needed[board(s).sanctuary] = SANCTUARY_UNITS
    spare = 0 if s.options.last_unit_sacrifice else 1
    mine = [space for space, n in needed.items() if s.holder[space] == seat and s.units[space] >= n + spare]
    return [space for space in mine if space not in s.offered]


def sacrifice_seats(s: Kemet, f: Frame) -> list[int]:
    return [seat for seat in s.order if altars(s, seat)][:1]


def sacrifice_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*each(verbs.sacrifice, altars(s, seat)), *each(verbs.spare, altars(s, seat))]


def sacrifice(t: T, f: Frame, seat: int, action: Action) -> None:
    """Sacrifice units for prayer points or, in the Sanctuary, for a victory point."""
    (space,) = action.args
    t.set(at.offered, [*t.s.offered, space])
    if action.verb == "spare":
        return t.say("spares", seat, space)
    if space == board(t.s).sanctuary:
        withdraw(t, space, SANCTUARY_UNITS)
        earn(t, seat)
        say(t, "sacrifices_for_point", seat, SANCTUARY_UNITS, space)
    else:
        pp, units = board(t.s).temples[space]
        withdraw(t, space, units)
        say(t, "sacrifices", seat, units, space, gain(t, seat, pp))
    leave_alone(t, seat, space)


def judge(t: T, f: Frame) -> None:
    best = max(points_of(t.s, seat) for seat in range(t.s.seats))
    if best >= t.s.target and t.s.options.win_check == "end_of_day":
        t.say("decides", t.s.target)
        rank(t)
    elif t.s.day >= t.s.options.max_days:
        t.say("last_day", t.s.day)
        rank(t)
    else:
        t.ask(nightfall, t.s.order[0])


def rank(t: T, winner: int = NOBODY) -> None:
    places = standing(t.s, winner)
    for seat in sorted(range(t.s.seats), key=places.__getitem__):
        t.say("ranks", seat, places[seat], points_of(t.s, seat), t.s.battle_vp[seat])
    t.end(places)


def standing(s: Kemet, winner: int = NOBODY) -> list[int]:
    """Return each seat's place by victory points.

    Ties are broken by points from battles, then by the current turn order.

    Args:
        s: the state.
        winner: a seat that has won early and therefore comes first.
    """
    def worth(seat: int) -> tuple[bool, int, int, int]:
        return seat == winner, points_of(s, seat), s.battle_vp[seat], -s.order.index(seat) if s.order else 0
    return standings([worth(seat) for seat in range(s.seats)])


dusk = Script("dusk", pay_temples, Ask("sacrifice", sacrifice_offers, sacrifice, sacrifice_seats, repeat=True), judge)
nightfall = Script(
    "nightfall",
    night.receive,
    Ask("use_night_tile", night.night_offers, night.use_night_tile, night.night_seats, repeat=True),
    night.call_herald,
    Ask("name_next", night.name_next_offers, night.name_next, night.name_next_seats, repeat=True),
    dawn,
)

SCRIPTS = by_name(
    founding, nightfall, night.vision, turn, dusk,
    actions.raising, actions.buying, actions.drill, actions.recruiting, recruiting.placing, movement.moving,
    troops.homecoming, troops.arrival, battle.assault, battle.flight, battle.battle, veto.announcement,
    movement.swiftness, movement.teleportation, movement.wide_gates, *interventions.EFFECTS.values(),
)  # fmt: skip
