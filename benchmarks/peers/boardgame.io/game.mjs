// A Durak-like game for two: attack with a card, beat it with a higher one of its suit or a trump, or take it.
// When a player has no cards left, all 36 are dealt anew, so a match never ends and all moves cost about the same.
const CARDS = 36, HAND = 6, RANKS = 9

const deal = random => {
  const deck = random.Shuffle([...Array(CARDS).keys()])
  const hands = [deck.splice(0, HAND), deck.splice(0, HAND)]
  return { deck, hands, trump: Math.floor(deck[0] / RANKS), table: null }
}

const suit = card => Math.floor(card / RANKS)
export const beats = (G, card, other) => suit(card) === suit(other) ? card > other : suit(card) === G.trump

const refill = (G, random) => {
  for (const hand of G.hands) while (hand.length < HAND && G.deck.length) hand.push(G.deck.pop())
  if (G.hands.some(hand => !hand.length)) Object.assign(G, deal(random))
}

const play = (G, player, card) => {
  const hand = G.hands[player]
  hand.splice(hand.indexOf(card), 1)
}

const attack = ({ G, playerID, events }, card) => {
  if (G.table !== null || !G.hands[playerID].includes(card)) return 'INVALID_MOVE'
  play(G, playerID, card)
  G.table = card
  events.endTurn()
}

const defend = ({ G, playerID, random }, card) => {
  if (G.table === null || !G.hands[playerID].includes(card) || !beats(G, card, G.table)) return 'INVALID_MOVE'
  play(G, playerID, card)
  G.table = null
  refill(G, random)
}

const take = ({ G, playerID, random, events }) => {
  if (G.table === null) return 'INVALID_MOVE'
  G.hands[playerID].push(G.table)
  G.table = null
  refill(G, random)
  events.endTurn()
}

// Clients do not know hidden cards, so only the server applies the moves.
const onServer = move => ({ move, client: false })

export const Durak = {
  name: 'durak',
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => deal(random),
  playerView: ({ G, playerID }) => ({
    ...G, deck: G.deck.length, hands: G.hands.map((hand, seat) => String(seat) === playerID ? hand : hand.length),
  }),
  moves: { attack: onServer(attack), defend: onServer(defend), take: onServer(take) },
}
