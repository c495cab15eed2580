"""The game's zones, numbers and options."""
from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import UNKNOWN, Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import BY_NAME, CITIZEN, COLUMNS, DOMAIN, DUKE, FACTS, MONSTER, SETUPS, STACKS, STARTER

Area = Literal["hills", "barrens", "ruins", "forest", "valley", "swamp", "mountains", "caverns"]
Kind = Literal[
    "cleric", "monk", "merchant", "blacksmith", "mercenary", "alchemist", "archer", "wizard", "peasant", "knight",
    "rogue", "thief", "champion", "warlord", "paladin", "priestess", "butcher", "miner",
]  # fmt: skip
START = FACTS.start


class ValeriaOptions(Options, frozen=True):
    """The options of Valeria: Card Kingdoms.

    `setup` is a recommended set-up, or `free`. With `free` the game uses the given `areas` and `citizens`, and adds the
    missing ones at random. The game ends after `max_rounds` rounds; 0 means no limit.
    """

    setup: Literal["free", "first_game", "glittering_gold", "mastery_over_magic", "monster_blood"] = "free"
    areas: Annotated[tuple[Area, ...], Meta(max_length=COLUMNS)] = ()
    citizens: Annotated[tuple[Kind, ...], Meta(max_length=len(STACKS))] = ()
    mixed_citizens: bool = False
    resting_player_targetable: bool = True
    domain_build_turn_cooldown: bool = False
    duke_resource_mode: Literal["pooled", "per_type"] = "pooled"
    max_rounds: Annotated[int, Meta(ge=0, le=200)] = 40


class Valeria(State, array_like=True):
    options: ValeriaOptions
    monsters: Public[Piles] = []                # five stacks from left to right
    citizens: Public[Piles] = []                # ten stacks in two rows of five: the cards face up
    citizens_below: Hidden[Piles] = []          # mixed citizens: the cards face down below
    domains: Public[Piles] = []                 # five stacks: the cards face up
    domains_below: Hidden[Piles] = []
    domain_deck: Hidden[Pile] = []              # cards that are not laid out are out of the game
    duke_deck: Hidden[Pile] = []
    box: Hidden[Pile] = []                      # citizens and monsters that are out of the game
    dealt: Owner[Piles] = []                    # the two dukes to choose from, then the one not kept
    duke: Owner[Piles] = []
    tableau: Public[Piles] = []                 # starters and citizens
    built: Public[Piles] = []
    slain: Public[Piles] = []
    gold: Public[list[int]] = []
    strength: Public[list[int]] = []
    magic: Public[list[int]] = []
    vp: Public[list[int]] = []                  # tokens
    dice: Public[list[int]] = []
    used: Public[list[int]] = []                # domains that changed a die in this roll phase
    fresh: Public[list[int]] = []               # with the cooldown: domains built this turn, not yet active
    strikes: Public[list[int]] = []             # solo: dice of the monsters phase still to resolve
    captured: Public[Pile] = []                 # solo: cards captured by the Dark Lord
    dark_duke: Hidden[Pile] = []
    areas: Public[list[int]] = []               # of the monster stacks
    kinds: Public[list[int]] = []               # of the citizen stacks; UNKNOWN if they are mixed
    first: Public[int] = 0
    lot: Public[int] = UNKNOWN            # the last randomly chosen monster
    end_announced: Public[bool] = False
    rounds: Public[int] = 0                     # counted from the first turn, if there is a limit


at = slots_of(Valeria)
T = Table[Valeria]


def blank(options: ValeriaOptions, seats: int) -> Valeria:
    named = SETUPS.get(options.setup)
    removed = [BY_NAME[domain] for domain in (named.removed if named else ())]
    return Valeria(
        seats,
        options,
        monsters=empty_piles(COLUMNS),
        citizens=empty_piles(len(STACKS)),
        citizens_below=empty_piles(len(STACKS)),
        domains=empty_piles(COLUMNS),
        domains_below=empty_piles(COLUMNS),
        domain_deck=[card for card in DOMAIN if card not in removed],
        duke_deck=[*DUKE],
        box=[*CITIZEN, *STARTER, *MONSTER, *removed],
        dealt=empty_piles(seats),
        duke=empty_piles(seats),
        tableau=empty_piles(seats),
        built=empty_piles(seats),
        slain=empty_piles(seats),
        gold=[START.gold] * seats,
        strength=[0] * seats,
        magic=[START.magic] * seats,
        vp=[0] * seats,
        dice=[0, 0],
        areas=[UNKNOWN] * COLUMNS,
        kinds=[UNKNOWN] * len(STACKS),
    )
