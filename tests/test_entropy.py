"""The seeded source of randomness, and which changes affect its draws."""

from collections.abc import Callable

import pytest

from ludarium.platform import ids
from ludarium.platform.entropy import Part
from tests.support.entropy import ENTROPY, SeededEntropy, encoded


def test_a_draw_is_the_same_in_each_run_whatever_is_drawn_in_between() -> None:
    one, other = SeededEntropy("seed"), SeededEntropy("seed")
    first = [one.draw(8, "deal", "table"), one.draw(8, "bot", "table", 2)]
    second = [other.draw(8, "bot", "table", 2), other.draw(8, "deal", "table")]
    assert first == second[::-1]
    assert SeededEntropy("seed").draw(16, "deal", "table").hex() == "23b3a707a366b1f07003b7d4ab166678"


@pytest.mark.parametrize(
    "changed",
    [
        lambda: SeededEntropy("other seed").draw(8, "deal", "table"),
        lambda: SeededEntropy("seed", "2").draw(8, "deal", "table"),        # a second worker, or the same one restarted
        lambda: SeededEntropy("seed").draw(8, "deal", "other table"),
        lambda: SeededEntropy("seed").draw(8, "bot", "table"),
    ],
)
def test_each_of_seed_start_purpose_and_table_gives_another_draw(changed: Callable[[], bytes]) -> None:
    assert changed() != SeededEntropy("seed").draw(8, "deal", "table")


def test_what_is_drawn_again_is_another_draw() -> None:
    entropy = SeededEntropy("seed")
    assert len({entropy.draw(8, "deal", "table") for _ in range(1000)}) == 1000


def test_a_scope_draws_as_if_nothing_was_drawn_before_it() -> None:
    entropy = SeededEntropy("seed")
    draws = []
    for _ in range(2):
        entropy.draw(8, "deal", "table")
        with entropy.scope("test"):
            draws.append([entropy.draw(8, "deal", "table") for _ in range(2)])
    assert draws[0] == draws[1] and draws[0][0] != draws[0][1]


def test_no_two_names_are_the_same() -> None:
    names: list[tuple[Part, ...]] = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("abc", 0), ("abc", 1)]
    assert len({encoded(*name) for name in names}) == len(names)


def test_an_id_counts_by_what_was_drawn_of_it() -> None:
    one, other = SeededEntropy("seed"), SeededEntropy("seed")
    first, second = ids.new_table_id(one, "table", creator="ada"), ids.new_table_id(other, "table", creator="bea")
    assert ids.partition_of(first) != ids.partition_of(second)
    assert encoded(first) == encoded(second) == encoded(ids.encode(second))
    assert encoded(ids.new_table_id(one, "table")) != encoded(first)


def test_each_test_draws_for_itself(request: pytest.FixtureRequest) -> None:
    assert ENTROPY.seed.endswith(request.node.nodeid)
