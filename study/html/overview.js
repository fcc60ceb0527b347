/* SPDX-License-Identifier: BSD-3-Clause
 * The first screen: what ran, where the time is spent, why, and where the
 * cycles are spent. */

const SHOWN_SHARES = 8;
const SHOWN_NAMES = 3;
const TOLD_BY_CYCLES = ['IPC', 'CPI', 'STALLED_PCT'];
const UNEVEN = 0.15; /* part of its time by which the slowest thread exceeds the
                      * mean */

/* Why a statement about these figures is in doubt. */
function doubtWords(figures) {
  const doubtful = figures.find((figure) => figure.isDoubtful);
  return doubtful ? ` (? ${doubtful.reason})` : '';
}

function contradictionWords(whole, tree) {
  return `? parts of ${whole} add up to ${percent(sumOf(tree.children) /
    tree.value, 0)} %: ${CONTRADICT}`;
}

/* "72.5 % of its cycles stalled, 59.9 % by L3_HIT_IMPACT (...)": how a section
 * spends its cycles, with the largest known cause at each level, and cycles
 * lost in other ways. */
function stalledWords(metrics) {
  const { tree, path } = cycleTrees(metrics).find((one) => one.path) || {};
  if (!path || !(tree.value > 0)) {
    return '';
  }
  if (path.some(isContradictory)) {
    return contradictionWords('its cycles', path.find(isContradictory));
  }
  const of = (value) => `${percent(value / tree.value)} %`;
  const named = ({ name, about }) => (about ? `${name} (${about
    .replace(/^\.\.\. /, '')})` : name);
  const isMuch = (line) => line.value >= 0.05 * tree.value;
  const [stalled, ...above] = path;
  const others = above.flatMap(({ children }) => children).filter((line) =>
    isMuch(line) && !path.includes(line) && !WORK.includes(line.name));
  let cause = stalled;
  while (cause.children.length > 0) {
    cause = cause.children.reduce((a, b) => (b.value > a.value ? b : a));
  }
  const isPart = tree.figure.isPartial || stalled.figure.isPartial;
  return [`${isPart ? '~' : ''}${of(stalled.value)} of its cycles stalled`,
    cause !== stalled && isMuch(cause) ? `${of(cause.value)} by ${named(cause)}`
      : '', ...others.map((line) => `${of(line.value)} ${named(line)}`)]
    .filter(Boolean).join(', ') + doubtWords([stalled.figure, tree.figure,
    cause.figure]);
}

function slotWords(metrics) {
  const tree = slotTree(metrics);
  const largest = (whole) => whole.children.reduce((a, b) =>
    (b.value > a.value ? b : a));
  if (tree === null || isContradictory(tree)) {
    return tree === null ? '' : contradictionWords('its issue slots', tree);
  }
  const first = largest(tree);
  const below = first.children.length > 0 ? largest(first) : null;
  return `issue slots: ${first.name} ${first.value.toFixed(1)} %` +
    (below ? `, ${below.name} ${below.value.toFixed(1)} %` : '') +
    doubtWords([first.figure]);
}

/* One thread has far more to do than the others. */
function unevenWords(survey, i) {
  const q = survey.quantities.findIndex((quantity) =>
    quantity.kind === 'exclusive');
  const { block } = q < 0 ? {} : survey.figure(q, i);
  if (!block || !(block.at('thread_imbalance', i) > UNEVEN)) {
    return '';
  }
  const said = (name) => shortOf(survey.quantities[q], block.at(name, i));
  const [task, thread] = placeName(survey.index,
    block.at('thread_max_at', i)).split('.');
  return `uneven: task ${task}${thread === 'all' ? '' : ` thread ${thread}`} ` +
    `took ${said('thread_max')}, all on average ${said('thread_average')}`;
}

/* "IPC 0.71"; with several threads "at worst". */
function badValue(quantity, value, isOfSeveral) {
  return !Number.isFinite(value) ? quantity.name
    : `${quantity.name} ${shortOf(quantity, value)}` +
      (isOfSeveral ? ' at worst' : '');
}

/* Metrics with bad values in the section.  Verdicts include the sections
 * inside: where there are any, a metric counts as the section's own only if its
 * exclusive value, of all threads together, crosses the limit. */
function badMetrics(survey, i) {
  const isAround = hasInner(survey, i);
  return survey.quantities.map((quantity, q) => [quantity,
    quantity.bad_values > 0 ? survey.figure(q, i) : NO_FIGURE])
    .filter(([, figure]) => figure.verdict === 'bad')
    .map(([quantity, { worst, judged, exclusive, ownReason }]) => {
      const [side, limit] = quantity.bad || [0, 0];
      const isOwn = !isAround || !ownReason &&
        side * exclusive > side * limit;
      return { name: quantity.name, about: aboutOf(quantity), isOwn,
        words: isOwn && isAround ? badValue(quantity, exclusive, false)
          : badValue(quantity, worst, judged > 1) };
    });
}

/* The first metric with its meaning, unless this was `said` before; the others
 * by name. */
function badWords(title, metrics, said) {
  const more = metrics.length - SHOWN_NAMES;
  const words = metrics.slice(0, SHOWN_NAMES).map((metric, n) => metric.words +
    (n === 0 && metric.about && !said.includes(metric.about)
      ? ` (${metric.about})` : ''));
  return words.length === 0 ? '' : `${title}: ${words.join(', ')}${more > 0
    ? ` and ${more} more` : ''}`;
}

/* The figure of the exclusive value: it is not partial where only the inclusive
 * value lacks a part, and it has doubts of its own. */
function ownFigure(figure) {
  return figure.isThere ? { ...figure, isPartial: figure.isPartial &&
    !Number.isFinite(figure.block.at('only_exclusive', figure.row)),
  isDoubtful: figure.ownReason !== '', reason: figure.ownReason } : figure;
}

/* The metrics of a section without the sections inside it, as for its time
 * here. */
function ownMetrics(survey, i) {
  return new Metrics(survey.quantities, (place) => {
    const block = survey.block(place);
    return block === null ? NaN : block.at(block.columns.has('exclusive')
      ? 'exclusive' : 'value', i);
  }, (place) => ownFigure(survey.figure(place, i)));
}

function cycleWords(metrics) {
  return stalledWords(metrics) || slotWords(metrics);
}

/* One sentence about a section: whether its threads are even, how its cycles
 * are spent, how far it is below the roofs, what else is bad, and which
 * functions took its time. */
function sentence(survey, i, bad) {
  const metrics = ownMetrics(survey, i);
  const cycles = cycleWords(metrics);
  const told = cycles === '' ? bad
    : bad.filter(({ name }) => !TOLD_BY_CYCLES.includes(name));
  return [unevenWords(survey, i), cycles, roofWords(metrics),
    badWords('bad', told.filter(({ isOwn }) => isOwn), cycles),
    badWords('with the sections inside it bad', told.filter(({ isOwn }) =>
      !isOwn), cycles), sampledWords(survey, i)].filter(Boolean).join('; ');
}

/* A section as a bar, with a sentence below. */
function shareItem(survey, row, i, most) {
  const bar = el('span', { class: 'share-bar', 'aria-hidden': 'true' });
  const bad = badMetrics(survey, i);
  const words = sentence(survey, i, bad);
  bar.style.width = `${100 * row.share / most}%`;
  return el('li', null,
    el('button', {
      type: 'button', class: 'link', onclick: () => openSection(i),
    }, text(row.label)),
    el('span', { class: 'share-track' }, bar),
    el('span', { class: 'share-number' }, `${percent(row.share)} %`),
    bad.some(({ isOwn }) => isOwn) ? verdictChip('bad') : el('span'),
    words ? el('span', { class: 'about' }, visible(words)) : '');
}

/* The sections with the largest shares of the run.  Sections of processes and
 * of threads have separate lists, each with shares of its own total. */
function shareList(survey, scope) {
  const rows = survey.rows.map((row, i) => ({ row, i }))
    .filter(({ row }) => row.share > 0 && row.scope === scope)
    .sort((a, b) => b.row.share - a.row.share);
  const items = rows.slice(0, SHOWN_SHARES).map(({ row, i }) =>
    shareItem(survey, row, i, rows[0].row.share));
  const left = rows.slice(SHOWN_SHARES).reduce((s, r) => s + r.row.share, 0);
  if (left > 0) {
    items.push(el('li', { class: 'others' }, el('span', null,
      `${rows.length - SHOWN_SHARES} more`), el('span'),
    el('span', { class: 'share-number' }, `${percent(left)} %`),
    el('span')));
  }
  return items.length > 0 ? el('ol', { class: 'shares' }, items) : null;
}

/* A list for processes and one for threads; with titles where there are
 * both. */
function eachScope(listOf) {
  const lists = [['Of whole processes', listOf(PROCESS)],
    ['Of threads', listOf(THREAD)]].filter(([, list]) => list);
  return lists.flatMap(([title, list]) => [lists.length > 1
    ? el('h3', null, title) : null, list]);
}

/* ---- what changed ---------------------------------------------------- */

/* Sections sorted by how much their exclusive time differs between the first
 * and the last run, as [line, from, to]. */
function changes(data, scope) {
  const own = data.ofKind('exclusive');
  return data.lines.map((line, i) => {
    const values = own ? data.values(own, i) : [];
    return [line, i, values[0], values[values.length - 1]];
  }).filter(([line, , from, to]) => line.first.scope === scope &&
    Number.isFinite(to - from) && from !== to)
    .sort((a, b) => Math.abs(b[3] - b[2]) - Math.abs(a[3] - a[2]));
}

/* How the cycles were spent in the first and in the last run. */
function changedCycles(data, i) {
  const last = data.surveys.length - 1;
  return data.isDifference ? '' : [0, last].map((s) => {
    const row = data.lines[i].rows[s];
    const words = row < 0 ? '' : cycleWords(ownMetrics(data.surveys[s], row));
    return words ? `${sideName(s)}: ${words}` : '';
  }).filter(Boolean).join('; ');
}

function changeItem(data, [line, i, from, to], most) {
  const words = changedCycles(data, i);
  const own = data.ofKind('exclusive');
  const bar = el('span', { class: 'share-bar', 'aria-hidden': 'true' });
  bar.style.width = `${100 * Math.abs(to - from) / most}%`;
  return el('li', null,
    el('button', {
      type: 'button', class: 'link', onclick: () => openLine(data, i),
    }, text(line.first.label)),
    el('span', { class: 'share-track' }, bar),
    el('span', { class: 'share-number' }, (to > from ? '+' : '−') +
      shortOf(own, Math.abs(to - from))),
    el('span', null, from > 0 ? `× ${(to / from).toFixed(3)}` : ''),
    words ? el('span', { class: 'about' }, visible(words)) : '');
}

function changeList(data, scope) {
  const rows = changes(data, scope);
  return rows.length === 0 ? null : el('ol', { class: 'shares' },
    rows.slice(0, SHOWN_SHARES).map((row) => changeItem(data, row,
      Math.abs(rows[0][3] - rows[0][2]))));
}

function changePanel(data) {
  const last = sideName(data.isDifference ? 1 : data.surveys.length - 1);
  const lists = eachScope((scope) => changeList(data, scope));
  return el('section', { 'aria-labelledby': 'changed' },
    el('h2', { id: 'changed' }, `What changed from ${sideName(0)} to ${last}`),
    el('p', { class: 'about' }, 'Own time of the slowest thread; of single ' +
      'runs it may be chance.'),
    lists.length > 0 ? lists : el('p', null, 'nothing, of what both have'));
}

/* ---- hints ----------------------------------------------------------- */

function hintItem(hint) {
  const value = `${hint.hint} ${shownNumber({ unit: '', ratio: true },
    hint.value)} ${hint.unit || ''}`.trim();
  return el('li', null,
    el('p', { class: 'hint-head' }, el('strong', null, text(value)),
      hint.where ? [' in ', text(hint.where)] : '',
      hint.limit === null ? '' : ` (bad: ${hint.side} ${plain(hint.limit)})`),
    el('p', null, text(hint.why || '')),
    hint.with ? el('p', { class: 'about' }, 'With: ', text(hint.with)) : '',
    hint.try ? el('p', null, el('em', null, 'Try: '), text(hint.try)) : '',
    hint.next ? el('p', { class: 'about' }, 'Measure next: ',
      el('code', null, text(hint.next))) : '');
}

function hintList(hints) {
  if (hints.length === 0) {
    return el('p', { class: 'about' }, 'No hint: no limit was crossed, or what ' +
      'crossed one ran too short for a hint.');
  }
  const items = hints.map(hintItem);
  return el('div', null, el('ol', { class: 'hints' }, items.slice(0, 3)),
    items.length > 3 ? el('details', null, el('summary', null,
      `${items.length - 3} more`), el('ol', { class: 'hints', start: 4 },
      items.slice(3))) : '');
}

function overallMetrics(experiment, whole) {
  const values = new Map(whole.values.map((v) => [v[0], {
    isThere: true, value: v[1] === null ? NaN : v[1], state: v[2],
    isPartial: v[3], reason: v[4], isDoubtful: v[5],
  }]));
  const figure = (place) => values.get(place) || NO_FIGURE;
  return new Metrics(experiment.quantities, (place) => figure(place).value,
    figure);
}

/* Seconds of all threads, or processes; NaN with several kinds of machines,
 * because the file does not divide the time between them. */
function overallSeconds(experiment, whole) {
  return experiment.overall.some((w) => w.pmu !== whole.pmu) ? NaN
    : experiment.totals[whole.scope === 'process' ? PROCESS : THREAD].seconds;
}

/* Do not recommend counting on a machine without counters. */
function noCounters(experiment) {
  const note = experiment.notes.find((words) =>
    /^(note: )?no hardware counters: /.test(words));
  return note ? `n/a: ${visible(note.replace(/^note: /, ''))}.` : '';
}

function noCycles(all, experiment) {
  const lack = all.flatMap((metrics) => ['CYCLES', 'STALLED'].map((name) =>
    [name, metrics.figure(name)])).find(([, figure]) => figure.isThere &&
      Number.isNaN(figure.value) && figure.reason);
  return el('p', { class: 'about' }, experiment.suggestion
    ? `n/a: ${visible(experiment.suggestion)} (hpm report makes such a page).`
    : lack ? `n/a: ${lack[0]} has no value for all together: ${visible(
      lack[1].reason)}. Sections may have one.`
    : noCounters(experiment) || 'n/a: cycles and stalled cycles were not both ' +
      'counted. “hpm metrics” lists what this machine can count, “hpmcount ' +
      '-m CYCLES,STALLED_PCT” counts it.');
}

function overallSection(experiment) {
  const parts = [];
  let hasCycles = false;
  const all = [];
  for (const whole of experiment.overall) {
    const metrics = overallMetrics(experiment, whole);
    all.push(metrics);
    const found = decompositions(metrics, { scope: whole.scope,
      total: overallSeconds(experiment, whole) });
    hasCycles = hasCycles || cycleTrees(metrics).length > 0 ||
      slotTree(metrics);
    if (found.length > 0) {
      parts.push(experiment.overall.length > 1 ? el('h3', null,
        `${whole.scope === 'process' ? 'Whole processes' : 'All threads'}` +
        `${whole.pmu ? ` (${visible(whole.pmu)})` : ''}`) : '', ...found);
    }
  }
  return hasCycles ? parts : [noCycles(all, experiment), ...parts];
}

/* The counted events may be a long list: shown when the reader opens it. */
function headLine(words) {
  const line = words.replace(/ in CSV and JSON$/, ' below')
    .replace(/ \('hpm report --by symbol' says where\)$/,
      ' (see “Where its samples are”)');
  const counted = /^counted: (.*)$/.exec(line);
  return counted && line.length > 160 ? el('details', { class: 'fact' },
    el('summary', null, `${counted[1].split(', ').length} events counted`),
    text(counted[1])) : el('p', { class: 'fact' }, text(line));
}

function overview(sections) {
  const first = page.experiments[0];
  const head = el('header', { class: 'run' },
    el('h1', null, text(page.experiments.length > 1
      ? `${page.experiments.length} runs side by side` : first.name)),
    lookControls());
  const lines = page.experiments.map((experiment, s) => el('div', null,
    page.experiments.length > 1 ? el('h2', null, `${sideName(s)}: `,
      text(experiment.name)) : '',
    experiment.head.map(headLine),
    page.experiments.length > 1 ? kindsWords(experiment) : ''));
  const panels = el('div', { class: 'panels' });
  const of = page.experiments.length > 1 ? ` in ${sideName(0)}` : '';
  if (sections.isSeveral) {
    panels.append(changePanel(sections));
  }
  if (sections.isDifference) {
    return [head, ...lines, panels];
  }
  panels.append(el('section', { 'aria-labelledby': 'where' },
    el('h2', { id: 'where' }, `Where the time goes${of}`),
    eachScope((scope) => shareList(sections.surveys[0], scope)),
    page.experiments.length > 1 ? '' : kindsWords(first), groupControl()),
  el('section', { 'aria-labelledby': 'why' },
    el('h2', { id: 'why' }, `Why${of}`), hintList(first.hints)));
  return [head, ...lines, panels, ...(page.shift > 0 ? [page.whole]
    : page.experiments).map(kindsPictures),
    el('section', { 'aria-labelledby': 'cycles' },
    el('h2', { id: 'cycles' }, `Where cycles and time go${of}`),
    overallSection(first), roofline(sections.surveys[0],
      page.experiments.length > 1 ? `${sideName(0)}: ` : ''))];
}
