// All relays, filtered and sorted here: there are a few hundred at the most.

import { el, setText } from './dom.js';
import { number } from './format.js';
import { empty, glossary, loading } from './parts.js';
import { Pager } from './pager.js';
import { relayTable, SORTABLE } from './relaytable.js';
import { needsAttention } from './words.js';

const PAGE = 50;

const KINDS = {
  all: ['All', () => true],
  attention: ['Need attention', needsAttention],
  connected: ['Connected', relay => relay.state === 'connected'],
  disconnected: ['Not connected', relay => relay.state !== 'connected'],
  incomplete: ['Not complete', relay => relay.confirmed < relay.items],
  healthy: ['Healthy', relay => relay.health === 'healthy'],
  degraded: ['Degraded', relay => relay.health === 'degraded'],
  dead: ['Dead', relay => relay.health === 'dead'],
};

export default function relays({ live, query }) {
  const filter = el('input', { type: 'search', id: 'filter', value: query.get('q') ?? '', autocomplete: 'off', spellcheck: 'false',
    on: { input: change } });
  const kind = el('select', { id: 'kind', on: { change } },
    Object.entries(KINDS).map(([name, [label]]) => el('option', { value: name }, label)));
  kind.value = Object.hasOwn(KINDS, query.get('show') ?? '') ? query.get('show') : 'all';
  const by = SORTABLE.includes(query.get('sort')) ? query.get('sort') : 'health';
  const table = relayTable('Relays', { sort: { by, down: query.has('sort') ? query.get('down') !== '0' : false }, onSort: change });
  const pager = new Pager(PAGE, 'relays', () => update(true));
  const count = el('p', { class: 'muted', role: 'status' });
  const none = empty();
  const wait = loading('the relays');
  const node = el('div', {}, el('h1', { tabindex: -1 }, 'Relays'),
    el('p', { class: 'muted' }, 'Servers that announcements of repositories hosted here name. This service keeps a connection to each.'),
    el('div', { class: 'controls' }, el('label', { for: 'filter' }, 'Filter'), filter, el('label', { for: 'kind' }, 'Show'), kind),
    count, wait, none, table.node, pager.node,
    glossary('relay', 'state', 'health', 'lastHour', 'confirmed', 'item', 'gaps', 'nextAttempt'));
  let places = new Map();

  function change() {
    pager.offset = 0;
    remember();
    update(true);
  }

  /** In the address, so that a filtered list can be linked to, without an entry of its own in the history. */
  function remember() {
    const kept = new URLSearchParams();
    if (filter.value) {
      kept.set('q', filter.value);
    }
    if (kind.value !== 'all') {
      kept.set('show', kind.value);
    }
    if (table.sort.by !== 'health' || table.sort.down) {
      kept.set('sort', table.sort.by);
      kept.set('down', table.sort.down ? '1' : '0');
    }
    history.replaceState(null, '', kept.size > 0 ? `#/relays?${kept}` : '#/relays');
  }

  function update(asked = false) {
    if (!live.isListed) {
      return;
    }
    wait.remove();
    const present = table.sorted(matching());
    if (!asked && table.isBusy) {
      keepPlaces(present);
    }
    places = new Map(present.map(({ url }, i) => [url, i]));
    pager.show(present.length);
    table.show(present.slice(pager.offset, pager.offset + PAGE));
    table.node.hidden = present.length === 0;
    none.hidden = present.length > 0;
    setText(none, live.relays.size === 0
      ? 'No relay is known yet. Relays become known when a repository’s announcement names them.'
      : 'No relay matches this filter.');
    setText(count, `${number(present.length)} of ${number(live.relays.size)} relays`);
  }

  /** While somebody is at a row, rows stay where they are, and new ones come last. */
  function keepPlaces(present) {
    const placeOf = ({ url }) => places.get(url) ?? places.size;
    present.sort((a, b) => placeOf(a) - placeOf(b));
  }

  function matching() {
    const text = filter.value.trim().toLowerCase();
    const [, fits] = KINDS[kind.value];
    return [...live.relays.values()].filter(relay => fits(relay)
      && (!text || relay.url.toLowerCase().includes(text) || (relay.why ?? '').toLowerCase().includes(text)));
  }

  return { title: 'Relays', node, update: () => update() };
}
