// One relay: what is asked of it, how far that got, and what can be done.

import { actions } from './actions.js';
import { get, relayPath } from './api.js';
import { el, replace, setText } from './dom.js';
import { bytes, dateTime, duration, number, percent } from './format.js';
import { badge, fact, failure, glossary, loading, progress, repoLink, showBadge, sparkline, term, ticking } from './parts.js';
import { Polled } from './polled.js';
import { Table } from './table.js';
import { health, LAYERS, outcome, state } from './words.js';

const LAYER_COLUMNS = [
  { id: 'layer', label: 'Layer', hint: 'layer', show: showLayer },
  { id: 'complete', label: 'Complete', hint: 'confirmed', show: showComplete },
  { id: 'pending', label: 'Being asked', numeric: true, show: (cell, layer) => setText(cell, number(layer.pending)) },
  { id: 'last', label: 'Last outcome', hint: 'last', show: showOutcome },
];

const REPO_COLUMNS = [
  { id: 'repo', label: 'Repository', show: (cell, repo) => cell.hasChildNodes() || cell.append(repoLink(repo)) },
  { id: 'complete', label: 'Complete', hint: 'confirmed', show: showComplete },
];

export default function relay({ live, argument: url }) {
  const badges = el('p', { class: 'badges' });
  const lead = el('p', { class: 'lead' });
  const next = el('p', {});
  const bar = progress('Complete');
  const hour = el('div', { class: 'chart wide' });
  const buttons = actions(url, live, () => polled.ask());
  const layers = new Table({ caption: 'What is asked of the relay', columns: LAYER_COLUMNS, key: layer => layer.layer });
  const repos = new Table({ caption: 'Repositories of the relay', columns: REPO_COLUMNS, key: repo => repo.address });
  const reposTitle = el('h2', {}, 'Its repositories');
  const reposNote = el('p', { class: 'muted' });
  const facts = el('dl', { class: 'facts' });
  const body = el('div', { hidden: true }, badges, lead, next, bar,
    buttons.node,
    el('h2', {}, 'Last hour'), hour,
    el('h2', {}, 'What is asked of it'), layers.node,
    el('h2', {}, 'Facts'), facts,
    reposTitle, reposNote, repos.node,
    glossary('item', 'confirmed', 'layer', 'last', 'gaps', 'freshSync', 'negentropy', 'budget', 'reliability', 'bootstrap'));
  const wait = el('div', {}, loading('the relay'));
  const node = el('div', {}, el('p', { class: 'crumb' }, el('a', { href: '#/relays' }, 'Relays')),
    el('h1', { tabindex: -1, class: 'url' }, url), wait, body);
  let seen = null;

  const polled = new Polled(signal => get(relayPath(url), signal), show, error => {
    // What is on the page stays there; that it grows old is said above.
    if (body.hidden) {
      replace(wait, failure(error, () => polled.ask()));
    }
  });

  function show(detail) {
    replace(wait);
    body.hidden = false;
    showHead(detail);
    layers.show(detail.layers ?? []);
    replace(facts, factsOf(detail));
    const list = detail.repos ?? [];
    repos.show(list);
    repos.node.hidden = list.length === 0;
    setText(reposNote, list.length === 0 ? 'No repository hosted here names it now.'
      : detail.repositories > list.length ? `The first ${number(list.length)} of ${number(detail.repositories)}.` : '');
  }

  function showHead(row) {
    const [, , sentence] = state(row);
    replace(badges, badge(state(row)), badge(health(row)), row.bootstrap && badge(['off', 'Bootstrap']));
    setText(lead, row.health === 'healthy' || !row.why ? sentence : `${sentence} The last reason: ${row.why}`);
    replace(next, row.since && ['In this state for ', ticking('since', row.since), '. '],
      row.nextAttempt && row.state !== 'connected' && ['Next attempt ', ticking('until', row.nextAttempt), '.']);
    bar.show(row.confirmed ?? 0, row.items ?? 0);
    buttons.show(row);
    replace(hour, sparkline(row.perMinute, { width: 600, height: 60 }), hourOf(row.perMinute ?? []));
  }

  function update() {
    const row = live.relays.get(url);
    if (row && row !== seen) {
      seen = row;
      if (!body.hidden) {
        showHead({ ...polled.last, ...row });
      }
      polled.soon();
    }
  }

  polled.ask();
  return { title: url, node, update, close: () => polled.close() };
}

function hourOf(minutes) {
  const total = minutes.reduce((sum, count) => sum + count, 0);
  return el('p', { class: 'axis' }, el('span', {}, 'an hour ago'),
    el('span', {}, total === 0 ? 'no event' : `${number(total)} events, ${number(Math.max(...minutes))} in the busiest minute`),
    el('span', {}, 'now'));
}

function showLayer(cell, layer) {
  if (!cell.hasChildNodes()) {
    cell.append(el('span', {}, layer.name), el('span', { class: 'why' }, LAYERS[layer.name] ?? ''));
  }
}

function showComplete(cell, row) {
  if (!cell.hasChildNodes()) {
    cell.append(progress('Complete'));
  }
  cell.firstElementChild.show(row.confirmed ?? 0, row.items ?? 0);
}

function showOutcome(cell, layer) {
  const [tone, label, sentence] = outcome(layer.last);
  if (!cell.hasChildNodes()) {
    cell.append(el('span', {}), el('span', { class: 'why' }));
  }
  showBadge(cell.firstElementChild, [tone, label]);
  setText(cell.lastElementChild, layer.reason ? `${sentence} (${layer.reason})` : sentence);
}

function factsOf(relay) {
  const { budget, reliability } = relay;
  return [
    fact('Events received', `${number(relay.eventsReceived)}, of which ${number(relay.eventsStored)} were new here`),
    fact('Bytes received', bytes(relay.bytesReceived)),
    fact('Bytes sent', bytes(relay.bytesSent)),
    fact(term('gaps'), number(relay.gaps)),
    reliability && fact(term('reliability'), reliabilityOf(reliability)),
    relay.quietUntil && fact('Left alone', ['until ', dateTime(relay.quietUntil), ', because it limits how fast it may be asked']),
    relay.lastConnected && fact('Last connected', dateTime(relay.lastConnected)),
    fact(term('freshSync'), relay.freshSyncDue ? [ticking('until', relay.freshSyncDue), `, at ${dateTime(relay.freshSyncDue)}`] : 'not planned yet'),
    fact(term('negentropy'), { yes: 'it speaks it', no: 'it does not; its history is read page by page' }[relay.negentropy] ?? 'not tried yet'),
    budget && fact(term('budget'), budgetOf(budget)),
    relay.bootstrap && fact(term('bootstrap'), 'yes'),
  ];
}

function budgetOf({ subscriptions, filters, values, bytes: size, limit }) {
  return `${number(subscriptions)} questions at once, ${number(filters)} filters each, ${number(values)} values in a filter, messages of`
    + ` ${bytes(size)}${limit > 0 ? `, ${number(limit)} events an answer` : ''}`;
}

function reliabilityOf({ attempts, failures, uptime, upSeconds, downSeconds }) {
  if (!attempts) {
    return 'not tried yet';
  }
  const failed = `${number(failures)} of ${number(attempts)} attempts to connect failed`;
  const time = upSeconds + downSeconds > 0
    ? `; connected ${percent(uptime, 1)} of the time (${duration(upSeconds)} up, ${duration(downSeconds)} down)` : '';
  return failed + time;
}
