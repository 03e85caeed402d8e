// The small parts of which pages are made.

import { el, setAttribute, setText, svg } from './dom.js';
import { dateTime, duration, now, number, percent } from './format.js';
import { WORDS } from './words.js';

/** A state as a shape and a word: colour alone would not reach everybody. */
export function badge([tone, label, title], text = label) {
  return el('span', { class: `badge ${tone}`, title: title || null }, text);
}

/** Keeps the badge that is there as long as it says the same. */
export function showBadge(cell, [tone, label, title]) {
  const before = cell.firstElementChild;
  if (before?.className !== `badge ${tone}` || before.textContent !== label) {
    cell.replaceChildren(badge([tone, label, title]));
  }
}

/** How much of something is done, as a bar and in numbers. */
export function progress(label) {
  const filled = el('span', { class: 'filled' });
  const bar = el('span', { class: 'bar', role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': 100 }, filled);
  const text = el('span', { class: 'of' });
  const node = el('span', { class: 'progress' }, bar, text);
  node.show = (part, whole) => {
    bar.hidden = whole === 0;
    setText(text, whole > 0 ? `${number(part)} of ${number(whole)}` : 'nothing wanted');
    if (whole > 0) {
      const ratio = Math.min(1, part / whole);
      filled.style.width = `${100 * ratio}%`;
      setAttribute(bar, 'aria-valuenow', Math.floor(100 * ratio));
      setAttribute(bar, 'aria-valuetext', percent(part, whole));
      setAttribute(node, 'data-complete', String(part >= whole));
    }
  };
  return node;
}

/** The last minutes as a line over a filled area. */
export function sparkline(minutes, { width = 120, height = 24, label = 'Events in the last hour' } = {}) {
  const values = minutes ?? [];
  const total = values.reduce((sum, value) => sum + value, 0);
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, i) => `${(i * step).toFixed(1)},${(height - 1 - (value / most) * (height - 3)).toFixed(1)}`);
  const name = total === 0 ? `${label}: none` : `${label}: ${number(total)}, at most ${number(most)} in a minute`;
  return svg('svg', {
    class: `sparkline${total === 0 ? ' silent' : ''}`, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img',
    'aria-label': name,
  },
  svg('title', {}, name),
  points.length > 0 && svg('path', { class: 'area', d: `M0,${height} L${points.join(' L')} L${width},${height} Z` }),
  points.length > 0 && svg('path', { class: 'line', d: `M${points.join(' L')}` }));
}

/** A time that counts: until it, or since it. */
export function ticking(how, instant) {
  const node = el('time', { [`data-${how}`]: instant, datetime: instant, title: dateTime(instant) });
  tick(node);
  return node;
}

export function showTicking(cell, how, instant) {
  const before = cell.firstElementChild;
  if (!instant) {
    setText(cell, '');
  } else if (before?.dataset?.[how] !== instant) {
    cell.replaceChildren(ticking(how, instant));
  }
}

function tick(node) {
  const { until, since } = node.dataset;
  if (until) {
    const left = (Date.parse(until) - now()) / 1000;
    setText(node, left > 0.5 ? `in ${duration(left)}` : 'now');
  } else {
    setText(node, duration((now() - Date.parse(since)) / 1000));
  }
}

setInterval(() => document.querySelectorAll('time[data-until], time[data-since]').forEach(tick), 1000);

/** A word and, where asked for, what it means. */
export function term(key) {
  return [WORDS[key][0], hint(key)];
}

let hints = 0;

export function hint(key) {
  const [word, meaning] = WORDS[key];
  const id = `hint-${++hints}`;
  const text = el('span', { class: 'meaning', id, popover: 'auto', role: 'note' }, meaning);
  const button = el('button', { type: 'button', class: 'hint', popovertarget: id, 'aria-label': `What is “${word}”?` }, '?');
  text.addEventListener('toggle', event => {
    if (event.newState === 'open') {
      const { left, bottom } = button.getBoundingClientRect();
      const room = document.documentElement.clientWidth - text.offsetWidth - 8;
      text.style.left = `${Math.max(8, Math.min(left, room))}px`;
      text.style.top = `${bottom + 6}px`;
    }
  });
  return el('span', { class: 'hint-holder' }, button, text);
}

/** The words of a page, for those who see no table heads or would rather read than point. */
export function glossary(...keys) {
  return el('details', { class: 'glossary' }, el('summary', {}, 'What do these words mean?'),
    el('dl', {}, keys.map(key => [el('dt', {}, WORDS[key][0]), el('dd', {}, WORDS[key][1])])));
}

export function relayLink(url) {
  const [, scheme, rest] = url.match(/^(wss?:\/\/)(.*?)\/?$/) ?? [null, '', url];
  return el('a', { href: `#/relay/${encodeURIComponent(url)}`, class: 'url' }, el('span', { class: 'scheme' }, scheme), rest);
}

export function repoLink({ address, name }) {
  return el('a', { href: `#/repo/${encodeURIComponent(address)}` }, name || address.split(':').slice(2).join(':') || address);
}

export function loading(what) {
  return el('p', { class: 'notice loading', role: 'status' }, `Loading ${what} …`);
}

export function empty(...children) {
  return el('div', { class: 'notice' }, ...children);
}

/** What went wrong, and a way to try once more. */
export function failure(error, again) {
  return el('div', { class: 'notice bad', role: 'alert' }, el('p', {}, error.message),
    again && el('button', { type: 'button', on: { click: again } }, 'Try again'));
}

export function fact(name, ...value) {
  return [el('dt', {}, name), el('dd', {}, ...value)];
}
