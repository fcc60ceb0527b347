/* SPDX-License-Identifier: BSD-3-Clause
 * A table of many rows: sorted by any column, filtered, written as CSV.  With
 * more than a few hundred rows, only the visible rows are elements.
 *
 * A column: title, unit, about, isText, number(i) or string(i) to sort by,
 * cell(i) for display, csv(i) the exact value, in the same unit; or several
 * values in units of their own, with csvTitles(). */

const FEW_ROWS = 300;
const ROW_MARGIN = 12;
const PRINTED_ROWS = 2000;

class Table {
  constructor(options) {
    this.options = options;
    this.columns = options.columns;
    this.n = options.n;
    this.sort = options.sort || null; /* {key, isUp} */
    this.wants = null;
    this.sorted = new Map(); /* values that columns are sorted by */
    this.order = [];
    this.drawn = [-1, -1];
    this.head = el('thead');
    this.body = el('tbody');
    this.table = el('table', { class: options.className || '' },
      el('caption', null, options.caption), this.head, this.body);
    this.scroller = el('div', {
      class: 'scroll', tabindex: '0', role: 'region',
      'aria-label': `${options.caption} table`,
      onscroll: () => this.scrolled(),
    }, this.table);
    this.element = el('div', { class: 'table-box' }, this.scroller);
    window.addEventListener('beforeprint', () => this.draw(true));
    window.addEventListener('afterprint', () => this.draw());
  }

  setColumns(columns) {
    this.columns = columns;
    if (this.sort && !columns.some((c) => c.key === this.sort.key)) {
      this.sort = this.options.sort || null;
    }
    this.update();
  }

  /* Show only rows that `wants` accepts; null: all. */
  filter(wants) {
    this.wants = wants;
    this.update();
  }

  update() {
    this.arrange();
    this.drawHead();
    this.scroller.scrollTop = 0;
    this.draw();
  }

  keys(column) {
    if (!this.sorted.has(column)) {
      this.sorted.set(column, column.isText
        ? Array.from({ length: this.n }, (_, i) => column.string(i))
        : Float64Array.from({ length: this.n }, (_, i) => column.number(i)));
    }
    return this.sorted.get(column);
  }

  /* Rows without a value come last in both directions. */
  compare() {
    const column = this.sort &&
      this.columns.find((c) => c.key === this.sort.key);
    if (!column) {
      return (a, b) => a - b;
    }
    const keys = this.keys(column);
    const sign = this.sort.isUp ? 1 : -1;
    if (column.isText) {
      return (a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign
        : a - b);
    }
    return (a, b) => {
      const x = keys[a], y = keys[b];
      const hasX = Number.isFinite(x), hasY = Number.isFinite(y);
      if (!hasX || !hasY) {
        return hasY - hasX || a - b;
      }
      return sign * (x - y) || a - b;
    };
  }

  arrange() {
    const compare = this.compare();
    if (this.options.arrange) {
      this.order = this.options.arrange(compare, this.wants);
      return;
    }
    this.order = Array.from({ length: this.n }, (_, i) => i);
    if (this.wants) {
      this.order = this.order.filter(this.wants);
    }
    this.order.sort(compare);
  }

  sortBy(column) {
    const isSame = this.sort && this.sort.key === column.key;
    this.sort = {
      key: column.key,
      isUp: isSame ? !this.sort.isUp : Boolean(column.isText),
    };
    this.update();
    if (this.options.onsort) {
      this.options.onsort(this.sort);
    }
    announce(`sorted by ${column.title}, ${this.sort.isUp ? 'smallest'
      : 'largest'} first`);
    const button = this.head.querySelector('[aria-sort] button');
    if (button) {
      button.focus({ preventScroll: true });
    }
  }

  drawHead() {
    const cells = this.columns.map((column) => {
      const isKey = this.sort && this.sort.key === column.key;
      return el('th', {
        scope: 'col', class: column.isText ? 'text' : 'number',
        'aria-sort': isKey ? (this.sort.isUp ? 'ascending' : 'descending')
          : null,
      }, el('button', {
        type: 'button', title: column.about || null,
        onclick: () => this.sortBy(column),
      }, text(column.title), column.unit
        ? el('span', { class: 'unit' }, ` ${visible(column.unit)}`) : '',
      el('span', { class: 'arrow', 'aria-hidden': 'true' },
        isKey ? (this.sort.isUp ? ' ▲' : ' ▼') : '')));
    });
    empty(this.head).append(el('tr', null, cells));
    this.table.setAttribute('aria-rowcount', this.order.length + 1);
  }

  row(place) {
    const i = this.order[place];
    const cells = this.columns.map((column, at) => el(at === 0 ? 'th' : 'td', {
      class: column.isText ? 'text' : 'number',
      scope: at === 0 ? 'row' : null,
    }, column.cell(i)));
    return el('tr', { 'aria-rowindex': place + 2 }, cells);
  }

  space(rows) {
    const cell = el('td', { colspan: this.columns.length });
    cell.style.height = `${rows * this.rowHeight()}px`;
    return el('tr', { class: 'space', 'aria-hidden': 'true' }, cell);
  }

  rowHeight() {
    const row = this.body.querySelector('tr:not(.space)');
    if (row && row.offsetHeight > 0) {
      this.height = row.offsetHeight;
    }
    return this.height || 30;
  }

  draw(isPrinted) {
    const n = this.order.length;
    const most = isPrinted ? PRINTED_ROWS : FEW_ROWS;
    let from = 0, to = Math.min(n, most);
    if (n > most && !isPrinted) {
      const height = this.rowHeight();
      from = Math.max(0, Math.floor(this.scroller.scrollTop / height) -
        ROW_MARGIN);
      to = Math.min(n, from + 2 * ROW_MARGIN +
        Math.ceil((this.scroller.clientHeight || 600) / height));
    }
    const rows = [];
    for (let i = from; i < to; i++) {
      rows.push(this.row(i));
    }
    if (from > 0) {
      rows.unshift(this.space(from));
    }
    if (to < n && !isPrinted) {
      rows.push(this.space(n - to));
    }
    if (n === 0) {
      rows.push(el('tr', null, el('td', { colspan: this.columns.length },
        this.options.nothing || 'no rows')));
    }
    this.body.replaceChildren(...rows);
    this.drawn = [from, to];
  }

  scrolled() {
    if (this.order.length <= FEW_ROWS || this.isWaiting) {
      return;
    }
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      const height = this.rowHeight();
      const first = Math.floor(this.scroller.scrollTop / height);
      const last = first + Math.ceil(this.scroller.clientHeight / height);
      if (first < this.drawn[0] || last > this.drawn[1]) {
        this.draw();
      }
    });
  }

  csv() {
    const head = this.columns.flatMap((c) => (c.csvTitles
      ? c.csvTitles() : [csvTitle(c.title, c.unit)]));
    const lines = [head.map(csvCell).join(',')];
    for (const i of this.order) {
      lines.push(this.columns.flatMap((c) => c.csv(i)).map(csvCell).join(','));
    }
    return lines.join('\r\n') + '\r\n';
  }

  /* A button that saves the rows and columns shown. */
  exportButton(name) {
    return el('button', {
      type: 'button', class: 'quiet',
      onclick: () => {
        download(name, this.csv());
        announce(`${this.order.length} rows written to ${name}`);
      },
    }, 'CSV');
  }
}
