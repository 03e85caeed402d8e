// Which part of a long list is shown.

import { el, setAttribute, setText } from './dom.js';
import { number } from './format.js';

export class Pager {
  offset = 0;
  #text = el('span', {});
  #back;
  #on;

  constructor(size, what, onMove) {
    this.size = size;
    this.what = what;
    const button = (label, by) => el('button', {
      type: 'button', on: { click: () => { this.offset = Math.max(0, this.offset + by); onMove(); } },
    }, label);
    this.#back = button('Previous', -size);
    this.#on = button('Next', size);
    this.node = el('nav', { class: 'pager', 'aria-label': `Pages of ${what}` }, this.#back, this.#text, this.#on);
  }

  show(total) {
    if (this.offset >= total) {
      this.offset = Math.max(0, Math.floor((total - 1) / this.size) * this.size);
    }
    const last = Math.min(total, this.offset + this.size);
    setText(this.#text, total > this.size ? `${number(this.offset + 1)}–${number(last)} of ${number(total)} ${this.what}` : '');
    setAttribute(this.#back, 'disabled', this.offset === 0);
    setAttribute(this.#on, 'disabled', last >= total);
    this.node.hidden = total <= this.size;
  }
}
