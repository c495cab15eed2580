"""Prompts and offer labels that need arguments, and the pieces to highlight."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium_engine.kernel.bodies import Focus, Piece, Side
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Phrase
from ludarium_engine.kernel.slots import Frame

from . import actions, battle, movement, night, recruiting, rules, troops, veto
from .cards import BOXES, COST, ID, MOST_PP, RULES
from .powers import bonus, points_of, price
from .state import Kemet, board
from .verbs import SPACE

PHRASES = {
    "prompt.found_pyramid": (NUMBER,),
    "prompt.name_next": (NUMBER, NUMBER),
    "prompt.take_turn": (NUMBER,),
    "prompt.take_turn.more": (NUMBER,),
    "prompt.raise_pyramid": (NUMBER,),
    "prompt.buy_tile": ("colour.", NUMBER, NUMBER),
    "prompt.buy_tile.none": ("colour.",),
    "prompt.replace_card": (CARD,),
    "prompt.muster": (NUMBER, NUMBER),
    "prompt.place_units": (NUMBER,),
    "prompt.place_units.free": (NUMBER,),
    "prompt.march_on": (NUMBER, SPACE, NUMBER),
    "prompt.bring_creature.arrival": (CARD,),
    "prompt.bring_creature.homecoming": (CARD,),
    "prompt.veto": (SEAT, CARD),
    "prompt.veto.veto": (SEAT, CARD, CARD),
    "prompt.escape": (SEAT, SPACE, NUMBER, NUMBER),
    "prompt.flee": (SPACE,),
    "prompt.show": (SEAT, SPACE),
    "prompt.choose_cards.attacking": (SEAT, SPACE, NUMBER, NUMBER),
    "prompt.choose_cards.defending": (SEAT, SPACE, NUMBER, NUMBER),
    "prompt.wound": (SEAT, SPACE),
    "prompt.take_fate": (SEAT, SPACE, NUMBER),
    "prompt.take_fate.alone": (SEAT, SPACE, NUMBER),
    "prompt.send_away": (SEAT, SPACE, NUMBER),
    "prompt.rest": (SPACE, NUMBER),
    # --- offers
    "verb.found": ("colour.", SPACE, NUMBER),
    "verb.found.paid": ("colour.", SPACE, NUMBER, NUMBER),
    "verb.garrison": (NUMBER, SPACE, NUMBER, SPACE, NUMBER, SPACE),
    "verb.reinforce": (NUMBER,),
    "verb.bless": ("colour.", SPACE, NUMBER),
    "verb.bless_new": ("colour.", SPACE),
    "verb.name": (SEAT, NUMBER),
    "verb.act": ("box.",),
    "verb.act.pray": ("box.", NUMBER),
    "verb.silver": ("box.",),
    "verb.silver.pray": ("box.", NUMBER),
    "verb.play": (CARD, NUMBER),
    "verb.veto": (CARD, NUMBER),
    "verb.escape": (CARD, NUMBER),
    "verb.pass.announcement": (),
    "verb.pass.assault": (),
    "verb.nothing.raising": (),
    "verb.nothing.buying": (),
    "verb.nothing.recruiting": (),
    "verb.nothing.moving": (),
    "verb.raise": ("colour.", SPACE, NUMBER, NUMBER),
    "verb.buy": (CARD, NUMBER),
    "verb.muster": (NUMBER, NUMBER),
    "verb.muster.nobody": (),
    "verb.place": (NUMBER, SPACE),
    "verb.place.fight": (NUMBER, SPACE, SEAT),
    "verb.storm": (SPACE, NUMBER, SEAT, NUMBER),
    "verb.lead": (NUMBER, SPACE),
    "verb.lead.creature": (NUMBER, SPACE, CARD),
    "verb.carry": (NUMBER,),
    "verb.carry.with": (NUMBER, CARD),
    "verb.carry.without": (NUMBER, CARD),
    "verb.step": (SPACE,),
    "verb.step.attack": (SPACE, SEAT, NUMBER),
    "verb.teleport": (SPACE, NUMBER),
    "verb.teleport.attack": (SPACE, NUMBER, SEAT, NUMBER),
    "verb.burn": (SPACE, SEAT),
    "verb.recall": (NUMBER, NUMBER),
    "verb.sacrifice": (NUMBER, SPACE, NUMBER),
    "verb.sacrifice.point": (NUMBER, SPACE),
}


# --- prompts: setup, night and day ---------------------------------------------------------------------------------------
def found_pyramid(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.found_pyramid", (rules.levels_left(s, seat),))


def name_next(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.name_next", (points_of(s, seat), len(s.next_order) + 1))


def take_turn(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.take_turn.more" if s.acted else "prompt.take_turn", (s.pp[seat],))


def raise_pyramid(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.raise_pyramid", (s.pp[seat],))


def buy_tile(s: Kemet, f: Frame, seat: int) -> Phrase:
    colour = actions.colour(f)
    if best := actions.best_level(s, seat, colour):
        return Phrase("prompt.buy_tile", (colour, best, s.pp[seat]))
    return Phrase("prompt.buy_tile.none", (colour,))


def replace_card(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.replace_card", (actions.special(f),))


def muster(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.muster", (s.reserve[seat], s.pp[seat]))


def place_units(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.place_units" if recruiting.scope(f) == recruiting.PAID else "prompt.place_units.free", (s.mustered,))


def march_on(s: Kemet, f: Frame, seat: int) -> Phrase:
    """Return the prompt for a moving troop, which states the remaining movement.

    Before the first step, the movement of the troop's creature is included.
    """
    more = 0 if s.departed else troops.movement_of(movement.party_creature(s))
    return Phrase("prompt.march_on", (s.carried, s.where, s.reach + more))


def bring_creature(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase(f"prompt.bring_creature.{f.script}", (troops.creature(f),))


# --- prompts: other seats' cards, and battles ----------------------------------------------------------------------------
def cancel(s: Kemet, f: Frame, seat: int) -> Phrase:
    if ID[veto.card(f)] == "veto":
        return Phrase("prompt.veto.veto", (f.seat, veto.card(f), veto.card(s.agenda[-2])))
    return Phrase("prompt.veto", (f.seat, veto.card(f)))


def escape(s: Kemet, f: Frame, seat: int) -> Phrase:
    space = battle.where(f)
    return Phrase("prompt.escape", (f.seat, space, s.attackers, s.units[space]))


def flee(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.flee", (battle.where(f),))


def show(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.show", (battle.other(f, seat), battle.where(f)))


def choose_cards(s: Kemet, f: Frame, seat: int) -> Phrase:
    foe, side = battle.other(f, seat), "attacking" if seat == f.seat else "defending"
    units = (battle.survivors(s, f, p) for p in (seat, foe))
    return Phrase(f"prompt.choose_cards.{side}", (foe, battle.where(f), *units))


def wound(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.wound", (battle.other(f, seat), battle.where(f)))


def take_fate(s: Kemet, f: Frame, seat: int) -> Phrase:
    how = "prompt.take_fate" if battle.driven_away(s, f) else "prompt.take_fate.alone"
    return Phrase(how, (s.winner, battle.where(f), battle.survivors(s, f, seat)))


def send_away(s: Kemet, f: Frame, seat: int) -> Phrase:
    beaten = battle.loser(s, f)
    return Phrase("prompt.send_away", (beaten, battle.where(f), battle.survivors(s, f, beaten)))


def rest(s: Kemet, f: Frame, seat: int) -> Phrase:
    space = battle.where(f)
    return Phrase("prompt.rest", (space, s.units[space]))


ASKS: Mapping[str, Callable[[Kemet, Frame, int], Phrase]] = {
    "found_pyramid": found_pyramid, "name_next": name_next, "take_turn": take_turn, "raise_pyramid": raise_pyramid,
    "buy_tile": buy_tile, "replace_card": replace_card, "muster": muster, "place_units": place_units,
    "march_on": march_on, "bring_creature": bring_creature, "veto": cancel, "escape": escape, "flee": flee, "show": show,
    "choose_cards": choose_cards, "wound": wound, "take_fate": take_fate, "send_away": send_away, "rest": rest,
}  # fmt: skip


# --- offers: setup and night -----------------------------------------------------------------------------------------------
def found(s: Kemet, f: Frame, seat: int, space: int, colour: int, level: int) -> Phrase:
    if f.script == "founding":
        return Phrase("verb.found", (colour, space, level))
    return Phrase("verb.found.paid", (colour, space, level, raising(s, seat, 0, level)))


def raising(s: Kemet, seat: int, before: int, after: int) -> int:
    return price(s, seat, actions.raising_cost(s, seat, before, after))


def garrison(s: Kemet, f: Frame, seat: int, a: int, b: int, c: int) -> Phrase:
    first, second, third = troops.city_of(s, seat)
    return Phrase("verb.garrison", (a, first, b, second, c, third))


def reinforce(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase("verb.reinforce", (min(s.night[seat][night.REINFORCEMENTS], s.reserve[seat]),))


def bless(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    return Phrase("verb.bless", (s.pyramid[space], space, s.level[space] + 1))


def bless_new(s: Kemet, f: Frame, seat: int, space: int, colour: int) -> Phrase:
    return Phrase("verb.bless_new", (colour, space))


def name(s: Kemet, f: Frame, seat: int, named: int) -> Phrase:
    return Phrase("verb.name", (named, len(s.next_order) + 1))


# --- offers: actions -------------------------------------------------------------------------------------------------------
def act(s: Kemet, f: Frame, seat: int, box: int) -> Phrase:
    return token("verb.act", s, seat, box)


def silver(s: Kemet, f: Frame, seat: int, box: int) -> Phrase:
    return token("verb.silver", s, seat, box)


def token(verb: str, s: Kemet, seat: int, box: int) -> Phrase:
    if BOXES[box] == "pray":
        return Phrase(f"{verb}.pray", (box, gained(s, seat, RULES["pray_pp"] + bonus(s, seat, "pray_bonus"))))
    return Phrase(verb, (box,))


def gained(s: Kemet, seat: int, points: int) -> int:
    return min(points, MOST_PP - s.pp[seat])


def raise_(s: Kemet, f: Frame, seat: int, space: int, level: int) -> Phrase:
    return Phrase("verb.raise", (s.pyramid[space], space, level, raising(s, seat, s.level[space], level)))


def buy(s: Kemet, f: Frame, seat: int, tile: int) -> Phrase:
    return Phrase("verb.buy", (tile, price(s, seat, actions.tile_cost(s, seat, tile))))


def recruit(s: Kemet, f: Frame, seat: int, n: int) -> Phrase:
    return Phrase("verb.muster", (n, actions.recruiting_cost(s, seat, n))) if n else Phrase("verb.muster.nobody")


def place(s: Kemet, f: Frame, seat: int, space: int, n: int) -> Phrase:
    if s.units[space] and s.holder[space] != seat:
        return Phrase("verb.place.fight", (n, space, s.holder[space]))
    return Phrase("verb.place", (n, space))


def storm(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    return Phrase("verb.storm", (space, s.recruits[space], s.holder[space], s.units[space]))


def nothing(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase(f"verb.nothing.{f.script}")


# --- offers: a move --------------------------------------------------------------------------------------------------------
def lead(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    present = s.creatures[space]
    return Phrase("verb.lead.creature" if present else "verb.lead", (s.units[space], space, *present))


def carry(s: Kemet, f: Frame, seat: int, n: int, beast: int) -> Phrase:
    present = s.creatures[s.where]
    how = (".without", ".with")[beast] if present else ""
    return Phrase(f"verb.carry{how}", (n, *present))


def step(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    if movement.hostile(s, seat, space):
        return Phrase("verb.step.attack", (space, s.holder[space], s.units[space]))
    return Phrase("verb.step", (space,))


def teleport(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    cost = movement.teleport_cost(s, seat)
    if movement.hostile(s, seat, space):
        return Phrase("verb.teleport.attack", (space, cost, s.holder[space], s.units[space]))
    return Phrase("verb.teleport", (space, cost))


# --- offers: cards and battles -----------------------------------------------------------------------------------------------
def priced(verb: str) -> Callable[[Kemet, Frame, int, int], Phrase]:
    """Return a function that labels offers with an intervention card and its price."""
    return lambda s, f, seat, card: Phrase(verb, (card, price(s, seat, COST[card])))


def pass_(s: Kemet, f: Frame, seat: int) -> Phrase:
    return Phrase(f"verb.pass.{f.script}")


def burn(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    return Phrase("verb.burn", (space, s.holder[space]))


def recall(s: Kemet, f: Frame, seat: int) -> Phrase:
    n = battle.survivors(s, f, seat) or s.units[battle.where(f)]
    return Phrase("verb.recall", (n, gained(s, seat, n * RULES["recall_pp_per_unit"])))


def sacrifice(s: Kemet, f: Frame, seat: int, space: int) -> Phrase:
    if space == board(s).sanctuary:
        return Phrase("verb.sacrifice.point", (rules.SANCTUARY_UNITS, space))
    points, units = board(s).temples[space]
    return Phrase("verb.sacrifice", (units, space, gained(s, seat, points)))


LABELS: Mapping[str, Callable[..., Phrase]] = {
    "found": found, "garrison": garrison, "reinforce": reinforce, "bless": bless, "bless_new": bless_new, "name": name,
    "act": act, "silver": silver, "raise": raise_, "buy": buy, "muster": recruit, "place": place, "storm": storm,
    "nothing": nothing, "lead": lead, "carry": carry, "step": step, "teleport": teleport, "burn": burn, "recall": recall,
    "sacrifice": sacrifice, "pass": pass_, **{verb: priced(f"verb.{verb}") for verb in ("play", "veto", "escape")},
}  # fmt: skip


# --- focus -----------------------------------------------------------------------------------------------------------------
def focus(s: Kemet) -> Focus | None:
    """Return the pieces to highlight.

    These are the announced cards, and the battle or, if there is none, the moving troop.
    """
    pieces = [Piece("card", ABOUT[f.script](f)) for f in reversed(s.agenda) if f.script in ABOUT]
    fight = next((f for f in reversed(s.agenda) if f.script in ("assault", "battle")), None)
    if fight is not None:
        space = battle.where(fight)
        return Focus([*pieces, Piece("slot", space, SPACE)], [side(s, fight, seat) for seat in battle.fighters(s, fight)])
    if s.marching:
        pieces.append(Piece("slot", s.where, SPACE))
    return Focus(pieces) if pieces else None


ABOUT = {
    "announcement": veto.card, "arrival": troops.creature, "homecoming": troops.creature, "drill": actions.special,
}  # fmt: skip


def side(s: Kemet, fight: Frame, seat: int) -> Side:
    """Return one side of a battle with units, creature and revealed cards.

    Until the battle is decided, strength, damage and protection are included.
    """
    beasts = s.charging if seat == fight.seat else s.creatures[battle.where(fight)]
    counts = {} if battle.struck(fight) else battle.counts(s, fight, seat)
    return Side(seat, battle.survivors(s, fight, seat), (*beasts, *s.fighting[seat], *s.hidden_help[seat]), counts)
