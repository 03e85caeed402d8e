// The table of relays, on the overview and on its own page.

import { el, replace, setText } from './dom.js';
import { number } from './format.js';
import { progress, relayLink, showBadge, showTicking, sparkline } from './parts.js';
import { Table } from './table.js';
import { health, state } from './words.js';

const HEALTH_ORDER = { dead: 0, degraded: 1, healthy: 2 };
const sum = relay => (relay.perMinute ?? []).reduce((total, count) => total + count, 0);

const COLUMNS = [
  { id: 'relay', label: 'Relay', value: relay => relay.url, show: showName },
  { id: 'state', label: 'State', hint: 'state', value: relay => state(relay)[1], show: (cell, relay) => showBadge(cell, state(relay)) },
  { id: 'health', label: 'Health', hint: 'health', value: relay => HEALTH_ORDER[relay.health] ?? 3,
    show: (cell, relay) => showBadge(cell, health(relay)) },
  { id: 'hour', label: 'Last hour', hint: 'lastHour', numeric: true, value: sum, show: showHour },
  { id: 'complete', label: 'Complete', hint: 'confirmed', value: relay => (relay.items > 0 ? relay.confirmed / relay.items : 2),
    show: showComplete },
  { id: 'gaps', label: 'Gaps', hint: 'gaps', numeric: true, value: relay => relay.gaps,
    show: (cell, relay) => setText(cell, number(relay.gaps)) },
  { id: 'next', label: 'Next attempt', hint: 'nextAttempt', value: relay => relay.nextAttempt ?? '9',
    show: (cell, relay) => showTicking(cell, 'until', relay.state === 'connected' ? null : relay.nextAttempt) },
];

export const SORTABLE = COLUMNS.map(column => column.id);

/** The worst come first unless somebody wants it otherwise. */
export function relayTable(caption, { sort = { by: 'health', down: false }, onSort } = {}) {
  return new Table({ caption, columns: COLUMNS, key: relay => relay.url, sort, onSort });
}

function showName(cell, relay) {
  if (!cell.hasChildNodes()) {
    cell.append(relayLink(relay.url), el('span', { class: 'why' }));
  }
  const isWell = relay.health === 'healthy' && relay.phase !== 'waiting';
  setText(cell.querySelector('.why'), isWell ? '' : relay.why ?? '');
}

function showHour(cell, relay) {
  const drawn = (relay.perMinute ?? []).join();
  if (cell.dataset.drawn !== drawn) {
    cell.dataset.drawn = drawn;
    replace(cell, sparkline(relay.perMinute), el('span', { class: 'total' }, number(sum(relay))));
  }
}

function showComplete(cell, relay) {
  if (!cell.hasChildNodes()) {
    cell.append(progress('Complete'));
  }
  cell.firstElementChild.show(relay.confirmed ?? 0, relay.items ?? 0);
}
