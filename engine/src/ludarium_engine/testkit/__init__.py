"""How titles are proven: random games with invariants, two worlds that nobody may tell apart, counts of positions."""
