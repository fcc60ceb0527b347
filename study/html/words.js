/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, states and verdicts as people read them: the same words, decimals
 * and marks as in the text of hpm report. */

const STATES = ['counted', 'shared', 'inferred', 'recorded', 'lost', 'brief',
  'unscheduled', 'unsupported', 'undefined'];
const VERDICTS = ['', 'bad', 'neutral', 'good'];
const MARKS = { bad: '!', good: '+', neutral: '', '': '' };

/* Invisible characters, and those that change the direction of text, are shown
 * as \x and their number; a backslash, doubled in the data, as one. */
const UNSEEN = new RegExp('[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f' +
  '\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]', 'g');

function visible(words) {
  return String(words).replace(/\\\\/g, '\\').replace(UNSEEN,
    (c) => '\\x' + c.charCodeAt(0).toString(16).toUpperCase()
      .padStart(2, '0'));
}

function grouped(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/* Names for people of quantities that are no events or metrics. */
const TITLES = {
  exclusive: ['own time', 'without the sections inside it (ExcSec)'],
  inclusive: ['time', 'with the sections inside it (IncSec)'],
  calls: ['calls', 'how often it began (Count)'],
};

function titleOf(quantity) {
  return TITLES[quantity.kind] ? TITLES[quantity.kind][0] : quantity.name;
}

function aboutOf(quantity) {
  return visible(quantity.about ||
    (TITLES[quantity.kind] ? TITLES[quantity.kind][1] : ''));
}

function isTime(quantity) {
  return quantity.unit === 's' || quantity.unit === 'ns';
}

function shownUnit(quantity) {
  return isTime(quantity) ? 's' : quantity.unit;
}

/* A value of a quantity; `digits` are all digits of a count too large for a
 * double. */
function shownNumber(quantity, value, digits) {
  if (value === null || Number.isNaN(value)) {
    return '';
  }
  if (isTime(quantity)) {
    return (quantity.unit === 'ns' ? value / 1e9 : value).toFixed(6);
  }
  if (!quantity.ratio && value === Math.floor(value) &&
      Math.abs(value) < 1e19) {
    return grouped(digits || BigInt(value).toString());
  }
  return Math.abs(value) < 1e15 ? value.toFixed(3) : String(value);
}

function percent(part, decimals = 1) {
  return Number.isFinite(part) ? (100 * part).toFixed(decimals) : '';
}

/* "12.3 G", "304 µ": three digits, for axes and bars. */
function short(value) {
  const prefixes = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''],
    [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];
  if (value === 0 || !Number.isFinite(value)) {
    return String(value);
  }
  const [factor, prefix] = prefixes.find(([f]) => Math.abs(value) >= f) ||
    [1e-9, 'n'];
  return `${Number((value / factor).toPrecision(3))} ${prefix}`.trim();
}

/* A limit, with only the digits it needs. */
function plain(value) {
  return String(Number(value.toPrecision(6)));
}

function shortOf(quantity, value) {
  const unit = shownUnit(quantity);
  const amount = quantity.unit === 'ns' ? value / 1e9 : value;
  return unit === '%' ? `${amount.toFixed(1)} %`
    : `${short(amount)}${unit === 's' ? (/[a-zµ]$/i.test(short(amount))
      ? 's' : ' s') : ''}`;
}

/* The parts of a code (study/html/tables.h). */
function decode(code) {
  const number = Number.isNaN(code) ? 0 : code;
  return {
    state: STATES[number & 15],
    verdict: VERDICTS[number >> 4 & 3],
    isPartial: (number & 64) !== 0,
    isDoubtful: (number & 128) !== 0,
  };
}

/* "1 thread", "2 threads" */
function plural(n, noun) {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/* How wrong a shared value can be: "±1.2 %". */
function reach(value, interval) {
  if (!Number.isFinite(interval) || value === 0) {
    return '';
  }
  return `±${(100 * Math.abs(interval / value)).toFixed(1)} %`;
}

/* The state of a figure for a table, and whether it is partial. */
function stateOf(figure) {
  return figure.isThere
    ? figure.state + (figure.isPartial ? ' partial' : '') : '';
}

/* How a value was obtained, where this is worth a word. */
function wordsOf(figure) {
  const words = [];
  if (figure.state !== 'counted') {
    let word = figure.state;
    if (Number.isFinite(figure.share)) {
      word += ` ${percent(figure.share, 0)} %`;
    }
    if (Number.isFinite(figure.windows)) {
      word += ` in ${figure.windows} windows`;
    }
    words.push(word);
  }
  if (figure.isPartial) {
    words.push('partial');
  }
  return words.join(', ');
}
