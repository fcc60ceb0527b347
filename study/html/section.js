/* SPDX-License-Identifier: BSD-3-Clause
 * One section: its values, their spread over threads, its cycles without inner
 * sections, its source. */

const BINS = 40;
const panel = el('section', { id: 'section', class: 'panel',
  'aria-labelledby': 'section-name', tabindex: '-1' });

/* ---- values ---------------------------------------------------------- */

function limitWords(quantity) {
  const word = (limit, name) => (limit ? `${name} ${limit[0] > 0 ? 'above'
    : 'below'} ${plain(limit[1])}` : '');
  return [word(quantity.bad, 'bad'), word(quantity.good, 'good')]
    .filter(Boolean).join(', ');
}

/* How a value was obtained and, where it is missing, why. */
function howCell(figure) {
  const words = [wordsOf(figure) || 'counted', visible(figure.reason)]
    .filter(Boolean).join('; ');
  return words;
}

/* The name of a thread: -1 is the whole process, a smaller number stands for
 * threads without records of their own. */
function threadName(number) {
  return number === -1 ? 'all' : number < 0 ? 'others together' : String(number);
}

function placeName(index, place) {
  const block = openBlock(`e${index}w`);
  if (Number.isNaN(place) || block === null) {
    return '';
  }
  const thread = block.at('thread', place);
  return `${block.at('task', place)}.${threadName(thread)}`;
}

/* Columns with further words about each value. */
function wordColumns(shown, spread, isDifference) {
  const words = (key, title, ask) => ({
    key, title, isText: true, string: ask, csv: ask,
    cell: (i) => text(ask(i)),
  });
  return [{
    key: 'imbalance', title: 'imbalance', unit: '%',
    about: '(most - mean) / most', number: spread('thread_imbalance'),
    csv: (i) => csvNumber(100 * spread('thread_imbalance')(i)),
    cell: (i) => percent(spread('thread_imbalance')(i)),
  }, words('how', 'how it came about', (i) => howCell(shown[i].figure)),
  ...isDifference ? [] : [words('limits', 'limits',
    (i) => limitWords(shown[i].quantity))],
  words('about', 'what it is', (i) => aboutOf(shown[i].quantity))];
}

/* The spread of a mean over its runs; bounds of it where the value is of
 * several records. */
const OF_RUNS = [['run_dev', 'dev of runs', '<'],
  ['run_min', 'least run', '>'], ['run_max', 'most run', '<']];

function runColumns(shown, spread, number) {
  return OF_RUNS.filter(([key]) => shown.some((_, i) =>
    Number.isFinite(spread(key)(i)))).map(([key, title, bound]) => {
    const column = number(key, title, 'over the runs that this is a mean of; ' +
      '< and > are bounds', spread(key));
    const sign = (i) => (shown[i].figure.isRunBound ? bound : '');
    return {
      ...column,
      csvTitles: () => [title, `${title} bound`],
      csv: (i) => [column.csv(i), column.csv(i) === '' ? '' : sign(i)],
      cell: (i) => el('span', null, Number.isFinite(spread(key)(i)) ? sign(i)
        : '', column.cell(i)),
    };
  });
}

/* In a difference: the values of both sides. */
function sideColumns(survey, row, shown, number) {
  const { flags } = survey.rows[row];
  const before = (i) => shown[i].figure.base;
  return survey.experiment.kind !== 'diff' ? [] : [
    number('a', 'A', '', (i) => (flags & ONLY_IN_B ? NaN : before(i))),
    number('b', 'B', '', (i) => (flags & ONLY_IN_A ? NaN
      : before(i) + shown[i].figure.value))];
}

/* The exclusive value, with a mark where it is in doubt. */
function ownCell(quantity, figure) {
  return el('span', null, figure.ownReason
    ? [doubtChip(visible(figure.ownReason)), ' '] : '',
  numberCell(quantity, figure.exclusive));
}

function valueTable(survey, row, where) {
  const isDifference = survey.experiment.kind === 'diff';
  const shown = survey.quantities.map((quantity, q) => ({
    quantity, figure: survey.figure(q, row),
  })).filter(({ figure }) => figure.isThere && !figure.isRenamed);
  const spread = (name) => (i) => {
    const { figure } = shown[i];
    return figure.block.at(name, row);
  };
  const number = (key, title, about, ask) => ({
    key, title, about, number: ask, csv: (i) => csvNumber(ask(i)),
    cell: (i) => numberCell(shown[i].quantity, ask(i)),
  });
  const at = (i, name) => {
    const place = shown[i].figure.block.at(name, row);
    return Number.isNaN(place) ? '' : el('span', { class: 'where' },
      ` at ${placeName(survey.index, place)}`);
  };
  const extreme = (key, title) => ({
    ...number(key, title, `the ${title} of its threads, and whose it is ` +
      '(task.thread)', spread(key)),
    cell: (i) => el('span', null, numberCell(shown[i].quantity,
      spread(key)(i)), at(i, `${key}_at`)),
  });
  const table = new Table({
    caption: `${where}Values of the section`, n: shown.length, columns: [{
      key: 'name', title: 'quantity', isText: true,
      string: (i) => titleOf(shown[i].quantity),
      csvTitles: () => ['quantity', 'unit'],
      csv: (i) => [shown[i].quantity.name, shown[i].quantity.unit],
      cell: (i) => el('span', null, text(titleOf(shown[i].quantity)),
        el('span', { class: 'where' },
          ` ${visible(shownUnit(shown[i].quantity))}`)),
    }, ...sideColumns(survey, row, shown, number), {
      key: 'value', title: isDifference ? 'B − A' : 'together',
      number: (i) => shown[i].figure.value,
      csvTitles: () => [isDifference ? 'B − A' : 'value', 'state', 'verdict'],
      csv: (i) => [shown[i].figure.digits, stateOf(shown[i].figure),
        shown[i].figure.verdict],
      cell: (i) => figureCell(shown[i].quantity, shown[i].figure),
    }, {
      ...number('exclusive', 'its own', 'without the sections inside it',
        spread('exclusive')),
      cell: (i) => (Number.isNaN(spread('exclusive')(i)) ? ''
        : ownCell(shown[i].quantity, shown[i].figure)),
    },
    extreme('thread_min', 'least'), extreme('thread_max', 'most'),
    number('thread_average', 'mean', 'over threads',
      spread('thread_average')),
    number('thread_deviation', 'dev', 'standard deviation over threads',
      spread('thread_deviation')),
    ...runColumns(shown, spread, number), ...wordColumns(shown, spread, isDifference)],
  });
  table.update();
  return [el('div', { class: 'tools' }, table.exportButton('section.csv')),
    table.element];
}

/* ---- threads --------------------------------------------------------- */

function quartile(sorted, part) {
  const at = part * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] === undefined
    ? sorted[low] : sorted[low + 1]) - sorted[low]);
}

/* Bars for the number of threads with each value, and the same in words; `who`
 * names the thread at each end. */
function histogram(quantity, values, who, more) {
  const known = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (known.length < 2) {
    return el('p', { class: 'about' }, `one thread: nothing is spread${more}.`);
  }
  const least = known[0], most = known[known.length - 1];
  const bins = new Array(BINS).fill(0);
  for (const value of known) {
    bins[Math.min(BINS - 1, Math.floor(BINS * (value - least) /
      (most - least || 1)))]++;
  }
  const high = Math.max(...bins);
  const end = (value) => `${shortOf(quantity, value)} at ` +
    who(values.indexOf(value));
  const words = `${known.length} threads: least ${end(least)}, ` +
    `quarter ${shortOf(quantity, quartile(known, 0.25))}, ` +
    `median ${shortOf(quantity, quartile(known, 0.5))}, ` +
    `three quarters ${shortOf(quantity, quartile(known, 0.75))}, ` +
    `most ${end(most)} (task.thread)${more}`;
  const bars = bins.map((count, i) => svg('rect', {
    x: 10 * i + 1, width: 8, y: 100 - 96 * count / high,
    height: 96 * count / high, class: 'bin',
  }, svg('title', null, plural(count, 'thread'))));
  return el('figure', { class: 'histogram' },
    svg('svg', { viewBox: '0 0 400 100', preserveAspectRatio: 'none',
      role: 'img', 'aria-label': words }, bars),
    el('figcaption', null, words));
}

/* The threads of a section with their values; null where the page leaves them
 * out. */
function threadBlock(survey, row) {
  return survey.what === 'q' ? openBlock(`e${survey.index}t${row}`) : null;
}

function threadFigure(block, quantity, row) {
  const value = block.at(`value ${quantity}`, row);
  const code = block.at(`code ${quantity}`, row);
  if (Number.isNaN(value) && Number.isNaN(code)) {
    return NO_FIGURE;
  }
  return {
    ...decode(code), isThere: true, value,
    digits: block.digits(`value ${quantity}`, row),
    share: block.at(`share ${quantity}`, row), windows: NaN,
    interval: block.at(`interval ${quantity}`, row), judged: 1, bad: 1,
    reason: block.texts[block.at(`reason ${quantity}`, row)] || '',
  };
}

function threadTable(survey, block, where) {
  const places = openBlock(`e${survey.index}w`);
  const have = survey.quantities.map((quantity, q) => ({ quantity, q }))
    .filter(({ q }) => block.columns.has(`value ${q}`) ||
      block.columns.has(`code ${q}`));
  const who = (name) => ({
    key: name, title: name,
    number: (i) => places.at(name, block.at('place', i)),
    csv: (i) => places.at(name, block.at('place', i)),
    cell: (i) => {
      const value = places.at(name, block.at('place', i));
      return name === 'thread' ? threadName(value) : String(value);
    },
  });
  const table = new Table({
    caption: `${where}Threads`, n: block.n, columns: [who('task'), who('thread'),
      ...have.map(({ quantity, q }) => ({
        key: keyOf(quantity), title: titleOf(quantity),
        unit: shownUnit(quantity), about: aboutOf(quantity),
        number: (i) => block.at(`value ${q}`, i),
        cell: (i) => figureCell(quantity, threadFigure(block, q, i)),
        csvTitles: () => csvTitles(quantity, quantity.name),
        csv: (i) => {
          const figure = threadFigure(block, q, i);
          return [block.digits(`value ${q}`, i), stateOf(figure),
            figure.verdict || ''];
        },
      }))],
  });
  table.update();
  return { table, have };
}

function threadsPart(survey, row, where) {
  const block = threadBlock(survey, row);
  if (block === null || block.n === 0) {
    return el('p', { class: 'about' }, survey.what === 'p'
      ? 'Single threads are in the flat view.'
      : 'n/a: values of single threads were left out to keep this page small; ' +
        '“hpm report --by thread” prints them.');
  }
  const { table, have } = threadTable(survey, block, where);
  const places = openBlock(`e${survey.index}w`);
  /* a sum of several threads is not a thread */
  const isSum = (i) => places.at('thread', block.at('place', i)) < -1;
  const values = (q) => Array.from({ length: block.n },
    (_, i) => (isSum(i) ? NaN : block.at(`value ${q}`, i)));
  const more = Array.from({ length: block.n }, (_, i) => i).some(isSum)
    ? '; others have no record of their own' : '';
  const who = (i) => placeName(survey.index, block.at('place', i));
  const first = have.find(({ quantity }) => quantity.kind === 'exclusive') ||
    have[0];
  const chart = el('div', null, first ? histogram(first.quantity,
    values(first.q), who, more) : '');
  const id = `spread-of-${survey.index}`;
  const select = el('select', {
    id, onchange: () => {
      const { quantity, q } = have[Number(select.value)];
      chart.replaceChildren(histogram(quantity, values(q), who, more));
    },
  }, have.map((h, i) => el('option', { value: i, selected: h === first },
    visible(titleOf(h.quantity)))));
  return el('div', null, el('div', { class: 'tools' },
    el('label', { for: id }, 'Spread of ', select),
    table.exportButton('threads.csv'),
    page.threads === 'all' ? '' : el('span', { class: 'about' },
      `of single threads this page has only: ${page.threads}`)),
  chart, table.element);
}

/* ---- source ---------------------------------------------------------- */

function sourcePart(row) {
  const source = page.sources[row.file];
  if (!source) {
    return '';
  }
  const from = Math.max(source.from, row.line - 3);
  const to = Math.min(source.from + source.lines.length - 1, Math.max(row.end,
    row.line) + 3);
  const lines = [];
  for (let n = from; n <= to; n++) {
    lines.push(el('span', {
      class: n >= row.line && n <= row.end ? 'line inside' : 'line',
    }, el('span', { class: 'line-number' }, String(n).padStart(5)), '  ',
    visible(source.lines[n - source.from]),
    '\n'));
  }
  return el('div', null, el('h3', null, 'Source'),
    el('pre', { class: 'source', tabindex: '0',
      'aria-label': 'source' }, lines));
}

/* ---- the panel ------------------------------------------------------- */

function closeSection() {
  const back = panel.returnTo;
  panel.hidden = true;
  keep('section', null);
  if (back && back.isConnected) {
    back.focus();
  }
}

function sectionMetrics(survey, row) {
  return new Metrics(survey.quantities, (place) => survey.value(place, row),
    (place) => survey.figure(place, row));
}

/* The time of all threads, including the sections inside, as for the counts. */
function timeOf(survey, row) {
  const q = survey.quantities.findIndex(({ kind }) => kind === 'inclusive');
  const { block } = q < 0 ? {} : survey.figure(q, row);
  const { unit } = q < 0 ? {} : survey.quantities[q];
  return block ? {
    scope: scopeOf(survey.rows[row]),
    total: block.at('thread_average', row) * block.at('threads', row) *
      (unit === 'ns' ? 1e-9 : 1),
  } : null;
}

function hasInner(survey, row) {
  const [own, whole] = ['exclusive', 'inclusive'].map((kind) => {
    const q = survey.quantities.findIndex((quantity) => quantity.kind === kind);
    return q < 0 ? NaN : survey.value(q, row);
  });
  return whole > own;
}

/* For a section of one run: its share (a difference has none), and its numbers
 * of threads and tasks. */
function amountWords({ share, threads, tasks }, isShareless) {
  return [isShareless || share === null ? '' : `${percent(share)} % of the time of the run`,
    `${plural(threads, 'thread')} in ${plural(tasks, 'task')}`]
    .filter(Boolean).join(', ');
}

function sectionPart(survey, row, s) {
  const isDifference = survey.experiment.kind === 'diff';
  const where = page.experiments.length > 1 ? `${sideName(s)}: ` : '';
  const found = isDifference ? []
    : decompositions(sectionMetrics(survey, row), timeOf(survey, row));
  return [
    ...where ? [el('h3', null, where,
      text(survey.experiment.name)), el('p', { class: 'about' },
      amountWords(survey.rows[row]))] : [],
    found.length > 0 ? el('h3', null, 'Where its cycles and time go' +
      (hasInner(survey, row) ? ', with those of the sections inside it' : ''))
      : '', ...found,
    ...samplesPart(survey, row, where),
    el('h3', null, isDifference ? 'Threads, B − A of each' : 'Threads'),
    threadsPart(survey, row, where),
    el('h3', null, 'All values'), ...valueTable(survey, row, where)];
}

/* What measured a function, and where its code is. */
function watchedPart({ watched, code }) {
  return watched === '' ? '' : el('p', { class: 'about' }, 'measured by ',
    text(watched), code === '' ? '' : [': ', text(code)]);
}

function openLine(data, i, isFirst) {
  const line = data.lines[i];
  if (document.activeElement !== document.body) {
    panel.returnTo = document.activeElement;
  }
  keep('section', `${data.what}${i}`);
  panel.hidden = false;
  panel.replaceChildren(el('div', { class: 'panel-head' },
    el('h2', { id: 'section-name' }, 'Section ', text(line.first.label)),
    el('button', { type: 'button', class: 'quiet', onclick: closeSection },
      'close')),
  el('p', { class: 'about' }, visible([whereOf(line.first),
    data.surveys.length > 1 ? '' : amountWords(line.first, data.isDifference)]
    .filter(Boolean).join(', '))), watchedPart(line.first),
  ...data.surveys.flatMap((survey, s) => (line.rows[s] < 0
    ? [el('p', { class: 'about' }, `n/a: ${sideName(s)} does not have this ` +
        'section.')]
    : sectionPart(survey, line.rows[s], s))),
  sourcePart(line.first));
  if (!isFirst) {
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: 'start' });
    announce(`section ${visible(line.first.label)} is open`);
  }
}

/* `row`: of the first experiment. */
function openSection(row) {
  const data = comparison('q');
  openLine(data, data.lines.findIndex((line) => line.rows[0] === row));
}

panel.hidden = true;
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !panel.hidden) {
    closeSection();
  }
});
