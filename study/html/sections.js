/* SPDX-License-Identifier: BSD-3-Clause
 * The table of sections: a line each, with chosen columns, flat or as the tree
 * of calls. */

const FIRST_COLUMNS = ['CYCLES', 'STALLED', 'STALLED_PCT', 'CPI', 'I_MARGIN',
  'I_FACTOR'];
const SHOWN_METRICS = 3;

/* ---- cells ----------------------------------------------------------- */

/* A value with its marks. */
function figureCell(quantity, figure) {
  if (!figure.isThere || Number.isNaN(figure.value)) {
    if (!figure.isThere) {
      return el('span', { class: 'na', title: 'not counted here' }, 'n/a');
    }
    const words = figure.state === 'brief' ? 'too short' : 'n/a';
    const cell = el('span', { class: 'na', title: visible(figure.reason ||
      figure.state) }, words);
    return figure.verdict === 'bad' || figure.verdict === 'good'
      ? el('span', null, chipOf(figure, quantity), ' ', cell) : cell;
  }
  const number = shownNumber(quantity, figure.value, figure.digits);
  const more = figure.state === 'shared'
    ? ` ${reach(figure.value, figure.interval)}` : '';
  const how = [wordsOf(figure), figure.reason].filter(Boolean).join(': ');
  const chip = chipOf(figure, quantity);
  return el('span', { title: how ? visible(how) : null },
    chip, chip ? ' ' : '', figure.isPartial ? '~' : '', number, more ? el('span',
      { class: 'reach' }, more) : '');
}

/* Limits apply to one thread: where the total does not cross the limit, the
 * worst thread's value that does is shown beside it. */
function worstWords(figure, quantity) {
  const [side, limit] = quantity.bad || [];
  return figure.judged > 1 && Number.isFinite(figure.worst) && quantity.bad &&
    !(side * figure.value > side * limit)
    ? `, worst ${shownNumber(quantity, figure.worst)}` : '';
}

function chipOf(figure, quantity) {
  const several = figure.verdict === 'bad' && figure.judged > 1
    ? ` ${figure.bad} of ${figure.judged}${worstWords(figure, quantity)}` : '';
  return verdictChip(figure.verdict, several) ||
    (figure.isDoubtful ? doubtChip(visible(figure.reason)) : null);
}

/* A number computed from figures, with their marks. */
function numberCell(quantity, value, figures = [], digits = '') {
  if (!Number.isFinite(value)) {
    return el('span', { class: 'na' }, 'n/a');
  }
  const said = figures.filter((figure) => figure.isThere).map(wordsOf)
    .filter(Boolean).join('; ');
  return el('span', { title: said ? visible(said) : null },
    figures.some((figure) => figure.isPartial) ? '~' : '',
    shownNumber(quantity, value, digits));
}

function whereOf(row) {
  return row.outside || !row.file ? ''
    : `${baseOf(row.file)}:${row.line}${row.end > row.line
      ? `-${row.end}` : ''}`;
}

const FLAG_WORDS = [[1, 'open'], [2, 'short'], [4, 'overlap'],
  [64, 'first calls only'],
  [ONLY_IN_A, 'only in A'], [ONLY_IN_B, 'only in B']];

/* ---- columns --------------------------------------------------------- */

function differenceColumns(quantity, base, sides) {
  return [{
    ...base, key: `${keyOf(quantity)} difference`, title: 'B − A',
    number: (i) => sides.difference(i),
    csvTitles: () => csvTitles(quantity, `${quantity.name} B − A`).slice(0, 1),
    csv: (i) => sides.differenceDigits(i) || csvNumber(sides.difference(i)),
    cell: (i) => numberCell(quantity, sides.difference(i), sides.ends(i),
      sides.differenceDigits(i)),
  }, {
    key: `${keyOf(quantity)} ratio`, title: 'B / A', unit: '',
    csvTitles: () => [`${quantity.name} B / A`],
    number: (i) => sides.ratio(i), csv: (i) => csvNumber(sides.ratio(i)),
    cell: (i) => numberCell({ unit: '', ratio: true }, sides.ratio(i),
      sides.ends(i)),
  }];
}

class SectionTable {
  constructor() {
    this.isTree = settings.get('view') === 'tree' && this.hasTree();
    this.box = el('section', { 'aria-labelledby': 'sections' });
  }

  hasTree() {
    return page.experiments.some((e) => e.paths);
  }

  get data() {
    return comparison(this.isTree ? 'p' : 'q');
  }

  nameColumn() {
    const lines = this.data.lines;
    const hasBoth = new Set(lines.map((line) => line.first.scope)).size > 1;
    return {
      key: 'section', title: 'section', isText: true,
      string: (i) => lines[i].first.label.toLowerCase(),
      csvTitles: () => ['section', 'file', 'line', 'scope'],
      csv: (i) => [lines[i].first.label, lines[i].first.file,
        lines[i].first.line, scopeOf(lines[i].first)],
      cell: (i) => {
        const line = lines[i];
        const words = FLAG_WORDS.filter(([bit]) => line.first.flags & bit)
          .map(([, word]) => word);
        if (hasBoth) {
          words.unshift(scopeOf(line.first));
        }
        const cell = el('span', { class: 'section-name' }, el('button', {
          type: 'button', class: 'link', onclick: () => openLine(this.data, i),
        }, text(line.first.label)), el('span', { class: 'where' },
          ` ${visible(whereOf(line.first))}`, words.length > 0
            ? ` ${words.join(', ')}` : ''));
        if (this.isTree) {
          cell.style.paddingInlineStart = `${1.1 * line.depth}rem`;
        }
        return cell;
      },
    };
  }

  /* A column with a number of the section that is not a quantity. */
  fieldColumn(key, title, about, factor, decimals) {
    const lines = this.data.lines;
    const value = (i) => {
      const number = lines[i].first[key];
      return number === null ? NaN : factor * number;
    };
    return {
      key, title, about, unit: factor === 100 ? '%' : '',
      number: value,
      csv: (i) => (Number.isNaN(value(i)) ? '' : value(i)),
      cell: (i) => (Number.isNaN(value(i)) ? el('span', { class: 'na' }, 'n/a')
        : value(i).toFixed(decimals)),
    };
  }

  /* How far the slowest thread is above the mean, in exclusive time. */
  imbalanceColumn() {
    const data = this.data;
    const quantity = data.ofKind('exclusive');
    const value = (i) => {
      const { block, row } = quantity ? data.figure(quantity, i, 0) : NO_FIGURE;
      return block ? 100 * block.at('thread_imbalance', row) : NaN;
    };
    return {
      key: 'imbalance', title: 'imbalance', unit: '%',
      about: 'of the time without the sections inside: (most - mean) / most ' +
        'of its threads', number: value, csv: (i) => csvNumber(value(i)),
      cell: (i) => (Number.isNaN(value(i)) ? el('span', { class: 'na' }, 'n/a')
        : value(i).toFixed(1)),
    };
  }

  quantityColumns(quantity) {
    const data = this.data;
    const base = {
      about: aboutOf(quantity), unit: shownUnit(quantity),
    };
    const key = keyOf(quantity);
    if (!data.isSeveral) {
      const block = data.surveys[0].block(data.surveys[0].names.get(key));
      return [{
        ...base, key, title: titleOf(quantity),
        number: (i) => block.at('value', data.lines[i].rows[0]),
        cell: (i) => figureCell(quantity, data.figure(quantity, i, 0)),
        csvTitles: () => csvTitles(quantity, quantity.name),
        csv: (i) => {
          const figure = data.figure(quantity, i, 0);
          return figure.isThere ? [figure.digits, stateOf(figure),
            figure.verdict] : ['', '', ''];
        },
      }];
    }
    return this.runColumns(quantity, base);
  }

  /* With several runs: a column for each, and how they differ. */
  runColumns(quantity, base) {
    const data = this.data;
    const key = keyOf(quantity);
    const sides = new Sides(data, quantity);
    const columns = sides.all.map((s) => ({
      ...base, key: `${key} ${s}`, title: `${titleOf(quantity)} ${sideName(s)}`,
      number: (i) => sides.value(i, s),
      csvTitles: () => csvTitles(quantity, `${quantity.name} ${sideName(s)}`)
        .slice(0, 2),
      csv: (i) => {
        const value = sides.digits(i, s) || csvNumber(sides.value(i, s));
        return [value, data.isDifference && value === '' ? ''
          : stateOf(sides.figure(i, s))];
      },
      cell: (i) => (data.isDifference
        ? numberCell(quantity, sides.value(i, s), sides.ends(i),
          sides.digits(i, s))
        : figureCell(quantity, sides.figure(i, s))),
    }));
    return columns.concat(sides.all.length === 2
      ? differenceColumns(quantity, base, sides) : [{
        key: `${key} trend`, title: 'trend', unit: '',
        about: 'from run to run; the last by the first',
        csvTitles: () => [`${quantity.name} trend`],
        number: (i) => sides.ratio(i), csv: (i) => csvNumber(sides.ratio(i)),
        cell: (i) => trend(data.values(quantity, i)),
      }]);
  }

  /* All columns that can be chosen: [key, title, columns]. */
  choices() {
    const data = this.data;
    const fields = data.isSeveral ? [] : [
      ['share', 'share', this.fieldColumn('share', 'share',
        'part of the time of all threads of the run', 100, 1)],
      ['section_share', 'share of sections', this.fieldColumn('section_share',
        'share of sections', 'part of the time in sections', 100, 1)],
      ['imbalance', 'imbalance', this.imbalanceColumn()],
      ['threads', 'threads', this.fieldColumn('threads', 'threads', '', 1, 0)],
      ['tasks', 'tasks', this.fieldColumn('tasks', 'tasks', '', 1, 0)],
      ['bad', 'bad', this.fieldColumn('bad', 'bad',
        'how many values of threads or processes are bad', 1, 0)],
    ].map(([key, title, column]) => ({ key, title, columns: () => [column] }));
    return fields.concat(data.quantities.map((quantity) => ({
      key: keyOf(quantity), title: titleOf(quantity), quantity,
      columns: () => this.quantityColumns(quantity),
    })));
  }

  usual() {
    const data = this.data;
    const named = FIRST_COLUMNS.map((name) => data.quantity(name, 'metric'))
      .filter(Boolean);
    const times = ['exclusive', 'inclusive', 'calls']
      .map((kind) => data.ofKind(kind)).filter(Boolean);
    if (data.isSeveral) {
      return [times[0], ...named.slice(0, 1)].filter(Boolean).map(keyOf);
    }
    const spread = data.lines.some((line) => line.first.threads > 1)
      ? ['imbalance'] : [];
    const keys = (named.length > 0 ? named : this.telling()).map(keyOf);
    const [own, ...others] = times.map(keyOf);
    return ['share', ...keys, own, ...spread, ...others, 'bad'];
  }

  /* Without counted cycles: the metrics that are bad most often, then
   * counters. */
  telling() {
    const ofKinds = (...kinds) => this.data.quantities.filter((q) =>
      !q.hidden && kinds.includes(q.kind));
    const bad = ofKinds('metric', 'recorded').filter((q) => q.bad_values > 0)
      .sort((a, b) => b.bad_values - a.bad_values).slice(0, SHOWN_METRICS);
    const counters = ofKinds('counter');
    return bad.concat((counters.length > 0 ? counters : ofKinds('recorded',
      'metric')).filter((q) => !bad.includes(q))).slice(0, SHOWN_METRICS + 1);
  }

  chosen() {
    const words = settings.get('columns');
    return words === null ? this.usual() : splitWords(words);
  }

  columns() {
    const chosen = new Set(this.chosen());
    const order = this.chosen();
    const all = new Map(this.choices().map((c) => [c.key, c]));
    return [this.nameColumn(), ...order.filter((key) => all.has(key) &&
      chosen.has(key)).flatMap((key) => all.get(key).columns())];
  }

  /* ---- what is above the table ---- */

  chooserBox() {
    const list = el('fieldset', { class: 'columns' },
      el('legend', { class: 'hidden' }, 'columns'));
    const draw = () => {
      const now = this.chosen();
      list.replaceChildren(list.firstChild, ...this.choices().map((choice) => {
        const input = el('input', {
          type: 'checkbox', checked: now.includes(choice.key),
          onchange: () => {
            const next = this.chosen().filter((key) => key !== choice.key);
            if (input.checked) {
              next.push(choice.key);
            }
            keep('columns', joinWords(next));
            this.table.setColumns(this.columns());
          },
        });
        return el('label', {
          title: (choice.quantity && aboutOf(choice.quantity)) || null,
        }, input, ' ', text(choice.title));
      }));
    };
    const set = (keys) => {
      keep('columns', keys);
      this.table.setColumns(this.columns());
      draw();
    };
    const box = el('details', { class: 'chooser' },
      el('summary', null, 'Columns'),
      el('p', null, el('button', { type: 'button', class: 'quiet',
        onclick: () => set(null) }, 'usual'), ' ',
      el('button', { type: 'button', class: 'quiet',
        onclick: () => set(joinWords(this.choices().map((c) => c.key))) },
      'all'), ' ', el('button', { type: 'button', class: 'quiet',
        onclick: () => set('none') }, 'none')), list);
    box.addEventListener('toggle', () => box.open && draw());
    return box;
  }

  searchBox() {
    const input = el('input', {
      type: 'search', id: 'search', value: settings.get('search') || '',
      autocomplete: 'off', spellcheck: 'false',
      oninput: () => {
        keep('search', input.value);
        this.search(input.value);
      },
    });
    return el('label', { for: 'search' }, 'Search ', input);
  }

  search(words) {
    const lines = this.data.lines;
    const wanted = words.trim().toLowerCase();
    this.table.filter(wanted === '' ? null : (i) =>
      visible(`${lines[i].first.label} ${lines[i].first.file}`).toLowerCase()
        .includes(wanted));
    announce(`${this.table.order.length} of ${lines.length} sections`);
    this.count.textContent = `${this.table.order.length} of ${lines.length}`;
  }

  viewButtons() {
    if (!this.hasTree()) {
      return '';
    }
    const button = (words, isTree) => el('button', {
      type: 'button', class: 'quiet', 'aria-pressed':
        String(this.isTree === isTree),
      onclick: () => {
        this.isTree = isTree;
        keep('view', isTree ? 'tree' : null);
        this.draw();
      },
    }, words);
    return el('span', { role: 'group', 'aria-label': 'view' },
      button('flat', false), button('call tree', true));
  }

  /* Lines in the order of the tree: each below its parent. */
  arrangeTree(compare, wants) {
    const below = new Map();
    this.data.lines.forEach((line, i) => {
      if (!below.has(line.parent)) {
        below.set(line.parent, []);
      }
      below.get(line.parent).push(i);
    });
    const order = [];
    const visit = (i) => {
      const at = order.length;
      order.push(i);
      let isWanted = !wants || wants(i);
      for (const child of (below.get(i) || []).sort(compare)) {
        isWanted = visit(child) || isWanted;
      }
      if (!isWanted) {
        order.length = at;
      }
      return isWanted;
    };
    (below.get(-1) || []).sort(compare).forEach(visit);
    return order;
  }

  firstSort() {
    const words = settings.get('sort');
    if (words) {
      return { key: words.slice(1), isUp: words[0] === '+' };
    }
    const kind = this.isTree ? 'inclusive' : 'exclusive';
    const quantity = this.data.ofKind(kind);
    return quantity ? {
      key: keyOf(quantity) + (this.data.isSeveral ? ' 0' : ''), isUp: false,
    } : null;
  }

  draw() {
    this.table = new Table({
      caption: this.isTree ? 'Call paths' : 'Sections', className: 'sections',
      columns: this.columns(), n: this.data.lines.length,
      sort: this.firstSort(), nothing: 'no section has that in its name',
      arrange: this.isTree ? (c, w) => this.arrangeTree(c, w) : null,
      onsort: (sort) => keep('sort', (sort.isUp ? '+' : '-') + sort.key),
    });
    this.count = el('span', { class: 'count' });
    this.box.replaceChildren(el('h2', { id: 'sections' }, 'Sections'),
      el('div', { class: 'tools' }, this.searchBox(), this.count,
        this.viewButtons(), this.table.exportButton('sections.csv')),
      this.chooserBox(), this.table.element, el('p', { class: 'about' },
        legend(this.data)));
    this.search(settings.get('search') || '');
  }
}

/* Headings for a value in the unit of the file, its state and its verdict. */
function csvTitles(quantity, title) {
  return [csvTitle(title, quantity.unit), `${title} state`,
    `${title} verdict`];
}

function csvNumber(value) {
  return Number.isFinite(value) ? value : '';
}

function legend(data) {
  if (data.isSeveral) {
    return 'Differences are of single values; whether one is more than chance ' +
      'is what “hpm compare” says, of several runs of each side. n/a: no ' +
      'value; it is never 0.';
  }
  return 'Seconds are those of the slowest thread, counts the sum over all; ' +
    'own time is without the sections inside, (outside sections) what no ' +
    'section covers. ' +
    'A verdict is one on each thread or process by itself: “! bad 3 of 8”; ' +
    '“+ good”; “? no verdict”: too short, or too uncertain. ~: parts are ' +
    'missing. n/a: no value, for the reason its tooltip and its section ' +
    'give; it is never 0. Verdicts are hints.';
}
