"""Compare rules with small, independent models in random positions."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType

from tests.engine.kemet import battles
from tests.engine.kemet import oracle as kemet
from tests.engine.valeria import oracle as valeria
from tests.engine.valeria import tables

Compare = Callable[[object], str | None]        # a seed -> the first difference in its position
ORACLES: Mapping[str, Compare] = {
    "battles of Kemet": battles.difference,
    "harvests of Valeria": tables.harvest_differs,
    "actions of Valeria": tables.action_differs,
}
MODELS: tuple[ModuleType, ...] = (kemet, valeria)


def differences(compare: Compare, seeds: Iterable[object]) -> dict[object, str]:
    return {seed: told for seed in seeds if (told := compare(seed)) is not None}
