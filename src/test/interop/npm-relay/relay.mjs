// The relay of @nostr-relay/core over a small repository: all events in memory, each also a line of a file, so that the
// relay can be killed and started again. It hands out no more than a number of events for one filter.
//
// node relay.mjs PORT CAP FILE
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { NostrRelay } from '@nostr-relay/core';
import { EventRepository, LogLevel } from '@nostr-relay/common';
import { Validator } from '@nostr-relay/validator';
import { WebSocketServer } from 'ws';

const [port, cap, file] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]];

function addressOf(event) {
  const replaceable = event.kind === 0 || event.kind === 3 || (event.kind >= 10000 && event.kind < 20000);
  if (replaceable) {
    return `${event.kind}:${event.pubkey}`;
  }
  const addressable = event.kind >= 30000 && event.kind < 40000;
  return addressable ? `${event.kind}:${event.pubkey}:${event.tags.find(tag => tag[0] === 'd')?.[1] ?? ''}` : undefined;
}

class FileRepository extends EventRepository {
  #byId = new Map();
  #byAddress = new Map();
  #newestFirst = undefined;

  constructor() {
    super();
    if (existsSync(file)) {
      // A line that a crash cut off was never acknowledged.
      readFileSync(file, 'utf8').split('\n').slice(0, -1).forEach(line => this.#put(JSON.parse(line)));
    }
  }

  isSearchSupported() {
    return false;
  }

  upsert(event) {
    if (!this.#put(event)) {
      return { isDuplicate: true };
    }
    appendFileSync(file, JSON.stringify(event) + '\n');
    return { isDuplicate: false };
  }

  #put(event) {
    if (this.#byId.has(event.id)) {
      return false;
    }
    const address = addressOf(event);
    const before = address && this.#byAddress.get(address);
    if (before && before.created_at >= event.created_at) {
      return false;
    }
    if (before) {
      this.#byId.delete(before.id);
    }
    if (address) {
      this.#byAddress.set(address, event);
    }
    this.#byId.set(event.id, event);
    this.#newestFirst = undefined;
    return true;
  }

  find(filter) {
    const limit = Math.min(filter.limit ?? cap, cap);
    if (filter.ids && limit > 0) {
      return filter.ids.map(id => this.#byId.get(id)).filter(event => event && matches(filter, event)).slice(0, limit);
    }
    this.#newestFirst ??= [...this.#byId.values()].sort(
      (a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
    const found = [];
    const compiled = compile(filter);
    for (const event of this.#newestFirst) {
      if (found.length >= limit) {
        break;
      }
      if (compiled(event)) {
        found.push(event);
      }
    }
    return found;
  }

  async destroy() {}
}

function matches(filter, event) {
  return compile(filter)(event);
}

function compile(filter) {
  const sets = { kinds: filter.kinds && new Set(filter.kinds), authors: filter.authors && new Set(filter.authors) };
  const tags = Object.entries(filter)
    .filter(([key]) => key.startsWith('#'))
    .map(([key, values]) => [key.slice(1), new Set(values)]);
  return event =>
    (!sets.kinds || sets.kinds.has(event.kind)) &&
    (!sets.authors || sets.authors.has(event.pubkey)) &&
    (filter.since === undefined || event.created_at >= filter.since) &&
    (filter.until === undefined || event.created_at <= filter.until) &&
    tags.every(([name, values]) => event.tags.some(tag => tag[0] === name && values.has(tag[1])));
}

const relay = new NostrRelay(new FileRepository(), { logLevel: LogLevel.ERROR });
const validator = new Validator();
const server = new WebSocketServer({ host: '127.0.0.1', port }, () => console.log('listening'));
server.on('connection', (client, request) => {
  relay.handleConnection(client, request.socket.remoteAddress);
  client.on('message', async data => {
    try {
      await relay.handleMessage(client, await validator.validateIncomingMessage(data));
    } catch (error) {
      client.send(JSON.stringify(['NOTICE', error.message]));
    }
  });
  client.on('close', () => relay.handleDisconnect(client));
  client.on('error', () => client.terminate());
});
