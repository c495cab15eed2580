"""The words of the data file, and what is told of cards whose values no rulebook gives."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, printed_on, printed_rulings, texts_of
from ludarium_engine.kernel.title import Ruling

from .cards import FACTS, GROUPS, ROWS

HOUSE = [row for row in ROWS if row.house]
PRINTED = {
    "name": FACTS.name,
    **printed_on(ROWS),
    **{f"made.group.{row.id}": row.name for row in FACTS.sets},
    **printed_rulings(FACTS.rulings),
}


def namesakes(texts: Catalogue) -> Catalogue:
    sets = {row.id: texts[f"made.group.{row.id}"] for row in FACTS.sets}
    editions = {edition: texts[f"option.edition.{edition}"] for edition in ("base", "afterlife", "last_rites", "premium")}
    return {
        **{f"group.{i}": texts[f"made.group.{group}"] for i, group in enumerate(GROUPS)},
        **{f"kind.{i}": texts[f"card.{row.id}"] for i, row in enumerate(ROWS)},
        **{f"option.sets.{name}": text for name, text in sets.items()},
        **{f"fact.set.{name}": text for name, text in sets.items()},
        **{f"fact.edition.{edition}": text for edition, text in editions.items()},
    }


def house_values(texts: Catalogue) -> Catalogue:
    """What the API reports of a card whose values no rulebook that we have gives."""
    def text(card: str, fields: list[str]) -> str:
        return texts["made.house"].format(texts[f"card.{card}"], ", ".join(texts[f"made.house.{name}"] for name in fields))

    return {f"ruling.card.{row.id}": text(row.id, row.house) for row in HOUSE}


TEXTS = texts_of(__package__, PRINTED, namesakes, house_values)
RULINGS = (
    *FACTS.rulings,
    *(Ruling(f"card.{row.id}", TEXTS["en"][f"ruling.card.{row.id}"], house=True) for row in HOUSE),
)
