// What changes something: it needs the operator's token, which is kept for this tab only and sent nowhere else.

import { post, relayPath } from './api.js';
import { el, replace, setText } from './dom.js';

const KEY = 'token';
const ACTIONS = {
  retry: ['Retry now', 'Tries to connect at once instead of waiting.', 'The relay is tried now.'],
  'fresh-sync': ['Fresh sync now', 'Asks the relay for everything again.', 'Everything is being asked for again.'],
};

export function actions(url, live, done) {
  const result = el('p', { role: 'status', class: 'result' });
  const ask = el('div', {});
  const buttons = Object.entries(ACTIONS).map(([name, [label, meaning]]) =>
    el('button', { type: 'button', title: meaning, on: { click: () => act(name) } }, label));
  const node = el('section', { class: 'actions', 'aria-label': 'Actions' }, buttons, ask, result);

  /** A relay that is connected need not be retried, and one that is not cannot be asked. */
  function show({ state }) {
    const [retry, freshSync] = buttons;
    retry.hidden = state === 'connected';
    freshSync.hidden = state !== 'connected';
  }

  async function act(name) {
    setText(result, '');
    const token = sessionStorage.getItem(KEY);
    // Where no token is configured the service says so itself, so it is asked also without one.
    if (!token && live.status?.actions !== false) {
      askForToken(name, 'This needs the token from the service’s configuration (grasp.api.token).');
      return;
    }
    replace(ask);
    buttons.forEach(button => { button.disabled = true; });
    try {
      await post(`${relayPath(url)}/${name}`, token);
      setText(result, ACTIONS[name][2]);
      done();
    } catch (error) {
      if (error.status === 401) {
        sessionStorage.removeItem(KEY);
        askForToken(name, `That token was not accepted: ${error.message}`);
      } else {
        setText(result, error.message);
      }
    }
    buttons.forEach(button => { button.disabled = false; });
  }

  function askForToken(name, why) {
    const field = el('input', { type: 'password', id: 'token', autocomplete: 'off', required: true });
    const form = el('form', {
      class: 'token',
      on: {
        submit: event => {
          event.preventDefault();
          sessionStorage.setItem(KEY, field.value.trim());
          act(name);
        },
      },
    },
    el('p', { role: 'alert' }, why),
    el('label', { for: 'token' }, 'Token'), field,
    el('button', { type: 'submit' }, ACTIONS[name][0]),
    el('button', { type: 'button', class: 'quiet', on: { click: () => replace(ask) } }, 'Cancel'),
    el('p', { class: 'muted' }, 'It is kept until this tab is closed.'));
    replace(ask, form);
    field.focus();
  }

  return { node, show };
}
