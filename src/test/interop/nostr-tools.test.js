// nostr-tools as a client of the packaged relay, which listens on localhost:$RELAY_PORT.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import WebSocket from 'ws'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { Relay, useWebSocketImplementation as useForRelay } from 'nostr-tools/relay'
import { SimplePool, useWebSocketImplementation as useForPool } from 'nostr-tools/pool'

useForRelay(WebSocket)
useForPool(WebSocket)

const url = `ws://localhost:${process.env.RELAY_PORT}/`
const now = Math.floor(Date.now() / 1000)
const owner = generateSecretKey()
const reporter = generateSecretKey()
const address = `30617:${getPublicKey(owner)}:interop`

const announcement = finalizeEvent({
  kind: 30617,
  created_at: now,
  tags: [['d', 'interop'], ['relays', url], ['clone', `http://localhost:${process.env.RELAY_PORT}/interop.git`]],
  content: '',
}, owner)

const issue = (text, ...more) => finalizeEvent({
  kind: 1621, created_at: now, tags: [['a', address], ...more], content: text,
}, reporter)

const within = (promise, what) => Promise.race([
  promise,
  new Promise((_, reject) => setTimeout(() => reject(new Error(`${what} took too long`)), 10_000).unref()),
])

let relay
before(async () => {
  relay = await Relay.connect(url)
  await relay.publish(announcement)
})
after(() => relay.close())

test('what one client publishes another one reads', async () => {
  const event = issue('read me: ü, 😀, "quotes" and \u2028')
  await relay.publish(event)
  const pool = new SimplePool()
  const found = await pool.get([url], { ids: [event.id] })
  assert.equal(found.content, event.content)
  assert.equal(found.sig, event.sig)
  pool.close([url])
})

test('a subscription goes on after EOSE', async () => {
  const event = issue('live')
  let ended
  const eose = new Promise(resolve => { ended = resolve })
  const live = new Promise(resolve => {
    relay.subscribe([{ '#a': [address], since: now }], {
      oneose: ended,
      onevent: received => received.id === event.id && resolve(received),
    })
  })
  await within(eose, 'EOSE')
  const other = await Relay.connect(url)
  await other.publish(event)
  assert.equal((await within(live, 'the live event')).content, 'live')
  other.close()
})

test('a refusal arrives with its reason', async () => {
  const unrelated = finalizeEvent({ kind: 1, created_at: now, tags: [], content: 'hello' }, reporter)
  await assert.rejects(relay.publish(unrelated), /blocked: /)
})

test('a protected event is taken after authentication', async () => {
  const event = issue('mine alone', ['-'])
  const own = await Relay.connect(url)
  await assert.rejects(own.publish(event), /auth-required: /)
  await own.auth(async template => finalizeEvent(template, reporter))
  await own.publish(event)
  own.close()
})

test('events are counted', async () => {
  const before = await relay.count([{ '#a': [address] }], {})
  await relay.publish(issue('one more'))
  assert.equal(await relay.count([{ '#a': [address] }], {}), before + 1)
})
