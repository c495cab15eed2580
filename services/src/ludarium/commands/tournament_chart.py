"""Line charts as SVG, readable in black and white."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LEGEND = 720, 420, 56, 24, 48, 22
STROKES = ("", "8 4", "2 3", "10 3 2 3", "14 6", "4 8", "1 6")
COLOURS = ("#1b6ca8", "#b3431c", "#2e7d32", "#6a1b9a", "#8a6d00", "#00695c", "#5d4037")
Line = tuple[str, Sequence[float]]


def draw_chart(lines: Sequence[Line]) -> str:
    """Draw the rank correlation by round; 1 means that ranks match strengths."""
    rounds = max((len(values) for _, values in lines), default=1)
    height = HEIGHT + LEGEND * len(lines)
    drawn = [*draw_grid(rounds), *(part for at, line in enumerate(lines) for part in draw_line(at, line, rounds))]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">'
        f'<title>Rank correlation by round</title><rect width="{WIDTH}" height="{height}" fill="#fff"/>{"".join(drawn)}</svg>\n'
    )


def x_of(round: int, rounds: int) -> float:
    return LEFT + (WIDTH - LEFT - 24) * (round - 1) / max(1, rounds - 1)


def y_of(value: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - max(0.0, value))


def draw_grid(rounds: int) -> list[str]:
    levels = [level / 5 for level in range(6)]
    rules = [f'<path d="M{LEFT} {y_of(level):.1f}H{WIDTH - 24}" stroke="#ddd"/>'
             f'<text x="{LEFT - 8}" y="{y_of(level) + 4:.1f}" text-anchor="end">{level:.1f}</text>' for level in levels]
    marks = [f'<text x="{x_of(at, rounds):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{at}</text>'
             for at in range(1, rounds + 1)]
    return [*rules, *marks, f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">round</text>']


def draw_line(at: int, line: Line, rounds: int) -> list[str]:
    name, values = line
    look = f'fill="none" stroke="{COLOURS[at % len(COLOURS)]}" stroke-width="2" stroke-dasharray="{STROKES[at % len(STROKES)]}"'
    points = " ".join(f"{x_of(round, rounds):.1f},{y_of(value):.1f}" for round, value in enumerate(values, 1))
    y = HEIGHT + LEGEND * at + 8
    return [f'<polyline points="{points}" {look}/>', f'<path d="M{LEFT} {y}h40" {look}/>',
            f'<text x="{LEFT + 48}" y="{y + 4}">{escape(name)}</text>']
