// One side of a session, as nostr-tools does it. Lines on stdin: a JSON header {role, frameLimit, items: count}, then
// "created_at id" per item, then the other side's messages in hex. Each message is answered by one line on stdout. A
// client starts with its first message and ends with a line of JSON: {have, need}.
import { createInterface } from 'node:readline'
// By its file: the package does not export it by name.
import { Negentropy, NegentropyStorageVector } from './node_modules/nostr-tools/lib/esm/nip77.js'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const read = async () => (await lines.next()).value

const { role, frameLimit, items } = JSON.parse(await read())
const storage = new NegentropyStorageVector()
for (let i = 0; i < items; i++) {
  const [createdAt, id] = (await read()).split(' ')
  storage.insert(Number(createdAt), id)
}
storage.seal()
// nostr-tools knows no "without limit".
const negentropy = new Negentropy(storage, frameLimit || Number.MAX_SAFE_INTEGER)

if (role === 'client') {
  const have = []
  const need = []
  let message = negentropy.initiate()
  while (message) {
    console.log(message)
    message = negentropy.reconcile(await read(), id => have.push(id), id => need.push(id))
  }
  // A pipe takes long lines piece by piece: not before all is written may the process end.
  process.stdout.write(JSON.stringify({ have, need }) + '\n', () => process.exit(0))
} else {
  const { answer } = await import('./server.mjs')
  for (let message = await read(); message; message = await read()) {
    console.log(answer(negentropy, message))
  }
}
