"""Define the format of the data file, with tiles, cards, constants and maps."""
from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium_engine.kernel.slots import LAST_INDEX
from ludarium_engine.kernel.title import DataFile

Number = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]
Level = Annotated[int, Meta(ge=1, le=4)]
Coordinate = Annotated[float, Meta(ge=0, le=100)]
Some = Annotated[int, Meta(ge=0, le=12)]
Amount = Number | UnsetType                     # unset if a card does not have it
Saving = Annotated[int, Meta(ge=-9, le=0)] | UnsetType
Flag = Literal[True] | UnsetType
Word = str | UnsetType
Colour = Literal["white", "red", "blue"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Constants(Part, frozen=True):
    start_pp: Positive
    max_pp: Positive
    units_per_player: Positive
    start_units: Positive
    start_reserve: Positive
    troop_limit: Positive
    base_movement: Positive
    night_pp: Positive
    night_di: Positive
    start_di: Positive
    pray_pp: Positive
    recruit_pp_per_unit: Positive
    teleport_pp: Positive
    recall_pp_per_unit: Positive
    pyramid_max_level: Literal[4]
    pyramid_level4_temp_vp: Positive
    victory_short: Positive
    victory_long: Positive
    victory_beginner: Positive
    beginner_pyramid_max: Annotated[int, Meta(ge=2, le=4)]
    action_tokens: Annotated[int, Meta(ge=3, le=9)]
    temples_for_pair_vp: Positive


class Effects(Part, frozen=True):
    """The effects of tiles and intervention cards."""

    pray_bonus: Amount = UNSET
    tile_cost_delta: Saving = UNSET
    pyramid_cost_per_level_delta: Saving = UNSET
    any_cost_delta: Saving = UNSET
    teleport_cost_delta: Saving = UNSET
    pp_per_enemy_unit_destroyed_in_battle: Amount = UNSET
    pp_on_battle_win: Amount = UNSET
    permanent_vp: Amount = UNSET
    vp_on_defensive_win: Amount = UNSET
    night_pp: Amount = UNSET
    night_di_extra: Amount = UNSET
    night_free_pyramid_levels: Amount = UNSET
    night_free_units: Amount = UNSET
    night_vision_draw: Amount = UNSET
    night_vision_keep: Amount = UNSET
    strength: Amount = UNSET
    damage: Amount = UNSET
    protection: Amount = UNSET
    attack_strength: Amount = UNSET
    defense_strength: Amount = UNSET
    strength_per_di_discarded: Amount = UNSET
    pre_battle_kills_as_attacker: Amount = UNSET
    movement: Amount = UNSET
    troop_limit: Amount = UNSET
    recruit_free_units: Amount = UNSET
    silver_token: Amount = UNSET
    gold_token: Amount = UNSET
    gold_actions: list[str] | UnsetType = UNSET
    ignore_walls: Flag = UNSET
    teleport_from_obelisk: Flag = UNSET
    opponent_reveals_first: Flag = UNSET
    recover_all_battle_cards: Flag = UNSET
    creature: Word = UNSET
    special_battle_card: Word = UNSET
    place: Word = UNSET
    pp: Amount = UNSET
    self_pp: Amount = UNSET
    opponents_pp: Annotated[int, Meta(ge=-1, le=0)] | UnsetType = UNSET
    destroy_enemy_units: Amount = UNSET
    free_units: Amount = UNSET
    free_teleport_from_anywhere: Flag = UNSET
    cancel_di: Flag = UNSET
    avoid_battle: Flag = UNSET


class Box(Part, frozen=True):
    """A box on the action board in which an action token can be placed."""

    id: str
    row: Literal[1, 2, 3]
    action: Literal["move", "recruit", "pray", "raise_pyramid", "buy_white", "buy_red", "buy_blue"]


class Row(Part, frozen=True, kw_only=True):
    """A row with an id and a name.

    Attributes:
        id: the id, unique in the file.
        name: the name in each locale.
        confidence: how certain the data are, according to their source.
    """

    id: str
    name: dict[str, str]
    confidence: str


class Tile(Row, frozen=True, kw_only=True):
    colour: Colour
    level: Level
    copies: Positive
    params: Effects


class Fighter(Row, frozen=True, kw_only=True):
    """A battle card."""

    strength: Number
    damage: Number
    protection: Number


class Creature(Fighter, frozen=True, kw_only=True):
    tile: str
    movement: Number
    special: Literal["ignore_walls", "cancel_enemy_creature_in_battle"] | None


class Intervention(Row, frozen=True, kw_only=True):
    """An intervention card.

    Attributes:
        copies: the number of copies.
        cost: the cost in prayer points.
        when: when the card can be played.
        params: the effects.
        house: whether the number of copies is a house value, i.e. not from the printed game.
    """

    copies: Positive
    cost: Number
    when: Literal["battle", "move", "reaction", "turn"]
    params: Effects
    house: bool


# --- maps -------------------------------------------------------------------------------------------------------------
class Temple(Part, frozen=True):
    pp: Some
    sacrifice: Some


class Sanctuary(Part, frozen=True):
    sacrifice: Literal[2]
    vp: Literal[1]


class Space(Part, frozen=True):
    id: str
    name: dict[str, str]
    kind: Literal["desert", "district", "temple", "sanctuary"]
    bank: str
    x: Coordinate
    y: Coordinate
    obelisk: bool
    city: str | None = None
    temple: Temple | None = None
    sanctuary: Sanctuary | None = None


class Edge(Part, frozen=True):
    a: str
    b: str
    kind: Literal["land", "harbor"]


class Map(Part, frozen=True):
    seats: Annotated[int, Meta(ge=2, le=5)]
    house: bool
    cities: list[str]
    spaces: Annotated[list[Space], Meta(max_length=LAST_INDEX + 1)]
    edges: list[Edge]


class File(DataFile, frozen=True, kw_only=True):
    known: ClassVar = ("boxes", "tiles", "creatures", "battle_cards", "special_battle_cards", "di_cards")
    constants: Constants
    boxes: list[Box]
    tiles: list[Tile]
    creatures: list[Creature]
    battle_cards: list[Fighter]
    special_battle_cards: list[Fighter]
    di_cards: list[Intervention]
    boards: dict[str, Map]
