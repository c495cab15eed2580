"""The rules engine on which every title is built.

Suggested reading order: choices, slots, layout, facts, redaction, table, scripts, agenda, title, contract, describe.
"""
from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.choices import PASS, Action, Illegal, Offer, RulesError, TooManySteps, each
from ludarium_engine.kernel.contract import (
    act_in_place,
    checked_options,
    clone,
    decide,
    legal_offers,
    new_game,
    seats_to_act,
    view,
)
from ludarium_engine.kernel.facts import EVERYBODY, Event, evolve
from ludarium_engine.kernel.redaction import HIDDEN_ACTION, redact_event
from ludarium_engine.kernel.slots import SPECTATOR, UNKNOWN, Frame, State
from ludarium_engine.kernel.title import Title
from ludarium_engine.kernel.undo import undo_obstacle

__all__ = [
    "EVERYBODY",
    "HIDDEN_ACTION",
    "PASS",
    "SPECTATOR",
    "UNKNOWN",
    "Action",
    "Chance",
    "Event",
    "Frame",
    "Illegal",
    "Offer",
    "RulesError",
    "State",
    "Title",
    "TooManySteps",
    "act_in_place",
    "checked_options",
    "clone",
    "decide",
    "each",
    "evolve",
    "legal_offers",
    "new_game",
    "redact_event",
    "seats_to_act",
    "undo_obstacle",
    "view",
]  # fmt: skip
