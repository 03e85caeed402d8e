// nostr-tools is made for clients: it takes a list of ids and does not answer it with its own. This is the server's half,
// with nostr-tools' storage, fingerprints, bounds and splitting; only the walk over the ranges is ours.
class Bytes {
  constructor(bytes) {
    this.bytes = bytes
    this.at = 0
  }
  get length() {
    return this.bytes.length - this.at
  }
  shift() {
    return this.bytes[this.at++]
  }
  shiftN(n) {
    this.at += n
    return this.bytes.subarray(this.at - n, this.at)
  }
  varint() {
    let value = 0
    for (;;) {
      const digit = this.shift()
      value = value * 128 + (digit & 127)
      if (digit < 128) return value
    }
  }
}

class Output {
  parts = []
  length = 0
  extend(part) {
    const bytes = Buffer.from(part.unwrap ? part.unwrap() : part)
    this.parts.push(bytes)
    this.length += bytes.length
  }
  unwrap() {
    return Buffer.concat(this.parts)
  }
}

const varint = value => {
  const digits = [value % 128]
  while ((value = Math.floor(value / 128)) > 0) digits.unshift(128 + (value % 128))
  return Uint8Array.from(digits)
}

const INFINITY = { timestamp: Number.MAX_VALUE, id: new Uint8Array(0) }

export function answer(negentropy, hex) {
  const { storage } = negentropy
  const input = new Bytes(new Uint8Array(Buffer.from(hex, 'hex')))
  const output = new Output()
  output.extend(Uint8Array.of(input.shift()))
  negentropy.lastTimestampIn = negentropy.lastTimestampOut = 0
  let lower = 0
  let skipped = null
  const flush = () => {
    if (skipped) {
      output.extend(negentropy.encodeBound(skipped))
      output.extend(varint(0))
      skipped = null
    }
  }
  while (input.length > 0) {
    const bound = negentropy.decodeBound(input)
    const mode = input.varint()
    let upper = storage.findLowerBound(lower, storage.size(), bound)
    let full = false
    if (mode === 1) {
      const theirs = Buffer.from(input.shiftN(16))
      if (theirs.equals(Buffer.from(storage.fingerprint(lower, upper)))) {
        skipped = bound
      } else if (negentropy.exceededFrameSizeLimit(output.length + 1100)) {
        upper = lower
        full = true
      } else {
        flush()
        negentropy.splitRange(lower, upper, bound, output)
      }
    } else if (mode === 2) {
      input.shiftN(32 * input.varint())
      const ids = []
      let end = bound
      flush()
      storage.iterate(lower, upper, (item, index) => {
        full = negentropy.exceededFrameSizeLimit(output.length + 32 * ids.length)
        if (full) {
          end = item
          upper = index
          return false
        }
        ids.push(item.id)
        return true
      })
      output.extend(negentropy.encodeBound(end))
      output.extend(varint(2))
      output.extend(varint(ids.length))
      ids.forEach(id => output.extend(id))
    } else {
      skipped = bound
    }
    if (full || negentropy.exceededFrameSizeLimit(output.length)) {
      flush()
      output.extend(negentropy.encodeBound(INFINITY))
      output.extend(varint(1))
      output.extend(storage.fingerprint(upper, storage.size()))
      break
    }
    lower = upper
  }
  return output.unwrap().toString('hex')
}
