"""Define the format of the data file, with cards, effects and set-ups."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from ludarium_engine.kernel.title import DataFile, DataProblem

Small = Annotated[int, Meta(ge=0, le=99)]
ROLES = ("worker", "soldier", "shadow", "holy")
Role = Annotated[str, Meta(pattern="^(worker|soldier|shadow|holy)$")]
Tokens = dict[Annotated[str, Meta(pattern="^(gold|strength|magic|vp)$")], Small]
Resources = dict[Annotated[str, Meta(pattern="^(gold|strength|magic)$")], Small]
Counts = dict[Annotated[str, Meta(pattern="^(worker|soldier|shadow|holy|citizen|domain|monster|titan)$")], Small]
Roles = dict[Role, Small]


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The citizens that a reward allows, by role, name and highest printed cost."""

    role: Role | None = None
    named: str | None = None
    cost: int = 99


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of an ordinary card.

    Attributes:
        gain: tokens from the bank.
        each: tokens from the bank for each card counted by `per`.
        per: which cards `each` counts: ("role", role), ("named", name), ("domains", ""), ("area", area).
        pay: tokens to pay for the gain, which is then optional.
        choose: effects of which the player chooses one.
        citizen: which citizens the player may take one of.
        take: for each kind of token, the most that can be taken from one opponent; one kind is chosen.
    """

    gain: Tokens = {}
    each: Tokens = {}
    per: tuple[Literal["", "role", "named", "domains", "area"], str] = ("", "")
    pay: Resources = {}
    choose: tuple[Effect, ...] = ()
    citizen: Filter | None = None
    take: Resources = {}

    def __post_init__(self) -> None:
        """Reject combinations that the rules do not support."""
        if sum(map(bool, (self.pay, self.choose, self.take, self.citizen is not None))) > 1:
            raise ValueError("only one of pay, choose, take and citizen is possible")
        if bool(self.each) != any(self.per):
            raise ValueError("`per` says what `each` counts")
        if self.pay and self.each:
            raise ValueError("what is paid for is a fixed number")
        if not all(option.is_one for option in self.choose):
            raise ValueError("one chooses among kinds of tokens and citizens")

    @property
    def is_one(self) -> bool:
        """Whether the effect gives a citizen or one kind of token, but not points."""
        kinds = self.gain.keys() | self.each.keys()
        one = self.citizen is not None or (len(kinds) == 1 and kinds != {"vp"})
        return one and not (self.pay or self.choose or self.take)

    @property
    def asks(self) -> bool:
        """Whether the owner may have to decide something."""
        return bool(self.pay or self.choose or self.take or self.citizen is not None)


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named row; `name` is by locale."""

    id: str
    name: dict[str, str]


class Citizen(Row, frozen=True):
    """A citizen or starter.

    Starters have no role. Cards with the same `named` raise each other's price.
    """

    named: str
    activation: tuple[Annotated[int, Meta(ge=1, le=12)], ...]
    gold: Small
    role: Role | None
    copies: Small
    on_turn: Effect
    off_turn: Effect
    text_on_turn: str
    text_off_turn: str

    def __post_init__(self) -> None:
        """Reject powers that a harvest does not support."""
        if self.off_turn.take:
            raise ValueError("only on one's own turn something is taken")
        for power in (self.on_turn, self.off_turn):
            if any(part.citizen is not None or "vp" in part.gain | part.each for part in (power, *power.choose)):
                raise ValueError("a harvest brings neither points nor citizens")
            if any(option.each for option in power.choose):
                raise ValueError("in a harvest only fixed numbers are chosen from")


class Monster(Row, frozen=True):
    area: str
    type: str
    copies: Small
    only_at_five: Small
    strength: Small
    magic: Small
    vp: Small
    reward: Effect
    text: str


class Domain(Row, frozen=True):
    """A domain.

    Attributes:
        built: the effect when it is built.
        start: the effect at the start of its owner's action phase.
        finish: the effect at the end of its owner's action phase.

    Effects of domains with none of these are programmed in the rules, by id.
    """

    gold: Small
    roles: Roles
    vp: Small
    text: str
    built: Effect = Effect()
    start: Effect = Effect()
    finish: Effect = Effect()

    def __post_init__(self) -> None:
        if self.start != Effect(gain=self.start.gain):
            raise ValueError("`start` brings tokens and nothing else")
        if self.finish != Effect(take=self.finish.take):
            raise ValueError("`finish` takes from an opponent and nothing else")
        if self.finish.asks and self.built.asks:
            raise ValueError("only one of built and finish may leave anything to decide")


class Duke(Row, frozen=True):
    """A duke.

    Attributes:
        vp_per: points for each role icon, card or titan.
        resources: the number of remaining resources that score one point.
    """

    vp_per: Counts
    resources: Annotated[int, Meta(ge=1, le=99)]
    text: str


class Setup(Row, frozen=True):
    """A recommended set-up; `removed` are the domains that are left out."""

    areas: tuple[str, ...]
    citizens: tuple[str, ...]
    removed: tuple[str, ...]


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gold: Small
    magic: Small


class File(DataFile, frozen=True, kw_only=True):
    """The data file; `stacks` are the possible citizens of each stack."""

    known: ClassVar = ("areas", "citizens", "domains", "setups")
    seats: tuple[Annotated[int, Meta(ge=1, le=5)], Annotated[int, Meta(ge=1, le=5)]]
    start: Start
    stacks: Annotated[list[list[str]], Meta(min_length=10, max_length=10)]
    areas: list[Row]
    citizens: list[Citizen]
    starters: list[Citizen]
    monsters: list[Monster]
    domains: list[Domain]
    dukes: list[Duke]
    setups: list[Setup]


def wrong(file: File) -> Iterator[DataProblem]:
    """Yield a problem for each name without an area, citizen or domain."""
    ids = {row.id for row in (*file.areas, *file.citizens, *file.domains)}
    named = {name for setup in file.setups for name in (*setup.areas, *setup.citizens, *setup.removed)}
    named |= {monster.area for monster in file.monsters} | {kind for stack in file.stacks for kind in stack}
    for name in sorted(named - ids):
        yield DataProblem("", f"there is no area, citizen or domain {name}")
