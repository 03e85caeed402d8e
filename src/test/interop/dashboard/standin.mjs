// Stands in for a service that is larger than a test could set up: the page is that of the real service, the answers
// are made up.
import { createServer } from 'node:http';
import { once } from 'node:events';

/** What a relay may say. */
export const HOSTILE = '<img src="/x" onerror="document.title = 1"><script>document.title = 2</script>';

/** `sync` overrides what the status says of the sync. */
export async function startStandin({ service, relays: relayCount, repositories, sync = {}, port = 0 }) {
  const now = new Date().toISOString();
  const relays = Array.from({ length: relayCount }, (_, i) => relay(i, now));
  const repos = Array.from({ length: repositories }, (_, i) => repository(i));
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const json = body => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/api/repos') {
      const q = url.searchParams.get('q') ?? '';
      const found = repos.filter(repo => repo.name.includes(q));
      const offset = Number(url.searchParams.get('offset'));
      json({ total: found.length, repos: found.slice(offset, offset + Number(url.searchParams.get('limit'))) });
    } else if (url.pathname === '/api/live') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const send = (event, body) => response.write(`event: ${event}\ndata: ${JSON.stringify(body)}\n\n`);
      send('status', status(relays, repos, sync));
      send('relays', { relays });
      const timer = setInterval(() => {
        const changed = relays.map(one => ({ ...one, eventsReceived: ++one.eventsReceived }));
        send('status', status(relays, repos, sync));
        send('relays', { relays: changed });
      }, 1_000);
      response.on('close', () => clearInterval(timer));
    } else {
      const answer = await fetch(service + url.pathname, { headers: { Accept: request.headers.accept } });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type'),
        'Content-Security-Policy': answer.headers.get('Content-Security-Policy') ?? "default-src 'none'" });
      response.end(Buffer.from(await answer.arrayBuffer()));
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function relay(i, now) {
  const isDead = i % 50 === 7;
  return {
    url: `wss://relay-${i}.example/`, state: isDead ? 'disconnected' : 'connected', health: isDead ? 'dead' : 'healthy',
    phase: isDead ? 'unreachable' : 'synced', since: now, failures: isDead ? 40 : 0,
    nextAttempt: isDead ? new Date(Date.now() + 3_600_000).toISOString() : null, why: isDead ? HOSTILE : null,
    repositories: 20, items: 1_000, confirmed: isDead ? 300 : 1_000, eventsReceived: i, eventsStored: i, gaps: i % 10,
    bytesReceived: 1_000 * i, bytesSent: 10 * i, perMinute: Array.from({ length: 60 }, (_, minute) => (minute * i) % 17),
  };
}

function repository(i) {
  const name = `repository-${i}`;
  return { address: `30617:${'ab'.repeat(32)}:${name}`, naddr: 'naddr1', name, roots: i % 90, relays: 3, items: 4, confirmed: 4, complete: true };
}

function status(relays, repos, sync) {
  const dead = relays.filter(one => one.health === 'dead').length;
  return {
    name: 'grasp-sync', version: 'test', mode: 'embedded', domain: 'relay.example', startedAt: new Date().toISOString(),
    now: new Date().toISOString(), actions: false,
    store: { events: 111_231, bytes: 1e9, diskFreeBytes: 5e10, diskBytes: 1e11, failing: false },
    ingest: { waiting: 0, stored: { direct: 1, live: 2, first_sync: 3, catch_up: 4, fresh_sync: 5 }, known: 6, refused: 7, perSecond: 8 },
    sync: {
      enabled: true, phase: repos.length > 0 ? 'waiting' : 'complete', wanted: 1_000 * relays.length,
      confirmed: 1_000 * relays.length - 700 * dead, ratio: 0.98, itemsPerSecond: 0, secondsLeft: null,
      relays: { known: relays.length, connected: relays.length - dead, degraded: 0, dead }, repositories: repos.length, roots: 5 * repos.length, gaps: 3,
      ...sync,
    },
  };
}
