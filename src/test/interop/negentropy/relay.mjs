// A small relay that compares by NIP-77 with nostr-tools on its side. It keeps what it takes in memory, every version of
// everything, hands out all that a filter matches, and counts what it is asked.
//
// node relay.mjs PORT FRAME_LIMIT [FILE]
//
// Its messages of a comparison have FRAME_LIMIT bytes at the most, and it asks for such: in hex they fit the
// max_message_length that it announces (NIP-11). FILE has an event a line, and is what it starts with.
//
// GET /ids    the ids of all events it has
// GET /counts how much it was asked: see counts
// GET /brought the ids that REQs brought, as often as they did: see brought
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { matchFilter, matchFilters } from 'nostr-tools/filter'
import { verifyEvent } from 'nostr-tools/pure'
import { WebSocketServer } from 'ws'
// By its file: the package does not export it by name.
import { Negentropy, NegentropyStorageVector } from './node_modules/nostr-tools/lib/esm/nip77.js'
import { answer } from './server.mjs'

const [port, frameLimit, file] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]]
const information = {
  name: 'a relay that compares by nostr-tools',
  supported_nips: [1, 11, 77],
  limitation: { max_message_length: 2 * frameLimit + 1024 },
}

const counts = {
  // REQs by what they are for: see brought.
  live: 0,
  byId: 0,
  history: 0,
  // NEG-OPENs, and the messages of comparisons, theirs included.
  comparisons: 0,
  rounds: 0,
  // Bytes of the longest message of a comparison, in and out.
  longestIn: 0,
  longestOut: 0,
  // EVENTs that were taken.
  published: 0,
}

const brought = {
  // No more than one event a filter: it is for what comes live.
  live: [],
  byId: [],
  // All else.
  history: [],
}

const events = new Map()
const connections = new Set()

const stored = filter => {
  const found = filter.ids ? filter.ids.flatMap(id => events.get(id) ?? []) : [...events.values()]
  return found
    .filter(event => matchFilter(filter, event))
    .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
    .slice(0, filter.limit)
}

const reason = filters =>
  filters.every(filter => filter.limit <= 1) ? 'live' : filters.every(filter => filter.ids) ? 'byId' : 'history'

const handlers = {
  EVENT({ send }, event) {
    if (!verifyEvent(event)) {
      return send('OK', event.id, false, 'invalid: id or signature is wrong')
    }
    if (events.has(event.id)) {
      return send('OK', event.id, true, 'duplicate: it is here')
    }
    counts.published++
    events.set(event.id, event)
    send('OK', event.id, true, '')
    for (const other of connections) {
      other.subscriptions.forEach((filters, id) => matchFilters(filters, event) && other.send('EVENT', id, event))
    }
  },

  REQ({ send, subscriptions }, id, ...filters) {
    const found = new Map(filters.flatMap(stored).map(event => [event.id, event]))
    const what = reason(filters)
    counts[what]++
    brought[what].push(...found.keys())
    found.forEach(event => send('EVENT', id, event))
    send('EOSE', id)
    subscriptions.set(id, filters)
  },

  CLOSE({ subscriptions }, id) {
    subscriptions.delete(id)
  },

  'NEG-OPEN'(connection, id, filter, message) {
    counts.comparisons++
    const storage = new NegentropyStorageVector()
    stored(filter).forEach(event => storage.insert(event.created_at, event.id))
    storage.seal()
    connection.comparisons.set(id, new Negentropy(storage, frameLimit))
    handlers['NEG-MSG'](connection, id, message)
  },

  'NEG-MSG'({ send, comparisons }, id, message) {
    const comparison = comparisons.get(id)
    if (!comparison) {
      return send('NEG-ERR', id, 'closed: there is no comparison of this name')
    }
    const reply = answer(comparison, message)
    counts.rounds++
    counts.longestIn = Math.max(counts.longestIn, message.length / 2)
    counts.longestOut = Math.max(counts.longestOut, reply.length / 2)
    send('NEG-MSG', id, reply)
  },

  'NEG-CLOSE'({ comparisons }, id) {
    comparisons.delete(id)
  },
}

if (file) {
  readFileSync(file, 'utf8').split('\n').filter(line => line).map(line => JSON.parse(line))
    .forEach(event => events.set(event.id, event))
}

const server = createServer((request, response) => {
  const pages = { '/': () => information, '/ids': () => [...events.keys()], '/counts': () => counts, '/brought': () => brought }
  response.setHeader('Content-Type', request.url === '/' ? 'application/nostr+json' : 'application/json')
  response.end(JSON.stringify(pages[request.url]?.() ?? null))
})
new WebSocketServer({ server }).on('connection', socket => {
  const send = (...message) => socket.send(JSON.stringify(message))
  const connection = { send, subscriptions: new Map(), comparisons: new Map() }
  connections.add(connection)
  socket.on('message', data => {
    try {
      const [type, ...rest] = JSON.parse(data)
      handlers[type](connection, ...rest)
    } catch (error) {
      send('NOTICE', `invalid: ${error}`)
    }
  })
  socket.on('close', () => connections.delete(connection))
  socket.on('error', () => socket.terminate())
})
server.listen(port, '127.0.0.1', () => console.log('listening'))
