// boardgame.io's own server, in memory. `node server.mjs PORT`
import { createRequire } from 'node:module'
import { Durak } from './game.mjs'

const { Server, Origins } = createRequire(import.meta.url)('boardgame.io/server')
await Server({ games: [Durak], origins: [Origins.LOCALHOST_IN_DEVELOPMENT] }).run(Number(process.argv[2]))
