// Questions to the service. What comes is data, or an error with a sentence that says what is wrong.

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const PATIENCE = 15_000;

export function get(path, signal) {
  const timeout = AbortSignal.timeout(PATIENCE);
  return ask(path, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
}

export function post(path, token) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  return ask(path, { method: 'POST', headers, signal: AbortSignal.timeout(PATIENCE) });
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`api/${path}`, { ...options, cache: 'no-store' });
  } catch (failure) {
    if (failure.name === 'AbortError') {
      throw failure;
    }
    throw new Refused(0, 'The service does not answer.');
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Refused(response.status, body?.error ?? `The service answered with status ${response.status}.`);
  }
  return body;
}

export const relayPath = url => `relays/${encodeURIComponent(url)}`;
export const repoPath = address => `repos/${encodeURIComponent(address)}`;
