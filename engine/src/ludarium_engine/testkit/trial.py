"""Check that a title can be played with another data file, by playing random games."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ludarium_engine.data_errors import data_problems
from ludarium_engine.kernel.title import DataProblem
from ludarium_engine.registry import AnyTitle, Unfit, made_from, shipped_titles
from ludarium_engine.testkit.fuzz import Failure, cases, play
from ludarium_engine.testkit.messages import missing_texts

GAMES = 2                                       # random games for each variant and number of seats


def trial(title_id: str, data: bytes) -> list[DataProblem]:
    """Return the problems with a data file that is to replace the title's own.

    Remarks are listed first; they do not prevent the use of the file.
    """
    try:
        title = made_from(title_id, data)
    except Unfit as error:
        return [*error.problems]
    return [*data_problems(shipped_titles()[title_id], data), *unplayable(title)]


def unplayable(title: AnyTitle) -> Iterator[DataProblem]:
    """Yield the first problem that prevents playing, if any.

    A problem is a missing English text, the lack of a playable variant, or a failed random game.
    """
    if missing := sorted(missing_texts(title, "en")):
        yield DataProblem("", f"there is no English text {missing[0]}")
    elif not (tables := cases(title)):
        yield DataProblem("", "no variant can be played at any number of seats")
    else:
        try:
            for case, seed in product(tables, range(GAMES)):
                play(case, seed)
        except Failure as failure:
            yield DataProblem("", str(failure))
