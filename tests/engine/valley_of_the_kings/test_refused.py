"""Actions for which one condition is not met are not offered."""
from __future__ import annotations

from typing import Any

import pytest

from tests.engine.valley_of_the_kings import (
    test_afterlife_cards,
    test_base_cards,
    test_last_rites_cards,
    test_premium_cards,
)
from tests.engine.valley_of_the_kings.scene import table

FILES = (test_base_cards, test_afterlife_cards, test_last_rites_cards, test_premium_cards)
REFUSED = [row for file in FILES for row in file.REFUSED]


@pytest.mark.parametrize(("card", "missing", "zones"), REFUSED, ids=[f"{card}: {why}" for card, why, _ in REFUSED])
def test_not_offered_without(card: str, missing: str, zones: dict[str, Any]) -> None:
    hand = f"{card} {zones.get('hand', '')}"
    assert card not in table(**{**zones, "hand": hand}).can("act"), f"{card} offered without {missing}"
