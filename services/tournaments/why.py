"""Why somebody stands where they do and plays whom they play, in the words of the core."""
from __future__ import annotations

from services.problems import Problem
from services.tournaments.bodies import WhyBody
from services.tournaments.core.model import Pairing, Quality
from services.tournaments.core.reasons import why_this_place, why_this_table, words
from services.tournaments.parts import RoundState
from services.tournaments.standing import entries_of, history_of, played, stage_settings, standings_of
from services.tournaments.state import TournamentState

UNJUDGED = Quality(0, 0, 0, {})


def why_body(state: TournamentState, stage: int, entry: int, locale: str) -> WhyBody:
    """Raises Problem `not-found`."""
    rows = standings_of(state, stage)
    if str(entry) not in {row.id for row in rows}:
        raise Problem("not-found")
    place = [words(reason, locale) for reason in why_this_place(rows, str(entry))]
    rounds = [round for round in state.rounds_of(stage) if round.published]
    return WhyBody(entry, place, why_table(state, rounds[-1], entry, locale) if rounds else [])


def why_table(state: TournamentState, round: RoundState, entry: int, locale: str) -> list[str]:
    """As the round stood before it was played."""
    before = history_of(state, round.stage, round.number - 1)
    this = played(round)
    pairing = Pairing(tuple(table.seats for table in this.tables), this.byes, UNJUDGED)
    reasons = why_this_table(
        entries_of(state, round.stage), before, stage_settings(state, round.stage), pairing, str(entry)
    )
    return [words(reason, locale) for reason in reasons]
