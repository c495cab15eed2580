"""The standbys that `synchronous_standby_names` requires.

Stops of commits are tested in tests/faults/test_stops.py.
"""
from __future__ import annotations

import pytest

from ludarium.ops.doctor.stops import parse_standby_names


@pytest.mark.parametrize(
    ("setting", "connected", "enough"),
    [
        ("*", [], False),
        ("*", ["walreceiver"], True),
        ("one", ["two"], False),
        ("one, two", ["two"], True),
        ('"One"', ["one"], True),
        ("2 (one, two, three)", ["one"], False),
        ("FIRST 2 (one, two)", ["one", "two"], True),
        ("any 1 (one, two)", ["two"], True),
        ("ANY 2 (*)", ["one", "pg_basebackup"], True),
    ],
)
def test_standbys_that_are_there_are_enough_or_not(setting: str, connected: list[str], enough: bool) -> None:
    wanted = parse_standby_names(setting)
    assert (wanted.among(connected) >= wanted.number) == enough
