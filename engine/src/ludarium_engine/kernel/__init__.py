"""What every title stands on.

Read in this order: choices, slots, layout, facts, scripts, table, agenda, title, contract, describe.
"""
from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.choices import PASS, Action, Illegal, Offer, RulesError, TooManySteps, each
from ludarium_engine.kernel.contract import act, checked_options, clone, decide, legal, new, seats_to_act, view
from ludarium_engine.kernel.facts import EVERYBODY, NOT_YOURS, Event, against_undo, event_for, evolve
from ludarium_engine.kernel.slots import SPECTATOR, UNKNOWN, Frame, State
from ludarium_engine.kernel.title import Title

__all__ = [
    "EVERYBODY", "NOT_YOURS", "PASS", "SPECTATOR", "UNKNOWN", "Action", "Chance", "Event", "Frame", "Illegal",
    "Offer", "RulesError", "State", "Title", "TooManySteps", "act", "against_undo", "checked_options", "clone", "decide",
    "each", "event_for", "evolve", "legal", "new", "seats_to_act", "view",
]  # fmt: skip
