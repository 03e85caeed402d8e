// A client that compares with a relay over a WebSocket, all by nostr-tools. Lines on stdin: "created_at id" for each item
// it has. One line of JSON on stdout: {have, need}.
//
// node client.mjs URL FRAME_LIMIT FILTER
import { createInterface } from 'node:readline'
import { Relay, useWebSocketImplementation } from 'nostr-tools/relay'
import WebSocket from 'ws'
// By its file: the package does not export it by name.
import { Negentropy, NegentropyStorageVector, NegentropySync } from './node_modules/nostr-tools/lib/esm/nip77.js'

const [url, frameLimit, filter] = [process.argv[2], Number(process.argv[3]), JSON.parse(process.argv[4])]

const storage = new NegentropyStorageVector()
for await (const line of createInterface({ input: process.stdin })) {
  const [createdAt, id] = line.split(' ')
  storage.insert(Number(createdAt), id)
}
storage.seal()

useWebSocketImplementation(WebSocket)
const relay = await Relay.connect(url)
const have = []
const need = []
const failure = await new Promise((resolve, reject) => {
  const sync = new NegentropySync(relay, storage, filter, {
    onhave: id => have.push(id),
    onneed: id => need.push(id),
    onclose: resolve,
  })
  // It says nothing of a refusal but that it is over, and nothing at all of a lost connection.
  const take = sync.subscription.oncustom
  sync.subscription.oncustom = message => message[0] === 'NEG-ERR' ? reject(new Error(message[2])) : take(message)
  relay.onclose = () => reject(new Error('the connection was lost'))
  // It takes no frame limit.
  sync.neg = new Negentropy(storage, frameLimit)
  sync.start()
})
if (failure) {
  throw new Error(failure)
}
relay.onclose = null
relay.close()
console.log(JSON.stringify({ have, need }))
