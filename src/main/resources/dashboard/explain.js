// Why an event is here, or is not.

import { get } from './api.js';
import { announce, el, replace } from './dom.js';
import { dateTime } from './format.js';
import { badge, empty, fact, failure, glossary, loading, relayLink, repoLink, showBadge } from './parts.js';
import { Table } from './table.js';
import { health, relayVerdict, state, verdict, WAYS } from './words.js';

const COLUMNS = [
  { id: 'relay', label: 'Relay', show: (cell, row) => cell.hasChildNodes() || cell.append(relayLink(row.url)) },
  { id: 'verdict', label: 'Was it asked?', show: (cell, row) => showBadge(cell, relayVerdict(row.verdict)) },
  { id: 'text', label: 'In words', wide: true, show: (cell, row) => cell.hasChildNodes() || cell.append(row.text ?? '') },
  { id: 'state', label: 'State', hint: 'state', show: (cell, row) => showBadge(cell, row.state === 'connected' ? ['good', 'Connected'] : state(row)) },
  { id: 'health', label: 'Health', hint: 'health', show: (cell, row) => showBadge(cell, health(row)) },
];

export default function explain({ argument }) {
  const query = argument.trim().replace(/^nostr:/i, '');
  const answer = el('div', {});
  const node = el('div', {}, el('h1', { tabindex: -1 }, 'Why is it here, or not?'), el('p', { class: 'asked' }, query), answer);
  const control = new AbortController();
  const field = document.getElementById('query');
  field.value = argument;

  async function ask() {
    if (!query) {
      replace(answer, empty(el('p', {}, 'Type an id above: an event’s in hex or as note or nevent, a repository’s address or naddr, an author’s npub.')));
      return;
    }
    replace(answer, loading('the answer'));
    try {
      const found = await get(`explain?id=${encodeURIComponent(query)}`, control.signal);
      replace(answer, answerOf(found));
      announce(found.summary);
    } catch (error) {
      if (!control.signal.aborted) {
        replace(answer, error.status === 400 || error.status === 404 ? notAnId(error, query) : failure(error, ask));
      }
    }
  }

  ask();
  return { title: 'Explain', node, close: () => control.abort() };
}

function notAnId(error, query) {
  return el('div', { class: 'notice warn', role: 'alert' }, el('p', {}, error.message),
    el('p', {}, 'An event is named by 64 hex digits, or by what begins with note or nevent; a repository by its address (kind:author:name)'
      + ' or naddr; an author by npub. ',
    el('a', { href: `#/repos?${new URLSearchParams({ q: query })}` }, 'Search the repositories’ names for it instead')));
}

function answerOf(answer) {
  const { event, provenance, relays = [] } = answer;
  return [
    el('section', { class: 'verdict' }, el('p', { class: 'badges' }, badge(verdict(answer.verdict))),
      el('p', { class: 'lead' }, answer.summary),
      answer.details?.length > 0 && el('ul', {}, answer.details.map(text => el('li', {}, text)))),
    relays.length > 0 && [el('h2', {}, 'What the relays say'), relayTable(relays)],
    el('h2', {}, 'Facts'), el('dl', { class: 'facts' }, factsOf(answer)),
    event && answer.here && raw(event.id),
    glossary('event', 'relay', 'state', 'health', 'root', 'provenance'),
  ];

  function factsOf() {
    return [
      event && fact('What it is', `${event.kindName ?? 'event'} (kind ${event.kind})`),
      event?.createdAt && fact('Written', dateTime(event.createdAt)),
      provenance && fact('Way here', wayOf(provenance)),
      answer.repository && fact('Repository', repoLink({ address: answer.repository })),
      (answer.id ?? event?.id) && fact('Id', el('code', {}, answer.id ?? event.id)),
      answer.address && fact('Address', el('code', {}, answer.address)),
      (event?.pubkey ?? answer.pubkey) && fact('Author', el('code', {}, event?.pubkey ?? answer.pubkey)),
    ];
  }
}

function wayOf({ way, relay, firstSeen }) {
  const [name, meaning] = WAYS[way] ?? [way, ''];
  return [`${name}`, relay && [' from ', relayLink(relay)], firstSeen && `, first seen ${dateTime(firstSeen)}`, meaning && `. ${meaning}`];
}

function relayTable(relays) {
  const table = new Table({ caption: 'What the relays say', columns: COLUMNS, key: row => row.url });
  table.show(relays);
  return table.node;
}

/** As it was signed; fetched only when somebody wants to see it. */
function raw(id) {
  const text = el('pre', { tabindex: 0 }, 'Loading …');
  let asked = false;
  const node = el('details', { class: 'raw' }, el('summary', {}, 'The event as it was signed'), text);
  node.addEventListener('toggle', async () => {
    if (node.open && !asked) {
      asked = true;
      try {
        text.textContent = JSON.stringify((await get(`events/${encodeURIComponent(id)}`)).event, null, 2);
      } catch (error) {
        asked = false;
        text.textContent = error.message;
      }
    }
  });
  return node;
}
