"""Texts from the data file, and the names of groups, kinds and options."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, printed_on, printed_rulings, texts_of
from ludarium_engine.kernel.house_values import house_texts

from .cards import CARDS, CARDS_OF_OPTIONS, FACTS, GROUPS, ROWS

PRINTED = {
    "name": FACTS.name,
    **printed_on(ROWS),
    **{f"made.group.{row.id}": row.name for row in FACTS.sets},
    **printed_rulings(FACTS),
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


TEXTS = texts_of(__package__, PRINTED, namesakes, house_texts(CARDS, CARDS_OF_OPTIONS))
