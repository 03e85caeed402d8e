// All repositories, a page at a time: there may be tens of thousands, so the service searches.

import { get } from './api.js';
import { el, replace, setText } from './dom.js';
import { number } from './format.js';
import { empty, failure, glossary, loading, progress, repoLink, showBadge } from './parts.js';
import { Pager } from './pager.js';
import { Polled } from './polled.js';
import { Table } from './table.js';

const PAGE = 50;
const TYPING = 200;

const COLUMNS = [
  { id: 'name', label: 'Repository', show: showName },
  { id: 'complete', label: 'Complete', hint: 'confirmed', show: showComplete },
  { id: 'state', label: 'State', show: (cell, repo) => showBadge(cell, repo.complete ? ['good', 'Complete'] : ['busy', 'Not yet complete']) },
  { id: 'roots', label: 'Patches, PRs, issues', hint: 'root', numeric: true, show: (cell, repo) => setText(cell, number(repo.roots)) },
  { id: 'relays', label: 'Relays', hint: 'relay', numeric: true, show: (cell, repo) => setText(cell, number(repo.relays)) },
];

export default function repositories({ query }) {
  let typing = 0;
  const search = el('input', { type: 'search', id: 'filter', value: query.get('q') ?? '', autocomplete: 'off', spellcheck: 'false',
    on: { input: typed } });
  const table = new Table({ caption: 'Repositories', columns: COLUMNS, key: repo => repo.address });
  const pager = new Pager(PAGE, 'repositories', () => polled.ask());
  const count = el('p', { class: 'muted', role: 'status' });
  const note = el('div', {}, loading('the repositories'));
  const node = el('div', {}, el('h1', { tabindex: -1 }, 'Repositories'),
    el('p', { class: 'muted' }, 'Git repositories whose owners announced them with this service among their relays.'),
    el('div', { class: 'controls' }, el('label', { for: 'filter' }, 'Search'), search), count, note, table.node, pager.node,
    glossary('repository', 'root', 'relay', 'item', 'confirmed'));
  table.node.hidden = true;
  pager.node.hidden = true;

  const polled = new Polled(ask, show, error => replace(note, failure(error, () => polled.ask())));

  function ask(signal) {
    const parameters = new URLSearchParams({ offset: pager.offset, limit: PAGE });
    if (search.value.trim()) {
      parameters.set('q', search.value.trim());
    }
    return get(`repos?${parameters}`, signal);
  }

  function show({ total, repos }) {
    table.show(repos);
    table.node.hidden = repos.length === 0;
    pager.show(total);
    setText(count, total === 1 ? '1 repository' : `${number(total)} repositories`);
    replace(note, total === 0 && nothing());
  }

  function nothing() {
    return search.value.trim()
      ? empty(el('p', {}, 'No repository matches.'))
      : empty(el('p', {}, 'No repository has been announced here yet. The ', el('a', { href: '#/' }, 'overview'), ' says what to do.'));
  }

  function typed() {
    clearTimeout(typing);
    typing = setTimeout(() => {
      pager.offset = 0;
      const q = search.value.trim();
      history.replaceState(null, '', q ? `#/repos?${new URLSearchParams({ q })}` : '#/repos');
      polled.ask();
    }, TYPING);
  }

  polled.ask();
  return { title: 'Repositories', node, close: () => polled.close() };
}

function showName(cell, repo) {
  if (!cell.hasChildNodes()) {
    cell.append(repoLink(repo), el('span', { class: 'why' }));
  }
  setText(cell.querySelector('a'), repo.name || repo.address.split(':').slice(2).join(':'));
  setText(cell.querySelector('.why'), `by ${repo.address.split(':')[1].slice(0, 12)}…`);
}

function showComplete(cell, repo) {
  if (!cell.hasChildNodes()) {
    cell.append(progress('Complete'));
  }
  cell.firstElementChild.show(repo.confirmed ?? 0, repo.items ?? 0);
}
