"""Both verifiers agree with the index of the published records."""
from __future__ import annotations

import pytest

from ludarium.records.reading import InvalidRecord, read_record
from ludarium.records.verify import verify
from tests.records import stranger
from tests.records.vectors import FOLDER, Vector, published, read, vectors


@pytest.mark.parametrize("vector", published(), ids=lambda vector: vector.file)
def test_both_readers_say_what_the_index_says(vector: Vector) -> None:
    data = read(vector)
    try:
        rows, draws, zones = stranger.examine(data)
        assert vector.holds and (rows, draws) == (vector.rows, vector.draws)
        assert {str(n): digest for n, digest in zones.items()} == vector.zones
    except stranger.Wrong as wrong:
        assert not vector.holds and wrong.args[0] == vector.seq, wrong
    try:
        finding = verify(read_record(data)).finding
        assert (finding is None) == vector.holds and (finding.seq if finding else None) == vector.seq
    except InvalidRecord:
        assert not vector.holds and vector.seq is None


def test_all_but_one_are_of_the_present_rules_and_data() -> None:
    """Sentences are compared only under these, so an older record would let a changed word pass."""
    made_under = {vector.file: verify(read_record(read(vector))).made_under for vector in published() if vector.holds}
    assert [name for name, versions in made_under.items() if versions] == ["changed-rules.json.gz"]


def test_what_is_written_today_holds_for_both() -> None:
    """The published records were written under the rules and data of their time."""
    for name, _, data in vectors():
        assert verify(read_record(data)).finding is None, name
        stranger.examine(data)


def test_nothing_else_lies_there() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {"index.json", *(vector.file for vector in published())}
