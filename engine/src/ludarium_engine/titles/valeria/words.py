"""Texts from the data file, which also name the areas and kinds of cards in options."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, printed_on, printed_rulings, texts_of

from .cards import CITIZEN_KINDS, FACTS, SETUPS, STARTER_KINDS

CITIZENS = (*FACTS.citizens, *FACTS.starters)
PRINTED = {
    "name": FACTS.name,
    **printed_on((*CITIZENS, *FACTS.monsters, *FACTS.domains, *FACTS.dukes)),
    **{f"made.{row.id}.on_turn": {"en": row.text_on_turn} for row in CITIZENS},
    **{f"made.{row.id}.off_turn": {"en": row.text_off_turn} for row in CITIZENS},
    **{f"area.{i}": area.name for i, area in enumerate(FACTS.areas)},
    **{f"option.setup.{setup.id}": setup.name for setup in SETUPS.values()},
    **printed_rulings(FACTS),
}


def citizens(texts: Catalogue) -> Catalogue:
    """Return the citizens' texts, which describe the powers on own and others' turns."""
    def text(kind: str) -> str:
        return texts["made.citizen"].format(texts[f"made.{kind}.on_turn"], texts[f"made.{kind}.off_turn"])

    return {f"card.{kind.id}.text": text(kind.id) for kind in (*CITIZEN_KINDS, *STARTER_KINDS)}


def namesakes(texts: Catalogue) -> Catalogue:
    areas = {area.id: texts[f"area.{i}"] for i, area in enumerate(FACTS.areas)}
    kinds = {kind.id: texts[f"card.{kind.id}"] for kind in CITIZEN_KINDS}
    return {
        **{f"kind.{i}": name for i, name in enumerate(kinds.values())},
        **{f"option.citizens.{kind}": name for kind, name in kinds.items()},
        **{f"option.areas.{area}": name for area, name in areas.items()},
        **{f"fact.area.{area}": name for area, name in areas.items()},
    }


TEXTS = texts_of(__package__, PRINTED, citizens, namesakes)
