// What is known of the service at this moment, kept up to date by server-sent events. The first of a connection name all
// relays, the others those that changed.

import { setClock } from './format.js';

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 15_000;
// The service says something every 15 seconds also when nothing happens.
const SILENCE = 40_000;
const HIDDEN = 30_000;

export class Live extends EventTarget {
  status = null;
  relays = new Map();
  /** Whether `relays` holds all of them. */
  isListed = false;
  /** `open` false and `retryAt` null: the first attempt is under way. */
  connection = { open: false, lostAt: null, retryAt: null };

  #source = null;
  #wait = FIRST_WAIT;
  #watchdog = 0;
  #retry = 0;
  #hide = 0;
  #drawing = 0;
  #isFirst = true;

  start() {
    document.addEventListener('visibilitychange', () => this.#visibility());
    window.addEventListener('online', () => this.reconnect());
    this.#connect();
  }

  reconnect() {
    if (!this.connection.open) {
      this.#wait = FIRST_WAIT;
      this.#connect();
    }
  }

  #connect() {
    this.#disconnect();
    this.#isFirst = true;
    const source = new EventSource('api/live');
    this.#source = source;
    source.addEventListener('status', event => this.#status(JSON.parse(event.data)));
    source.addEventListener('relays', event => this.#take(JSON.parse(event.data)));
    source.addEventListener('error', () => this.#lost());
    this.#guard();
  }

  #disconnect() {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #guard() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), SILENCE);
  }

  #status(status) {
    setClock(status.now);
    this.status = status;
    if (!this.connection.open) {
      this.connection = { open: true, lostAt: null, retryAt: null };
      this.#wait = FIRST_WAIT;
    }
    if (status.sync.relays.known === 0) {
      this.#take({ relays: [] });
    }
    this.#guard();
    this.#changed();
  }

  #take({ relays, gone = [] }) {
    if (this.#isFirst) {
      this.#isFirst = false;
      this.isListed = true;
      this.relays = new Map();
    }
    relays.forEach(relay => this.relays.set(relay.url, relay));
    gone.forEach(url => this.relays.delete(url));
    this.#guard();
    this.#changed();
  }

  #lost() {
    this.#disconnect();
    const lostAt = this.connection.open ? Date.now() : this.connection.lostAt;
    this.connection = { open: false, lostAt, retryAt: Date.now() + this.#wait };
    this.#retry = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    this.#changed();
  }

  /** A tab that nobody looks at holds no connection: a browser has only a few for one host. */
  #visibility() {
    clearTimeout(this.#hide);
    if (document.hidden) {
      this.#hide = setTimeout(() => this.#disconnect(), HIDDEN);
    } else if (!this.#source) {
      this.#connect();
    }
  }

  /** However much comes, pages are told once a frame. */
  #changed() {
    if (!this.#drawing) {
      this.#drawing = requestAnimationFrame(() => {
        this.#drawing = 0;
        this.dispatchEvent(new Event('change'));
      });
    }
  }
}
