/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline: the calculations of sections per byte of memory and per second,
 * and the limits of the machine (hpm doctor --roofs). */

const PLOT = { width: 720, height: 340, left: 60, right: 16, top: 12,
  bottom: 44 };
const NAMED_POINTS = 8;
const SHOWN_POINTS = 200;
const FLOPS_UNIT = '1e9/s';

/* Sections that have all the metrics, largest first. */
function rooflinePoints(survey) {
  return survey.rows.map((row, i) => {
    const metrics = sectionMetrics(survey, i);
    const value = (name) => metrics.value(name);
    return {
      i, label: row.label, share: row.share || 0,
      intensity: value('ARITHMETIC_INTENSITY'),
      reached: value('ATTAINABLE') * value('ROOF_PCT') / 100,
      attainable: value('ATTAINABLE'), part: value('ROOF_PCT'),
      flops: value('FLOP_ROOF'), bytes: value('MEM_ROOF'),
      atWork: value('AT_WORK'),
    };
  }).filter((p) => p.intensity > 0 && p.reached > 0 && p.flops > 0 &&
    p.bytes > 0).sort((a, b) => b.share - a.share);
}

function isBoundByMemory(point) {
  return point.intensity * point.bytes < point.flops;
}

/* "40.0 % of the roof of memory" */
function roofWords(metrics) {
  const [part, intensity, bytes, flops] = ['ROOF_PCT', 'ARITHMETIC_INTENSITY',
    'MEM_ROOF', 'FLOP_ROOF'].map((name) => metrics.value(name));
  return [part, intensity, bytes, flops].every(Number.isFinite)
    ? `${part.toFixed(1)} % of the roof of ${isBoundByMemory({ intensity,
      bytes, flops }) ? 'memory' : 'calculation'}` : '';
}

/* 1, 2, 5 of each decade, or only the decades where this is too much. */
function ticks(from, to) {
  const all = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to);
    power++) {
    all.push(...[1, 2, 5].map((digit) => digit * Math.pow(10, power)));
  }
  const inside = all.filter((tick) => tick >= from && tick <= to);
  return inside.length < 9 ? inside
    : inside.filter((_, i) => String(inside[i].toExponential())[0] === '1');
}

/* Logarithmic scales: where a value is in the plot. */
function scales(points, flops, bytes) {
  const xs = [...points.map((p) => p.intensity), flops / bytes];
  const ys = [...points.map((p) => p.reached), flops];
  const ends = { x: [Math.min(...xs) / 3, Math.max(...xs) * 6],
    y: [Math.min(...ys) / 3, Math.max(...ys) * 2] };
  const place = ([from, to], value) => Math.log(value / from) /
    Math.log(to / from);
  return {
    ends,
    x: (value) => PLOT.left + place(ends.x, value) *
      (PLOT.width - PLOT.left - PLOT.right),
    y: (value) => PLOT.height - PLOT.bottom - place(ends.y, value) *
      (PLOT.height - PLOT.top - PLOT.bottom),
  };
}

function rooflineAxes({ ends, x, y }) {
  const bottom = PLOT.height - PLOT.bottom, right = PLOT.width - PLOT.right;
  return [
    ...ticks(...ends.x).flatMap((tick) => [
      svg('line', { class: 'grid', x1: x(tick), x2: x(tick), y1: PLOT.top,
        y2: bottom }),
      svg('text', { x: x(tick), y: bottom + 16, 'text-anchor': 'middle' },
        plain(tick))]),
    ...ticks(...ends.y).flatMap((tick) => [
      svg('line', { class: 'grid', x1: PLOT.left, x2: right, y1: y(tick),
        y2: y(tick) }),
      svg('text', { x: PLOT.left - 6, y: y(tick) + 4, 'text-anchor': 'end' },
        plain(tick))]),
    svg('text', { x: right, y: PLOT.height - 8, 'text-anchor': 'end' },
      'operations per byte of memory'),
    svg('text', { x: PLOT.left + 6, y: PLOT.top + 12 },
      '10⁹ operations per second')];
}

function rooflinePoint(point, at, n) {
  const x = at.x(point.intensity), y = at.y(point.reached);
  const isRight = x > PLOT.width - 140;
  return [svg('circle', { class: 'point', cx: x, cy: y,
    r: 4 + 8 * Math.sqrt(point.share) }, svg('title', null,
    visible(point.label))),
  ...n < NAMED_POINTS ? [svg('text', { class: 'name', x: x + (isRight ? -12
    : 12), y: y + 4, 'text-anchor': isRight ? 'end' : 'start' },
  visible(point.label))] : []];
}

function rooflinePlot(points) {
  const flops = Math.max(...points.map((p) => p.flops));
  const bytes = Math.max(...points.map((p) => p.bytes));
  const at = scales(points, flops, bytes);
  const [from, to] = at.ends.x;
  const ridge = flops / bytes;
  /* where the slope of memory leaves the plot */
  const low = Math.max(from, at.ends.y[0] / bytes);
  const roof = [[low, low * bytes], [ridge, flops], [to, flops]]
    .map(([x, y]) => `${at.x(x)},${at.y(y)}`).join(' ');
  const words = `${plural(points.length, 'section')} below the roofs: ${points
    .slice(0, NAMED_POINTS).map((p) => `${visible(p.label)} at ` +
      `${p.part.toFixed(1)} %`).join(', ')}; the table has all`;
  return svg('svg', { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`,
    role: 'img', 'aria-label': words }, rooflineAxes(at),
  svg('polyline', { class: 'roof', points: roof }),
  ...points.slice().reverse().flatMap((point, i) => rooflinePoint(point, at,
    points.length - 1 - i)));
}

function rooflineTable(points, where) {
  const number = (key, title, unit, about, decimals) => ({
    key, title, unit, about, number: (i) => points[i][key],
    csv: (i) => points[i][key], cell: (i) => points[i][key].toFixed(decimals),
  });
  const words = (key, title, ask) => ({ key, title, isText: true, string: ask,
    csv: ask });
  const table = new Table({
    caption: `${where}Roofline`, n: points.length, columns: [{
      ...words('label', 'section', (i) => points[i].label),
      cell: (i) => el('button', { type: 'button', class: 'link',
        onclick: () => openSection(points[i].i) }, text(points[i].label)),
    },
    number('intensity', 'intensity', 'FLOP/byte',
      'operations per byte of memory', 3),
    number('reached', 'reached', FLOPS_UNIT, 'operations per second', 3),
    number('attainable', 'attainable', FLOPS_UNIT,
      'the lower of what processors and memory allow', 3),
    number('part', 'of the roof', '%', 'reached of attainable', 1),
    {
      ...words('bound', 'the lower roof', (i) => (isBoundByMemory(points[i])
        ? 'memory' : 'calculation')),
      cell: (i) => (isBoundByMemory(points[i]) ? 'memory' : 'calculation'),
    },
    number('flops', 'calculation', FLOPS_UNIT, 'what its processors can do', 3),
    number('bytes', 'memory', '1e9 byte/s', 'what its processors can read', 3),
    number('atWork', 'at work', 'processors', '', 2)],
  });
  table.update();
  return [el('div', { class: 'tools' },
    table.exportButton('roofline.csv')), table.element];
}

/* The plot; nothing where operations, bytes or roofs are not known. */
function roofline(survey, where) {
  const points = rooflinePoints(survey).slice(0, SHOWN_POINTS);
  if (points.length === 0) {
    return [];
  }
  return [el('h3', null, 'Roofline'), el('figure', { class: 'roofline' },
    rooflinePlot(points), el('figcaption', null, 'A circle is a section, the ' +
      'larger the more time it took; the line is the roof of the most ' +
      'processors at work in any of them. Below the slope memory limits a ' +
      'section, below the level line calculation.')),
  ...rooflineTable(points, where)];
}
