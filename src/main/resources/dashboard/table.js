// A table that is kept up to date in place: a row stays the same element as long as its key is shown.
// Roles are written out, because a table that is laid out as cards on a phone is otherwise no table to a screen reader.

import { el, setAttribute } from './dom.js';
import { hint } from './parts.js';

/**
 * caption, key(row), columns: [{ id, label, hint, numeric, wide (on a phone), value(row) to sort by, show(cell, row) }], sort: { by, down },
 * onSort(sort).
 */
export class Table {
  #columns;
  #key;
  #rows = new Map();
  #body = el('tbody', { role: 'rowgroup' });
  #heads = new Map();

  constructor({ caption, columns, key, sort = null, onSort = () => {} }) {
    this.#columns = columns;
    this.#key = key;
    this.sort = sort;
    this.onSort = onSort;
    const head = el('tr', { role: 'row' }, columns.map(column => this.#head(column)));
    this.node = el('div', { class: 'table' }, el('table', { role: 'table' }, el('caption', { class: 'hidden' }, caption),
      el('thead', { role: 'rowgroup' }, head), this.#body));
    this.#showSort();
  }

  #head(column) {
    const sortable = this.sort && column.value;
    const label = sortable
      ? el('button', { type: 'button', class: 'sort', on: { click: () => this.#sortBy(column) } }, column.label)
      : el('span', {}, column.label);
    const head = el('th', { role: 'columnheader', scope: 'col', class: column.numeric ? 'number' : null }, label,
      column.hint && hint(column.hint));
    this.#heads.set(column.id, head);
    return head;
  }

  #sortBy(column) {
    const down = this.sort.by === column.id ? !this.sort.down : Boolean(column.numeric);
    this.sort = { by: column.id, down };
    this.#showSort();
    this.onSort(this.sort);
  }

  #showSort() {
    this.#heads.forEach((head, id) => setAttribute(head, 'aria-sort',
      this.sort?.by === id && (this.sort.down ? 'descending' : 'ascending')));
  }

  sorted(rows) {
    if (!this.sort) {
      return rows;
    }
    const { value } = this.#columns.find(column => column.id === this.sort.by);
    const sign = this.sort.down ? -1 : 1;
    const keyed = rows.map(row => [value(row), this.#key(row), row]);
    keyed.sort((a, b) => (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : a[1] < b[1] ? -1 : 1));
    return keyed.map(entry => entry[2]);
  }

  /** Somebody points at a row or has the focus in it: rows had better not move now. */
  get isBusy() {
    return this.#body.matches(':hover, :focus-within');
  }

  show(rows) {
    // Those that are gone go first: a row that needs not be moved keeps the focus.
    const kept = new Set(rows.map(this.#key));
    const gone = [...this.#rows.keys()].filter(key => !kept.has(key));
    gone.forEach(key => {
      this.#rows.get(key).line.remove();
      this.#rows.delete(key);
    });
    rows.forEach((row, i) => {
      const { line } = this.#row(this.#key(row), row);
      if (this.#body.children[i] !== line) {
        this.#body.insertBefore(line, this.#body.children[i] ?? null);
      }
    });
  }

  #row(key, row) {
    let entry = this.#rows.get(key);
    if (!entry) {
      const cells = this.#columns.map(({ label, numeric, wide }, i) => el(i === 0 ? 'th' : 'td', {
        role: i === 0 ? 'rowheader' : 'cell', scope: i === 0 ? 'row' : null, 'data-label': label, class: numeric ? 'number' : wide ? 'wide' : null,
      }));
      entry = { line: el('tr', { role: 'row' }, cells), cells, row: null };
      this.#rows.set(key, entry);
    }
    if (entry.row !== row) {
      this.#columns.forEach(({ show }, i) => show(entry.cells[i], row));
      entry.row = row;
    }
    return entry;
  }
}
