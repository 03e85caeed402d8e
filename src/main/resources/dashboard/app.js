// Which page is shown, and what all pages have in common.

import { announce, el, replace, setAttribute, setText } from './dom.js';
import { clockTime, duration } from './format.js';
import { Live } from './live.js';
import { empty } from './parts.js';
import explain from './explain.js';
import overview from './overview.js';
import relay from './relay.js';
import relays from './relays.js';
import repositories from './repositories.js';
import repository from './repository.js';
import { needsAttention } from './words.js';

const PAGES = { '': overview, relays, relay, repos: repositories, repo: repository, explain };
const SECTION = { relay: 'relays', repo: 'repos' };

const live = new Live();
const main = document.getElementById('main');
let shown = null;

function route() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const [, name, argument] = path.match(/^\/?([^/]*)\/?(.*)$/);
  shown?.close?.();
  shown = open(name, argument, new URLSearchParams(query));
  replace(main, shown.node);
  document.title = `${shown.title} – grasp-sync`;
  markSection(SECTION[name] ?? name);
  draw();
}

function open(name, argument, query) {
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : missing;
  try {
    return page({ live, argument: decodeURIComponent(argument), query });
  } catch (failure) {
    if (failure instanceof URIError) {
      return missing();
    }
    throw failure;
  }
}

function missing() {
  const node = el('div', {}, el('h1', { tabindex: -1 }, 'There is no such page'),
    empty(el('p', {}, 'Go to the ', el('a', { href: '#/' }, 'overview'), ', or search for an id above.')));
  return { title: 'No such page', node };
}

function markSection(section) {
  document.querySelectorAll('header nav a').forEach(link =>
    setAttribute(link, 'aria-current', link.hash.slice(2) === section && 'page'));
}

function draw() {
  shown.update?.();
  connection();
  footer();
}

function connection() {
  const { open: isOpen, lostAt, retryAt } = live.connection;
  const line = document.getElementById('connection');
  setAttribute(line, 'data-open', isOpen);
  if (isOpen) {
    setText(line, '');
  } else if (retryAt === null) {
    setText(line, live.status ? '' : 'Connecting to the service …');
  } else {
    const old = lostAt ? ` Shown is how it was at ${clockTime(lostAt)}.` : '';
    // No countdown here: a screen reader would read every second of it.
    setText(line, `The service cannot be reached.${old} It is tried again by itself.`);
  }
}

function footer() {
  if (live.status) {
    const { name, version, startedAt, now, domain, ownRelay } = live.status;
    const up = duration((Date.parse(now) - Date.parse(startedAt)) / 1000);
    setText(document.getElementById('footer'),
      `${name} ${version} · ${ownRelay ? `sidecar of ${ownRelay}` : `the relay of ${domain}`} · up for ${up}`);
  }
}

/** What somebody who does not see the page should hear of: seldom, and only when it is another thing than before. */
let heard = '';
function tell() {
  if (live.connection.open && live.status) {
    const { phase, ratio } = live.status.sync;
    const troubled = [...live.relays.values()].filter(needsAttention).length;
    const tens = Math.floor(ratio * 10) * 10;
    const text = `${phase === 'complete' ? 'All that is wanted is here.' : `${tens} % of what is wanted is here.`}`
      + `${troubled > 0 ? ` ${troubled} relays need attention.` : ''}`;
    if (heard && heard !== text) {
      announce(text);
    }
    heard = text;
  }
}

document.getElementById('search').addEventListener('submit', event => {
  event.preventDefault();
  const query = document.getElementById('query').value.trim();
  if (query) {
    const hash = `#/explain/${encodeURIComponent(query)}`;
    if (location.hash === hash) {
      route();
    } else {
      location.hash = hash;
    }
  }
});

// The address of the page is kept in the hash, so a link to #main would be taken for a page.
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});

window.addEventListener('hashchange', () => {
  route();
  window.scrollTo(0, 0);
  main.querySelector('h1')?.focus();
});
live.addEventListener('change', draw);
setInterval(tell, 15_000);
route();
live.start();
