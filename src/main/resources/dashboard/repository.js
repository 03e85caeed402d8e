// One repository: what each relay that its announcement names has contributed.

import { get, repoPath } from './api.js';
import { el, replace, setText } from './dom.js';
import { dateTime, number } from './format.js';
import { fact, failure, glossary, loading, progress, relayLink, showBadge } from './parts.js';
import { Polled } from './polled.js';
import { Table } from './table.js';
import { health, outcome, state } from './words.js';

const COLUMNS = [
  { id: 'relay', label: 'Relay', show: (cell, row) => cell.hasChildNodes() || cell.append(relayLink(row.relay)) },
  { id: 'complete', label: 'Complete', hint: 'confirmed', show: showComplete },
  { id: 'state', label: 'State', hint: 'state', show: (cell, row) => showBadge(cell, stateOf(row)) },
  { id: 'health', label: 'Health', hint: 'health', show: (cell, row) => showBadge(cell, health(row)) },
  { id: 'last', label: 'Last outcome', hint: 'last', show: showOutcome },
];

export default function repository({ argument: address }) {
  const title = el('h1', { tabindex: -1 }, address.split(':').slice(2).join(':') || address);
  const lead = el('p', { class: 'lead' });
  const facts = el('dl', { class: 'facts' });
  const matrix = new Table({ caption: 'How complete the repository is, by relay', columns: COLUMNS, key: row => row.relay });
  const none = el('p', {}, 'Its announcement names no other relay, so all that is known of it was published here.');
  const body = el('div', { hidden: true }, lead, el('h2', {}, 'By relay'), none, matrix.node, el('h2', {}, 'Facts'), facts,
    glossary('relay', 'item', 'confirmed', 'state', 'health', 'last', 'root'));
  const wait = el('div', {}, loading('the repository'));
  const node = el('div', {}, el('p', { class: 'crumb' }, el('a', { href: '#/repos' }, 'Repositories')), title, wait, body);

  const polled = new Polled(signal => get(repoPath(address), signal), show, error => {
    if (body.hidden) {
      replace(wait, failure(error, () => polled.ask()));
    }
  });

  function show(repo) {
    replace(wait);
    body.hidden = false;
    setText(title, repo.name || address.split(':').slice(2).join(':'));
    setText(lead, leadOf(repo));
    const rows = repo.relayMatrix ?? [];
    matrix.show(rows);
    matrix.node.hidden = rows.length === 0;
    none.hidden = rows.length > 0;
    replace(facts, [
      repo.description && fact('Description', repo.description),
      fact('Patches, pull requests, issues', number(repo.roots)),
      repo.announcedAt && fact('Announced', dateTime(repo.announcedAt)),
      fact('Address', el('code', {}, repo.address)),
      repo.naddr && fact('The same as naddr', el('code', {}, repo.naddr)),
    ]);
  }

  polled.ask();
  return { title: title.textContent, node, close: () => polled.close() };
}

function leadOf(repo) {
  const rows = repo.relayMatrix ?? [];
  const complete = rows.filter(row => row.confirmed >= row.items).length;
  if (rows.length === 0) {
    return '';
  }
  return repo.complete
    ? `All that ${rows.length === 1 ? 'its relay knows' : `its ${number(rows.length)} relays know`} about it is here.`
    : `${number(complete)} of its ${number(rows.length)} relays have been asked to the end.`;
}

function stateOf(row) {
  return row.state === 'connected' ? ['good', 'Connected'] : state(row);
}

function showComplete(cell, row) {
  if (!cell.hasChildNodes()) {
    cell.append(progress('Complete'));
  }
  cell.firstElementChild.show(row.confirmed ?? 0, row.items ?? 0);
}

function showOutcome(cell, row) {
  const [tone, label, sentence] = outcome(row.last);
  if (!cell.hasChildNodes()) {
    cell.append(el('span', {}), el('span', { class: 'why' }));
  }
  showBadge(cell.firstElementChild, [tone, label, sentence]);
  setText(cell.lastElementChild, row.reason ?? '');
}
