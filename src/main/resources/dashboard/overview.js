// How complete the service is, how quickly it gets there, and what stands in the way.

import { el, replace, setAttribute, setText } from './dom.js';
import { bytes, duration, number, percent, rate } from './format.js';
import { empty, glossary, loading, progress, showBadge, sparkline, term } from './parts.js';
import { relayTable } from './relaytable.js';
import { needsAttention, WAYS } from './words.js';

const ATTENTION = 10;

export default function overview({ live }) {
  const head = completeness();
  const cards = new Cards();
  const attention = relayTable('Relays that need attention', { onSort: () => update() });
  const well = el('p', {});
  const relays = el('section', { 'aria-labelledby': 'attention' },
    el('h2', { id: 'attention' }, 'Relays that need attention'), well, attention.node,
    el('p', {}, el('a', { href: '#/relays' }, 'All relays')));
  const ways = waysTable();
  const body = el('div', { hidden: true }, head.node, cards.node, relays, ways.node,
    glossary('relay', 'event', 'repository', 'root', 'item', 'confirmed', 'gaps', 'freshSync'));
  const wait = loading('the state of the service');
  const node = el('div', {}, el('h1', { tabindex: -1 }, 'Overview'), wait, body);

  function update() {
    if (!live.status) {
      return;
    }
    wait.remove();
    body.hidden = false;
    head.show(live.status);
    cards.show(live.status, live.relays);
    ways.show(live.status.ingest);
    const troubled = [...live.relays.values()].filter(needsAttention);
    attention.show(attention.sorted(troubled).slice(0, ATTENTION));
    attention.node.hidden = troubled.length === 0;
    setText(well, attentionText(live.relays.size, troubled.length));
    relays.hidden = live.relays.size === 0;
  }

  return { title: 'Overview', node, update };
}

function attentionText(known, troubled) {
  if (troubled === 0) {
    return known === 1 ? 'The one known relay is well.' : `All ${number(known)} known relays are well.`;
  }
  return troubled > ATTENTION ? `${number(troubled)} of ${number(known)}; the first ${ATTENTION} are shown.` : '';
}

function completeness() {
  const state = el('span', {});
  const big = el('span', { class: 'big' });
  const sentence = el('p', { class: 'lead' });
  const bar = progress('Wanted items that are complete');
  const help = el('div', {});
  const node = el('section', { class: 'hero', 'aria-labelledby': 'completeness' },
    el('h2', { id: 'completeness' }, 'Completeness', ' ', state), el('p', { class: 'figure' }, big), bar, sentence, help);

  function show({ sync, domain }) {
    const nothing = sync.wanted === 0;
    showBadge(state, nothing && sync.phase === 'complete' ? ['off', 'Nothing wanted yet'] : STATES[sync.phase] ?? ['off', sync.phase]);
    setText(big, percent(sync.confirmed, sync.wanted));
    big.parentElement.hidden = nothing;
    bar.hidden = nothing;
    bar.show(sync.confirmed, sync.wanted);
    setText(sentence, sentenceOf(sync));
    const isEmpty = sync.enabled && sync.repositories === 0 && sync.phase !== 'starting';
    if (isEmpty !== help.hasChildNodes()) {
      replace(help, isEmpty && firstSteps(domain));
    }
  }

  return { node, show };
}

const STATES = {
  off: ['off', 'Sync is off'],
  starting: ['busy', 'Starting'],
  'first-sync': ['busy', 'First sync'],
  complete: ['good', 'Complete'],
  waiting: ['warn', 'Waiting for relays'],
};

function sentenceOf(sync) {
  const left = sync.secondsLeft === null || sync.secondsLeft === undefined ? '' : `, about ${duration(sync.secondsLeft)} left`;
  const missing = number(Math.max(0, sync.wanted - sync.confirmed));
  switch (sync.phase) {
    case 'off': return 'Nothing is fetched from other relays (grasp.sync.enabled is false): this is a relay like others.';
    case 'starting': return 'The own relay is being read, to learn which repositories there are.';
    case 'first-sync': return `${missing} items to go, ${rate(sync.itemsPerSecond)} a second${left}. What is new arrives at the same time.`;
    case 'waiting': return `${missing} items are at relays that cannot be reached or asked now. They are tried again by themselves.`;
    default: return sync.wanted === 0
      ? 'Nothing is wanted from other relays yet.'
      : 'Everything wanted from other relays is here, and what is new arrives at once.';
  }
}

function firstSteps(domain) {
  return empty(el('h3', {}, 'No repository has been announced here yet'),
    el('p', {}, 'Publish the announcement of a repository (an event of kind 30617) to this relay, and let it name'),
    el('ul', {},
      el('li', {}, 'this service in its ', el('code', {}, 'relays'), ' tag: ', el('code', {}, `wss://${domain}`)),
      el('li', {}, 'a server here in its ', el('code', {}, 'clone'), ' tag: ', el('code', {}, `https://${domain}/…`)),
      el('li', {}, 'every other relay where its patches and issues are.')),
    el('p', {}, 'Tools for git over Nostr do this when a repository is set up. From then on, all that those relays know'
      + ' about it is brought here.'));
}

class Cards {
  #cards = {
    relays: card('Relays', '#/relays'),
    repositories: card('Repositories', '#/repos'),
    events: card('Events stored'),
    arriving: card('Arriving'),
    gaps: card(term('gaps'), '#/relays?sort=gaps'),
    disk: card('Room'),
  };
  #hour = el('span', { class: 'chart' });
  #drawnAt = 0;

  constructor() {
    this.node = el('section', { class: 'cards', 'aria-label': 'Figures' }, Object.values(this.#cards).map(entry => entry.node));
    this.#cards.arriving.node.append(this.#hour);
  }

  show({ sync, store, ingest }, relays) {
    const { connected, known, degraded, dead } = sync.relays;
    const troubled = [degraded > 0 && `${number(degraded)} degraded`, dead > 0 && `${number(dead)} dead`].filter(Boolean);
    this.#cards.relays.show(`${number(connected)} of ${number(known)}`,
      `connected${troubled.length > 0 ? `, ${troubled.join(', ')}` : ''}`, dead > 0 ? 'bad' : degraded > 0 ? 'warn' : null);
    this.#cards.repositories.show(number(sync.repositories), `with ${number(sync.roots)} patches, pull requests and issues`);
    this.#cards.events.show(number(store.events), store.failing ? 'The store refuses events: is the disk full?' : 'signed messages, all checked',
      store.failing ? 'bad' : null);
    this.#cards.arriving.show(rate(ingest.perSecond),
      `events a second${ingest.waiting > 0 ? `, ${number(ingest.waiting)} on their way to the store` : ''}; the last hour:`);
    this.#cards.gaps.show(number(sync.gaps), 'events that came late', null);
    const tight = store.diskFreeBytes < store.diskBytes / 10;
    this.#cards.disk.show(bytes(store.bytes), `taken, ${bytes(store.diskFreeBytes)} of the disk free`, tight ? 'warn' : null);
    this.#showHour(relays);
  }

  /** Over 500 relays this is worth doing seldom; nothing shorter than a minute is in it anyway. */
  #showHour(relays) {
    if (Date.now() - this.#drawnAt > 5_000 || (this.#hour.childElementCount === 0 && relays.size > 0)) {
      this.#drawnAt = Date.now();
      const sums = new Array(60).fill(0);
      relays.forEach(relay => relay.perMinute?.forEach((count, i) => { sums[i] += count; }));
      replace(this.#hour, sparkline(sums, { width: 200, height: 28, label: 'Events received from all relays in the last hour' }));
    }
  }
}

function card(title, href) {
  const value = el('span', { class: 'value' });
  const note = el('span', { class: 'note' });
  const node = el('div', { class: 'card' }, el('h3', {}, title), href ? el('a', { href }, value) : value, note);
  return {
    node,
    show(figure, text, tone = null) {
      setText(value, figure);
      setText(note, text);
      setAttribute(node, 'data-tone', tone);
    },
  };
}

function waysTable() {
  const values = new Map(Object.keys(WAYS).map(way => [way, el('td', { class: 'number' })]));
  const known = el('td', { class: 'number' });
  const refused = el('td', { class: 'number' });
  const line = (name, text, value) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', { class: 'muted' }, text), value);
  const node = el('section', { 'aria-labelledby': 'ways' }, el('h2', { id: 'ways' }, 'How events came here'),
    el('p', { class: 'muted' }, 'Since the service started.'),
    el('div', { class: 'table plain' }, el('table', {}, el('tbody', {},
      [...values].map(([way, value]) => line(WAYS[way][0], WAYS[way][1], value)),
      line('known already', 'Another relay had sent it before; that is the rule.', known),
      line('refused', 'Wrongly signed, or about no repository hosted here.', refused)))));
  return {
    node,
    show(ingest) {
      values.forEach((value, way) => setText(value, number(ingest.stored[way] ?? 0)));
      setText(known, number(ingest.known));
      setText(refused, number(ingest.refused));
    },
  };
}
