/* SPDX-License-Identifier: BSD-3-Clause
 * The experiments of the page, and which of their sections are the same.  A
 * section's key is scope, label, base name of its file and number.  The line
 * only decides between sections with equal keys, because builds differ in
 * lines. */

const FIELDS = ['label', 'file', 'line', 'end', 'inst', 'scope', 'threads',
  'tasks', 'bad', 'share', 'section_share', 'flags', 'outside', 'parent',
  'watched', 'code'];
const THREAD = 0, PROCESS = 1; /* scopes */
const ONLY_IN_A = 16, ONLY_IN_B = 32; /* flags of a section */
const NO_FIGURE = { isThere: false, value: NaN, code: NaN };

/* One grouping of one experiment: its sections ("q") or call paths ("p"). */
class Survey {
  constructor(index, what) {
    const experiment = page.experiments[index];
    const isPaths = what === 'p';
    this.index = index;
    this.what = what;
    this.experiment = experiment;
    this.quantities = (isPaths ? experiment.path_quantities : null) ||
      experiment.quantities;
    this.rows = ((isPaths ? experiment.paths : null) || experiment.sections)
      .map((values) => Object.fromEntries(
        FIELDS.map((name, i) => [name, values[i]])));
    this.names = new Map(this.quantities.map((q, i) => [keyOf(q), i]));
  }

  block(quantity) {
    return openBlock(`e${this.index}${this.what}${quantity}`);
  }

  /* A section's figure of a quantity; its value is NaN where there is none. */
  figure(quantity, row) {
    const block = this.block(quantity);
    const code = block === null ? NaN : block.at('code', row);
    if (Number.isNaN(code)) {
      return NO_FIGURE;
    }
    const said = decode(code);
    return {
      ...said,
      isThere: true,
      block,
      row,
      value: block.at('value', row),
      digits: block.digits('value', row),
      exclusive: block.at('exclusive', row),
      base: block.at('base', row),
      baseDigits: block.digits('base', row),
      share: block.at('share', row),
      windows: block.at('windows', row),
      interval: block.at('interval', row),
      judged: block.at('judged', row),
      bad: block.at('bad', row),
      worst: block.at('worst', row),
      reason: block.texts[block.at('reason', row)] || '',
      ownReason: block.texts[block.at('own reason', row)] || '',
      isRenamed: (block.at('flags', row) & 1) !== 0,
      isRunBound: (block.at('flags', row) & 2) !== 0,
    };
  }

  value(quantity, row) {
    const block = this.block(quantity);
    return block === null ? NaN : block.at('value', row);
  }
}

function keyOf(quantity) {
  const kind = quantity.kind === 'recorded' ? 'metric' : quantity.kind;
  return `${kind} ${quantity.name} ${quantity.unit}`;
}

function scopeOf(row) {
  return row.scope === PROCESS ? 'process' : 'thread';
}

function baseOf(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}

/* All experiments side by side.  Each line has a row in every survey. */
class Comparison {
  constructor(what) {
    this.what = what;
    this.surveys = page.experiments.map((_, i) => new Survey(i, what));
    this.isDifference = page.experiments.length === 1 &&
      page.experiments[0].kind === 'diff';
    this.align();
    this.quantities = [];
    const seen = new Map();
    for (const survey of this.surveys) {
      for (const quantity of survey.quantities) {
        if (!seen.has(keyOf(quantity)) && quantity.sections > 0) {
          seen.set(keyOf(quantity), quantity);
          this.quantities.push(quantity);
        }
      }
    }
  }

  get isSeveral() {
    return this.surveys.length > 1 || this.isDifference;
  }

  align() {
    this.lines = []; /* {rows: [row or -1 per survey], first: its fields} */
    const index = new Map();
    this.surveys.forEach((survey, s) => {
      const met = new Map();
      const lineOf = [];
      survey.rows.forEach((row, i) => {
        const above = row.parent >= 0 ? lineOf[row.parent] : -1;
        const name = [above, row.scope, row.label, baseOf(row.file), row.inst,
          row.outside].join('\u0001');
        const nth = met.get(name) || 0;
        met.set(name, nth + 1);
        const key = `${name}\u0001${nth}`;
        if (!index.has(key)) {
          index.set(key, this.lines.length);
          this.lines.push({
            rows: this.surveys.map(() => -1), first: row, parent: above,
            depth: above >= 0 ? this.lines[above].depth + 1 : 0,
          });
        }
        lineOf[i] = index.get(key);
        this.lines[lineOf[i]].rows[s] = i;
      });
    });
  }

  /* The figure of a line in one experiment. */
  figure(quantity, line, s) {
    const survey = this.surveys[s];
    const here = survey.names.get(keyOf(quantity));
    const row = this.lines[line].rows[s];
    return here === undefined || row < 0 ? NO_FIGURE
      : survey.figure(here, row);
  }

  /* The values, one for each experiment; in a difference A and B. */
  values(quantity, line) {
    if (this.isDifference) {
      const figure = this.figure(quantity, line, 0);
      const { flags } = this.lines[line].first;
      const base = figure.base === undefined ? NaN : figure.base;
      return [flags & ONLY_IN_B ? NaN : base,
        flags & ONLY_IN_A ? NaN : figure.value + base];
    }
    return this.surveys.map((survey, s) => {
      const here = survey.names.get(keyOf(quantity));
      const row = this.lines[line].rows[s];
      return here === undefined || row < 0 ? NaN : survey.value(here, row);
    });
  }

  quantity(name, kind) {
    return this.quantities.find((q) => q.name === name &&
      (!kind || q.kind === kind));
  }

  ofKind(kind) {
    return this.quantities.find((q) => q.kind === kind);
  }
}

/* An exact sum of counts; '' where one of them is missing. */
function exactSum(a, b, sign = 1) {
  return [a, b].every((digits) => /^-?\d+$/.test(digits))
    ? String(BigInt(a) + BigInt(sign) * BigInt(b)) : '';
}

/* The values of a quantity on each line, for all runs, or for A and B of a
 * difference.  `digits` are all digits of counts, which a double may not
 * have. */
class Sides {
  constructor(data, quantity) {
    this.data = data;
    this.quantity = quantity;
    this.all = data.isDifference ? [0, 1] : data.surveys.map((_, s) => s);
  }

  figure(line, s) {
    return this.data.figure(this.quantity, line, this.data.isDifference ? 0 : s);
  }

  value(line, s) {
    return this.data.values(this.quantity, line)[s];
  }

  digits(line, s) {
    const { isThere, base, digits, baseDigits } = this.figure(line, s);
    if (!isThere || Number.isNaN(this.value(line, s))) {
      return '';
    }
    if (!this.data.isDifference) {
      return digits;
    }
    return s === 0 ? baseDigits : Number.isNaN(base) ? ''
      : exactSum(digits, baseDigits);
  }

  /* The figures of the first and the last run. */
  ends(line) {
    return [0, this.all.length - 1].map((s) => this.figure(line, s));
  }

  difference(line) {
    return this.value(line, this.all.length - 1) - this.value(line, 0);
  }

  differenceDigits(line) {
    const [first, last] = this.ends(line);
    return !Number.isFinite(this.difference(line)) ? ''
      : this.data.isDifference ? first.digits
        : exactSum(last.digits, first.digits, -1);
  }

  ratio(line) {
    return this.value(line, this.all.length - 1) / this.value(line, 0);
  }
}

const comparisons = new Map();

/* The comparison of sections ("q") or call paths ("p"); made only once. */
function comparison(what) {
  if (!comparisons.has(what)) {
    comparisons.set(what, new Comparison(what));
  }
  return comparisons.get(what);
}

/* "A", "B" with two runs, else the number of the run. */
function sideName(s) {
  return page.experiments.length === 2 || page.experiments.length === 1
    ? 'AB'[s] : `run ${s + 1}`;
}

/* The values from run to run as a line, which ends at a missing value, and the
 * ratio of the last to the first value. */
function trend(values) {
  const known = values.filter(Number.isFinite);
  const ratio = values[values.length - 1] / values[0];
  if (known.length < 2) {
    return el('span', { class: 'na' }, 'n/a');
  }
  const least = Math.min(...known), most = Math.max(...known);
  const span = most - least || 1;
  const lines = values.map((value, i) => (Number.isFinite(value)
    ? `${2 + i * 60 / (values.length - 1)},${18 - 14 * (value - least) / span}`
    : '|')).join(' ').split('|');
  return el('span', { class: 'trend' },
    svg('svg', { width: 64, height: 20, 'aria-hidden': 'true' },
      lines.map((points) => svg('polyline', { points: points.trim() }))),
    Number.isFinite(ratio) ? ` × ${ratio.toFixed(3)}`
      : el('span', { class: 'na' }, ' n/a'));
}
