"""Sentences that explain an entry's place and its pairing."""
from __future__ import annotations

from collections.abc import Iterator

from ludarium.platform.problems import Problem
from ludarium.tournaments.derived import crosstables_of, history_of, played_round
from ludarium.tournaments.groups import PlayingGroup, playing_groups, stage_settings
from ludarium.tournaments.schemas.tournaments import WhyBody
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import RoundState
from ludarium_pairing.explanations import Reason, explain_place, explain_table, sentence
from ludarium_pairing.model import Pairing, Quality
from ludarium_pairing.standings import standings_by

NO_QUALITY = Quality(0, 0, 0, {})


def explanation_body(state: TournamentState, stage: int, entry: int, locale: str, draft: Pairing | None = None) -> WhyBody:
    """Explain an entry's place, and its pairing in each round.

    Args:
        draft: pairing of a drafted round, for viewers who may see drafts.

    Raises:
        Problem: `not-found`.
    """
    known = zip(playing_groups(state, stage), crosstables_of(state, stage), strict=True)
    field, table = next((each for each in known if str(entry) in {one.id for one in each[0].entries}), (None, None))
    rows = standings_by(table) if table else []
    if field is None or str(entry) not in {row.id for row in rows}:
        raise Problem("not-found")
    rounds = [round for round in state.rounds_of(stage) if round.published or draft]
    reasons = [*explain_place(rows, str(entry)), *(reason for round in rounds for reason in explain_result(round, entry))]
    place = [sentence(reason, locale) for reason in reasons]
    return WhyBody(entry, place, explain_pairing(state, rounds[-1], field, entry, locale, draft) if rounds else [])


def explain_result(round: RoundState, entry: int) -> Iterator[Reason]:
    """Yield reasons why a round counts differently from the game's result.

    The player was absent, or there was a ruling.
    """
    board = next((board for board in round.boards.values() if entry in board.seats), None)
    if board is None or board.result is None:
        return
    at: dict[str, str | int] = {"round": round.number, "board": board.number}
    if board.seats.index(entry) in board.absent:
        yield Reason("absent", at)
    if board.ruling is not None and board.ruling.verdict != "upheld":
        yield Reason("void" if board.ruling.verdict == "void" else "ruled", at)


def explain_pairing(
    state: TournamentState, round: RoundState, field: PlayingGroup, entry: int, locale: str, draft: Pairing | None
) -> list[str]:
    """Explain a round's pairing from the rounds before."""
    if round.number > field.rounds:
        return []
    before = field.own_history(history_of(state, round.stage, round.number - 1))
    pairing = draft or published_pairing(round)
    reasons = explain_table(field.entries, before, stage_settings(state, round.stage), pairing, str(entry))
    return [sentence(reason, locale) for reason in reasons]


def published_pairing(round: RoundState) -> Pairing:
    this = played_round(round)
    return Pairing(tuple(table.seats for table in this.tables), this.byes, NO_QUALITY)
