"""The game's zones, numbers and options."""
from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Covered, Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .board import Board, board_for
from .cards import CREATURES, DI, LEVEL, RULES, SPECIALS, TILES, UNITS, battle_cards

NOBODY = -1                                     # the holder of an empty space, and the lord of a space outside cities
NO_PYRAMID = -1
TARGETS = {"short": RULES["victory_short"], "long": RULES["victory_long"], "beginner": RULES["victory_beginner"]}


class KemetOptions(Options, frozen=True):
    """The options of Kemet.

    After `max_days` days the game ends, even if no seat has enough points to win.
    """

    length: Literal["short", "long", "beginner"] = "short"
    win_check: Literal["end_of_day", "start_of_turn"] = "end_of_day"
    max_days: Annotated[int, Meta(ge=1, le=100)] = 30
    sanctuary_small_boards: bool = False
    ra_discounts_recruiting: bool = True
    prayer_with_priest: bool = False
    initiative_moves_on: bool = True
    repeated_teleports: bool = False
    last_unit_sacrifice: bool = True
    lone_loser_leaves: bool = True
    raise_lost_pyramids: bool = True
    raise_captured_pyramids: bool = False


class Kemet(State, array_like=True):
    options: KemetOptions
    # --- cards: by seat, where there are several piles
    di: Owner[Piles] = []                       # intervention cards in hand
    di_deck: Hidden[Pile] = []
    di_discards: Covered[Pile] = []
    announced: Public[Pile] = []                # played, and can still be vetoed
    looking: Owner[Piles] = []                  # cards drawn by Vision, of which one is kept
    hand: Owner[Piles] = []                     # battle cards
    used: Public[Piles] = []
    aside: Owner[Piles] = []
    fighting: Public[Piles] = []                # the cards used in this battle
    hidden_help: Public[Piles] = []             # intervention cards of this battle, revealed
    wounding: Public[Pile] = []                 # discarded for Divine Wound
    specials: Public[Pile] = []                 # battle cards that come with a tile
    out: Public[Pile] = []                      # battle cards that were replaced by special ones
    market: Public[Pile] = []
    box: Public[Pile] = []                      # tiles that are not for sale yet
    tiles: Public[Piles] = []
    wild: Public[Pile] = []                     # creatures without an owner
    stable: Public[Piles] = []                  # creatures in reserve
    creatures: Public[Piles] = []               # by space
    charging: Public[Pile] = []                 # the attackers' creature
    # --- by space
    units: Public[list[int]] = []
    holder: Public[list[int]] = []              # the owner of the units
    lord: Public[list[int]] = []                # the owner of the district
    pyramid: Public[list[int]] = []             # the colour of the pyramid, or NO_PYRAMID
    level: Public[list[int]] = []
    recruits: Public[list[int]] = []            # recruited units that will fight for their district
    # --- by seat
    city: Public[list[int]] = []
    reserve: Public[list[int]] = []
    pp: Public[list[int]] = []
    vp: Public[list[int]] = []                  # permanent victory points
    held: Public[list[int]] = []                # temporary victory points
    battle_vp: Public[list[int]] = []           # permanent victory points won in battle
    boxes: Public[list[list[int]]] = []         # boxes with action tokens on this day
    silver: Public[list[bool]] = []             # whether it was used this day
    gold: Public[list[bool]] = []
    night: Public[list[list[int]]] = []         # remaining uses: Hand of God, Vision, Reinforcements
    # --- the day
    turn_drawn: Public[int] = 0                 # the seat drawn last for the first turn order
    order: Public[list[int]] = []
    next_order: Public[list[int]] = []
    day: Public[int] = 0
    round: Public[int] = 0
    acted: Public[bool] = False                 # whether the ordinary token of this turn is placed
    mustered: Public[int] = 0                   # units still to place
    offered: Public[list[int]] = []             # spaces where a sacrifice was made or declined today
    # --- a move
    marching: Public[bool] = False
    where: Public[int] = 0
    carried: Public[int] = 0                    # the selected units, which move on together
    along: Public[bool] = False                 # whether the creature moves with them
    reach: Public[int] = 0                      # movement left
    departed: Public[bool] = False
    arranged: Public[bool] = False              # whether `carried` and `along` were chosen in this space
    teleported: Public[bool] = False
    gates: Public[bool] = False                 # whether this troop ignores walls
    portal: Public[bool] = False                # whether Teleportation applies to the next teleport
    # --- a battle
    attackers: Public[int] = 0
    winner: Public[int] = 0
    retreating: Public[bool] = False
    # --- options shown on the table
    target: Public[int] = 0


at = slots_of(Kemet)
T = Table[Kemet]


def board(s: Kemet) -> Board:
    return board_for(s.seats, s.options.sanctuary_small_boards)


def blank(options: KemetOptions, seats: int) -> Kemet:
    size = board_for(seats, options.sanctuary_small_boards).size
    beginner = options.length == "beginner"
    return Kemet(
        seats, options,
        di=empty_piles(seats), di_deck=[*DI], looking=empty_piles(seats),
        hand=[battle_cards(seat) for seat in range(seats)], used=empty_piles(seats), aside=empty_piles(seats),
        fighting=empty_piles(seats), hidden_help=empty_piles(seats), specials=[*SPECIALS],
        market=[tile for tile in TILES if LEVEL[tile] == 1 or not beginner],
        box=[tile for tile in TILES if LEVEL[tile] > 1 and beginner],
        tiles=empty_piles(seats), wild=[*CREATURES], stable=empty_piles(seats), creatures=empty_piles(size),
        units=[0] * size, holder=[NOBODY] * size, lord=[NOBODY] * size,
        pyramid=[NO_PYRAMID] * size, level=[0] * size, recruits=[0] * size,
        city=[NOBODY] * seats, reserve=[UNITS] * seats, pp=[RULES["start_pp"]] * seats,
        vp=[0] * seats, held=[0] * seats, battle_vp=[0] * seats,
        boxes=empty_piles(seats), silver=[False] * seats, gold=[False] * seats, night=empty_piles(seats),
        target=TARGETS[options.length],
    )  # fmt: skip
