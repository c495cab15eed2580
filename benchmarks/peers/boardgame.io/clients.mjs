// Plays matches, each between two of boardgame.io's own clients. `node clients.mjs PORT MATCHES MOVES` plays MOVES moves in each
// match and prints {seconds, latencies}. A latency is the time in ms from a move until the opponent's client receives it.
import { createRequire } from 'node:module'
import { beats, Durak } from './game.mjs'

const require = createRequire(import.meta.url)
const { Client } = require('boardgame.io/client')
const { SocketIO } = require('boardgame.io/multiplayer')
const [port, matches, moves] = process.argv.slice(2).map(Number)
const server = `http://127.0.0.1:${port}`
const latencies = []

const post = async (path, body) => {
  const answer = await fetch(`${server}/games/durak/${path}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

const connected = client => new Promise(done => {
  client.start()
  const stop = client.subscribe(state => { if (state && client.transport.isConnected) { stop(); done() } })
})

const opened = async () => {
  const { matchID } = await post('create', { numPlayers: 2 })
  return Promise.all(['0', '1'].map(async playerID => {
    const { playerCredentials: credentials } = await post(`${matchID}/join`, { playerID, playerName: playerID })
    const client = Client({ game: Durak, multiplayer: SocketIO({ server }), matchID, playerID, credentials, debug: false })
    await connected(client)
    return client
  }))
}

const move = (client, { G, ctx }) => {
  const hand = G.hands[Number(ctx.currentPlayer)]
  if (G.table === null) return client.moves.attack(hand[0])
  const card = hand.find(card => beats(G, card, G.table))
  return card === undefined ? client.moves.take() : client.moves.defend(card)
}

// The next move is made when both clients have seen the last one.
const played = pair => new Promise(done => {
  const first = pair[0].getState()._stateID
  let start = 0, mover = -1, last = first
  const next = () => {
    const states = pair.map(client => client.getState())
    if (states.some(state => state._stateID < last)) return
    if (last - first >= moves) return done()
    mover = Number(states[0].ctx.currentPlayer)
    last += 1
    start = performance.now()
    move(pair[mover], states[mover])
  }
  pair.forEach((client, seat) => client.subscribe(state => {
    if (state._stateID !== last) return
    if (seat !== mover && start) { latencies.push(performance.now() - start); start = 0 }
    next()
  }))
  next()
})

const pairs = []
for (let n = 0; n < matches; n++) pairs.push(await opened())
const begin = performance.now()
await Promise.all(pairs.map(played))
console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000, latencies }))
process.exit(0)
