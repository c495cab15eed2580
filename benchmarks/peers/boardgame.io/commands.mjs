// Measures boardgame.io's Master in this process, with its storage in memory and without a network. `node commands.mjs MATCHES MOVES`
// plays MOVES moves in each match, one match after the other, and prints the moves per second. Each move is checked, reduced,
// stored, and encoded for both players and a spectator.
import { createRequire } from 'node:module'
import { beats, Durak } from './game.mjs'

const require = createRequire(import.meta.url)
const { Master } = require('boardgame.io/master')
const { Server } = require('boardgame.io/server')
const { getFilterPlayerView } = require('boardgame.io/internal')
const [matches, moves] = process.argv.slice(2).map(Number)
const filtered = getFilterPlayerView(Durak)
let newest = null, bytes = 0

const sendAll = payload => {
  newest = payload.args.at(-1)
  for (const player of ['0', '1', null]) bytes += JSON.stringify(filtered(player, payload)).length
}
const { db } = Server({ games: [Durak] })
const master = new Master(Durak, db, { send: () => {}, sendAll })

const next = ({ G, ctx }) => {
  const hand = G.hands[Number(ctx.currentPlayer)]
  if (G.table === null) return ['attack', hand[0]]
  const card = hand.find(card => beats(G, card, G.table))
  return card === undefined ? ['take'] : ['defend', card]
}

const play = async match => {
  await master.onSync(match, '0', undefined, 2)
  newest = (await db.fetch(match, { state: true })).state
  for (let n = 0; n < moves; n++) {
    const { _stateID: before, ctx: { currentPlayer: playerID } } = newest
    const [type, ...args] = next(newest)
    const refused = await master.onUpdate({ type: 'MAKE_MOVE', payload: { type, args, playerID } }, before, match, playerID)
    if (refused?.error || newest._stateID === before) throw new Error(`${type}: ${JSON.stringify(refused)}`)
  }
}

const start = performance.now()
for (let n = 0; n < matches; n++) await play(`match-${n}`)
console.log(matches * moves / (performance.now() - start) * 1000)
