/* SPDX-License-Identifier: BSD-3-Clause
 * Where cycles, issue slots and time are spent: bars inside bars, the same as
 * tables, and values between their marks. */

const SLOTS = {
  RETIRING_PCT: ['HEAVY_OPS_PCT'],
  BAD_SPEC_PCT: ['MISPREDICTS_PCT', 'MACHINE_CLEARS_PCT'],
  FRONTEND_PCT: ['FETCH_LATENCY_PCT', 'FETCH_BANDWIDTH_PCT'],
  BACKEND_PCT: ['MEMORY_BOUND_PCT', 'CORE_BOUND_PCT'],
};
const STALL_LEVELS = ['STALL_L1_PCT', 'STALL_L2_PCT', 'STALL_L3_PCT',
  'STALL_MEM_PCT', 'STALL_STORE_PCT'];
const STALL_IMPACTS = ['L2_HIT_IMPACT_PCT', 'L3_HIT_IMPACT_PCT',
  'MEM_IMPACT_PCT', 'DTLB_WALK_PCT', 'DIV_IMPACT_PCT', 'LCP_IMPACT_PCT',
  'STORE_FWD_IMPACT_PCT'];

/* Parts of the cycles that are useful work. */
const WORK = ['BUSY', 'CYCLES_RETIRING', 'RUNNING', 'QUEUE_FILLED'];

/* The metrics of the whole run, or of a section, by name. */
class Metrics {
  constructor(quantities, valueAt, figureAt) {
    this.quantities = quantities;
    this.valueAt = valueAt;
    this.figureAt = figureAt;
    this.places = new Map(quantities.map((q, i) => [q.name, i])
      .filter(([, i]) => quantities[i].kind === 'metric'));
  }

  value(name) {
    const place = this.places.get(name);
    return place === undefined ? NaN : this.valueAt(place);
  }

  /* The figure of a metric, with marks and verdict. */
  figure(name) {
    const place = this.places.get(name);
    return place === undefined ? NO_FIGURE : this.figureAt(place);
  }

  quantity(name) {
    return this.quantities[this.places.get(name)];
  }

  about(name) {
    const quantity = this.quantity(name);
    return (quantity && quantity.about) || (name === 'BUSY' ? 'cycles of work'
      : '');
  }

  /* The parts of its composition that have values. */
  parts(name) {
    const place = this.places.get(name);
    return this.quantities.filter((q, i) => place !== undefined &&
      q.kind === 'metric' && q.parent === place && q.is_part &&
      Number.isFinite(this.valueAt(i))).map((q) => q.name);
  }
}

/* `rest` of a node: name and meaning of the part that its children do not
 * explain. */
const UNEXPLAINED = ['not explained', 'no cause that was counted explains it'];
const OVERLAP = 'they overlap, for each is an upper bound';
const OTHER_CLOCK = 'they are by another clock, which begins a little earlier';
const CONTRADICT = 'the counts contradict each other, or were too uncertain; ' +
  'do not rely on them';

function node(metrics, name, value, children) {
  return { name, about: metrics.about(name), value, children: children || [],
    rest: UNEXPLAINED, figure: metrics.figure(name) };
}

/* A tree of causes, each of which is an upper bound. */
function overlapping(tree) {
  return { ...tree, over: OVERLAP, children: tree.children.map(overlapping) };
}

function sumOf(nodes) {
  return nodes.reduce((sum, { value }) => sum + Math.max(0, value), 0);
}

/* Are the parts larger than the whole, although they must not be?  Then its
 * counters did not count what their names say, or not at the same time. */
function isContradictory({ value, children, over }) {
  return !over && sumOf(children) > 1.005 * value;
}

function composed(metrics, name) {
  return node(metrics, name, metrics.value(name),
    metrics.parts(name).map((part) => composed(metrics, part)));
}

/* What a processor waits for while it is stalled: the parts of the definitions'
 * model, else what was measured for each level, else the number of events times
 * their latency. */
function stallCauses(metrics, cycles) {
  const counted = metrics.parts('COUNTED_STALLS');
  if (counted.length > 0) {
    return counted.map((name) => composed(metrics, name));
  }
  const known = (names) => names.filter((name) =>
    Number.isFinite(metrics.value(name)));
  const levels = known(STALL_LEVELS);
  return (levels.length > 0 ? levels : known(STALL_IMPACTS)).map((name) =>
    node(metrics, name, metrics.value(name) * cycles / 100));
}

/* The path from a whole down to its part "stalled cycles", whatever name the
 * model gives this part; null where there is none. */
function pathToStalled(tree, stalled) {
  let level = [[tree]];
  while (level.length > 0) {
    const found = level.find(([last]) => last.name === 'STALLED' ||
      /^STALL/.test(last.name) && last.value === stalled);
    if (found) {
      return found;
    }
    level = level.flatMap((path) => path[0].children.map((child) =>
      [child, ...path]));
  }
  return null;
}

/* Cycles by the model's composition, with the causes of the stalled ones where
 * the model does not divide them. */
function composedCycles(metrics, cycles, stalled) {
  const tree = composed(metrics, 'CYCLES');
  const path = pathToStalled(tree, stalled);
  if (path && path[0].children.length === 0) {
    path[0].children = stallCauses(metrics, cycles).map(overlapping);
    path[0].over = OVERLAP;
  }
  return { title: 'Cycles', tree, path };
}

function stalledCycles(metrics, cycles, stalled) {
  const part = overlapping(node(metrics, 'STALLED', stalled,
    stallCauses(metrics, cycles)));
  const tree = { ...node(metrics, 'CYCLES', cycles, [part]),
    rest: ['not stalled', 'cycles in which something was executed'] };
  return { tree, path: [part, tree] };
}

/* Cycles divided as the model does it, and into stalled or not where the model
 * does not do this.  `path`: from stalled cycles up to all cycles, or null. */
function cycleTrees(metrics) {
  const cycles = metrics.value('CYCLES');
  const stalled = metrics.value('STALLED');
  if (!Number.isFinite(cycles)) {
    return [];
  }
  const trees = metrics.parts('CYCLES').length > 0
    ? [composedCycles(metrics, cycles, stalled)] : [];
  if (Number.isFinite(stalled) && !trees.some(({ path }) => path)) {
    trees.push({ title: trees.length > 0 ? 'Stalled cycles' : 'Cycles',
      ...stalledCycles(metrics, cycles, stalled) });
  }
  return trees;
}

/* The kernel measures user and kernel time with another clock than their sum.
 * That clock begins with each process, not with its program; with many
 * processes the difference is visible. */
function processorTime(metrics) {
  const tree = composed(metrics, 'CPU_TIME');
  return sumOf(tree.children) > 1.05 * tree.value ? tree
    : { ...tree, over: OTHER_CLOCK };
}

/* The time of all threads together, or of the processes, in seconds: on a
 * processor, and not.  All threads of a process are one sum, so the wall clock
 * time in which no thread worked is only a lower bound. */
function timeTree(metrics, total, scope) {
  const used = metrics.value('CPU_TIME');
  if (!Number.isFinite(used) || !(total > 0)) {
    return null;
  }
  const isThreads = scope === 'thread';
  return {
    name: 'TIME', about: isThreads ? 'of all threads together'
      : 'of the processes, by the clock', value: total,
    children: [processorTime(metrics)],
    rest: ['not on a processor', isThreads
      ? 'they waited, or others had the processor'
      : 'at least: no thread of them was at work'],
    over: 'several threads worked at the same time',
  };
}

/* Slots in which operations could begin, in percent. */
function slotTree(metrics) {
  const known = (name) => Number.isFinite(metrics.value(name));
  const parts = Object.keys(SLOTS).filter(known);
  if (parts.length < 2) {
    return null;
  }
  return {
    name: 'SLOTS', about: 'issue slots', value: 100, rest: UNEXPLAINED,
    children: parts.map((name) => node(metrics, name, metrics.value(name),
      SLOTS[name].filter(known).map((part) =>
        node(metrics, part, metrics.value(part))))),
  };
}

function otherTrees(metrics) {
  return metrics.quantities.filter((q, i) => q.kind === 'metric' &&
    q.parent === undefined &&
    !['CYCLES', 'COUNTED_STALLS', 'CPU_TIME'].includes(q.name) &&
    Number.isFinite(metrics.valueAt(i)) && metrics.parts(q.name).length > 1)
    .map((q) => composed(metrics, q.name));
}

/* The lines of a tree with their places, from left to right and from the top,
 * and with the unexplained parts; parts that exceed their whole are made
 * smaller, and marked. */
function layOut(tree) {
  const lines = [];
  const place = (here, depth, left, width, whole) => {
    const line = { ...here, depth, left, width, whole, note: '' };
    lines.push(line);
    const sum = sumOf(here.children);
    if (here.children.length === 0) {
      return;
    }
    const scale = width / Math.max(sum, here.value, 1e-300);
    if (sum > here.value * 1.005) {
      line.isWrong = isContradictory(here);
      line.note = `parts add up to ${(100 * sum / here.value).toFixed(0)} %: ` +
        (here.over || CONTRADICT);
    }
    let at = left;
    for (const child of here.children) {
      place(child, depth + 1, at, Math.max(0, child.value) * scale,
        here.value);
      at += Math.max(0, child.value) * scale;
    }
    const rest = here.value - sum;
    if (rest > here.value * 0.0005) {
      lines.push({
        name: here.rest[0], about: here.rest[1],
        value: rest, depth: depth + 1, left: at, width: rest * scale,
        whole: here.value, note: '', isRest: true, children: [],
      });
    }
  };
  place(tree, 0, 0, 100, tree.value);
  return lines;
}

function barOf(line, hue) {
  const bar = el('div', {
    class: `piece ${line.isRest ? 'rest' : `hue${hue}`}`,
    title: `${visible(line.about || line.name)}: ${percent(line.width / 100)} %`,
  }, line.width > 7 ? visible(line.name) : '');
  bar.style.left = `${line.left}%`;
  bar.style.width = `${Math.max(line.width, 0.15)}%`;
  bar.style.top = `calc(${line.depth} * var(--bar))`;
  return bar;
}

function amountOf(value, unit) {
  return unit === '%' ? '' : unit === 's' ? shownNumber({ unit }, value)
    : shownNumber({ unit: '', ratio: false }, Math.round(value));
}

/* All words about a line except its name. */
function lineWords({ note, figure }) {
  return [note, figure && figure.isThere ? wordsOf(figure) : '',
    figure && figure.isDoubtful ? figure.reason : ''].filter(Boolean);
}

/* All lines with their exact values. */
function decompositionCsv(lines, unit, whole) {
  const rows = lines.map((line) => [line.name, line.about, line.depth,
    unit === '%' ? '' : line.value, 100 * line.value / whole,
    [line.figure && line.figure.isPartial ? 'partial' : '',
      ...lineWords(line)].filter(Boolean).join('; ')]);
  return [['part', 'about', 'level', unit === '%' ? '' : unit, '% of all',
    'remarks'],
    ...rows].map((row) => row.map(csvCell).join(',') + '\r\n').join('');
}

/* Nested bars, and a table with the same values. */
function decomposition(title, tree, unit) {
  const lines = layOut(tree);
  const deepest = Math.max(...lines.map((line) => line.depth));
  const bars = el('div', { class: 'bars', 'aria-hidden': 'true' });
  bars.style.height = `calc(${deepest + 1} * var(--bar))`;
  let hue = -1;
  for (const line of lines) {
    if (line.depth > 0 && !line.isRest) {
      hue++;
    }
    line.hue = line.depth === 0 ? 0 : 1 + hue % 8;
    bars.append(barOf(line, line.hue));
  }
  const rows = lines.map((line) => {
    const name = el('th', { scope: 'row', class: 'text' },
      el('span', {
        class: `swatch ${line.isRest ? 'rest' : `hue${line.hue}`}`,
        'aria-hidden': 'true',
      }), text(line.name), ' ', el('span', { class: 'about' },
        visible([line.about, ...lineWords(line)].filter(Boolean).join(' - '))),
      line.isWrong ? [' ', doubtChip(CONTRADICT)] : '');
    name.style.setProperty('--depth', line.depth);
    return el('tr', null, name,
      el('td', { class: 'number' }, `${line.figure && line.figure.isPartial
        ? '~' : ''}${amountOf(line.value, unit)}`),
      el('td', { class: 'number' }, percent(line.value / tree.value)),
      el('td', { class: 'number' }, line.depth === 0 ? ''
        : percent(line.value / line.whole)));
  });
  return el('figure', { class: 'decomposition' },
    el('figcaption', { class: 'tools' }, title, el('button', {
      type: 'button', class: 'quiet', 'aria-label': `CSV of ${title}`,
      onclick: () => download(`${title.toLowerCase()}.csv`,
        decompositionCsv(lines, unit, tree.value)),
    }, 'CSV')), bars,
    el('div', { class: 'scroll', tabindex: '0', role: 'group',
      'aria-label': `${title} table` }, el('table', { class: 'plain' },
      el('caption', { class: 'hidden' }, `${title} as a table`),
      el('thead', null, el('tr', null,
        el('th', { scope: 'col', class: 'text' }, 'part'),
        el('th', { scope: 'col', class: 'number' }, unit === '%' ? ''
          : visible(unit)),
        el('th', { scope: 'col', class: 'number' }, '% of all'),
        el('th', { scope: 'col', class: 'number' }, '% of its whole'))),
      el('tbody', null, rows))));
}

/* A value between its marks: low, medium, high. */
function referenceBar(quantity, value, figure) {
  const bad = quantity.bad, good = quantity.good;
  const isHighBad = bad ? bad[0] > 0 : good[0] < 0;
  const marks = [bad && bad[1], good && good[1]].filter(Number.isFinite)
    .sort((a, b) => a - b);
  const end = Math.max(value * 1.05, marks[marks.length - 1] * 1.6);
  const words = marks.length === 2 ? ['low', 'medium', 'high'] : ['low',
    'high'];
  const kinds = marks.length === 2 ? ['good', 'neutral', 'bad']
    : bad ? ['neutral', 'bad'] : ['good', 'neutral'];
  if (!isHighBad) {
    kinds.reverse();
  }
  const edges = [0, ...marks, end];
  const zone = marks.filter((mark) => value > mark).length;
  const bar = el('div', { class: 'reference', 'aria-hidden': 'true' });
  words.forEach((word, i) => {
    const piece = el('div', { class: `zone ${kinds[i]}` }, word);
    piece.style.left = `${100 * edges[i] / end}%`;
    piece.style.width = `${100 * (edges[i + 1] - edges[i]) / end}%`;
    bar.append(piece);
  });
  const needle = el('div', { class: 'needle' });
  needle.style.left = `${Math.min(100, Math.max(0, 100 * value / end))}%`;
  bar.append(needle);
  return el('div', { class: 'reference-line' },
    el('div', { class: 'reference-name' }, el('strong', null,
      text(quantity.name)), ' ', `${shownNumber(quantity, value)} ${
      visible(shownUnit(quantity))}`.trim(), ': ', figure.isDoubtful
      ? [doubtChip(), `, ${visible(figure.reason)};`] : words[zone],
    el('span', { class: 'about' }, ` ${visible(quantity.about || '')}; marks ` +
      `at ${marks.map(plain).join(' and ')}`)), bar);
}

const REFERENCES = ['STALLED_PCT', 'IPC', 'CPI', 'BRANCH_MISP_PCT',
  'MEM_IMPACT_PCT', 'L2_HIT_IMPACT_PCT', 'L3_HIT_IMPACT_PCT', 'DTLB_WALK_PCT',
  'DIV_IMPACT_PCT', 'LCP_IMPACT_PCT', 'STORE_FWD_IMPACT_PCT', 'L1_HIT_RATE'];

function timePicture(metrics, time) {
  const tree = time ? timeTree(metrics, time.total, time.scope) : null;
  return tree ? [decomposition('Time', tree, 's')] : [];
}

function referenceBars(metrics) {
  const references = REFERENCES.map((name) => [metrics.quantity(name),
    metrics.value(name), metrics.figure(name)]).filter(([q, value]) => q &&
      (q.bad || q.good) && Number.isFinite(value));
  return references.length > 0 ? [el('div', { class: 'references' },
    references.map((reference) => referenceBar(...reference)))] : [];
}

/* All views of where cycles and time are spent, for any metrics; `time`: how
 * much time there was, and of which threads, where known. */
function decompositions(metrics, time) {
  const slots = slotTree(metrics);
  const others = otherTrees(metrics);
  return [
    ...cycleTrees(metrics).map(({ title, tree }) => decomposition(title, tree,
      'cycles')),
    ...slots ? [decomposition('Issue slots', slots, '%')] : [],
    ...timePicture(metrics, time), ...referenceBars(metrics),
    ...others.length > 0 ? [el('details', null, el('summary', null,
      'Other counts taken apart'), others.map((tree) =>
      decomposition(tree.about, tree, 'count')))] : []];
}
