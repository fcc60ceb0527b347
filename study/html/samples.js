/* SPDX-License-Identifier: BSD-3-Clause
 * Where the samples are: functions, each with its lines, for the whole program
 * and for each section (study/html/samples.h). */

const samplesOf = new Map();

/* The samples of an experiment; null: nothing was sampled. */
function samplesData(index) {
  if (!samplesOf.has(index)) {
    samplesOf.set(index, unpackJson(`e${index}s`));
  }
  return samplesOf.get(index);
}

/* Show the lines of a function in `box`; `name`: what was sampled. */
function showLines(box, name, place) {
  const known = place.lines.reduce((sum, [, n]) => sum + n, 0);
  const table = new Table({
    caption: `${name}: lines of ${visible(place.name)}`, n: place.lines.length,
    sort: { key: 'samples', isUp: false }, columns: [{
      key: 'line', title: 'line', isText: true,
      string: (i) => place.lines[i][0], csv: (i) => place.lines[i][0],
      cell: (i) => text(place.lines[i][0]),
    }, {
      key: 'samples', title: 'samples', number: (i) => place.lines[i][1],
      csv: (i) => place.lines[i][1],
      cell: (i) => grouped(String(place.lines[i][1])),
    }, {
      key: 'part', title: 'of the function', unit: '%',
      number: (i) => place.lines[i][1] / place.n,
      csv: (i) => (place.n < 30 ? '' : 100 * place.lines[i][1] / place.n),
      cell: (i) => (place.n < 30 ? el('span', { class: 'na',
        title: 'under 30 samples there is no share' }, 'n/a')
        : percent(place.lines[i][1] / place.n)),
    }],
  });
  table.update();
  box.replaceChildren(el('h4', null, 'Lines of ', text(place.name)),
    table.element, el('p', { class: 'about' }, place.more > 0
      ? `and ${place.more} lines with less`
      : `${grouped(String(known))} of ${grouped(String(place.n))} samples ` +
        'have a line.'));
  announce(`${place.lines.length} lines of ${visible(place.name)}`);
}

function shareColumns(part) {
  const { functions } = part;
  const none = () => el('span', { class: 'na',
    title: 'under 30 samples there is no share' }, 'n/a');
  const has = (i) => functions[i].low !== null;
  return [{
    key: 'share', title: 'share', unit: '%', about: 'of these samples',
    number: (i) => (has(i) ? functions[i].n / part.taken : NaN),
    csv: (i) => (has(i) ? 100 * functions[i].n / part.taken : ''),
    cell: (i) => (has(i) ? percent(functions[i].n / part.taken) : none()),
  }, {
    key: 'interval', title: 'interval', unit: '%',
    about: 'in which the share lies with 95 % (Wilson)',
    number: (i) => (has(i) ? functions[i].low : NaN),
    csvTitles: () => ['low (%)', 'high (%)'],
    csv: (i) => (has(i) ? [100 * functions[i].low, 100 * functions[i].high]
      : ['', '']),
    cell: (i) => (has(i) ? `${percent(functions[i].low)} to ` +
      `${percent(functions[i].high)}` : none()),
  }];
}

/* A title that distinguishes the part from all others of the page: an event may
 * be sampled in several ways. */
function partTitle(data, part, name) {
  const others = data.parts.filter(({ event, row }) => event === part.event &&
    row === part.row);
  return `${name}, samples of ${visible(part.event)}` + (others.length > 1
    ? ` (${others.indexOf(part) + 1} of ${others.length})` : '');
}

/* The functions of a part; a press on one shows its lines below. */
function functionTable(part, title) {
  const { functions } = part;
  const lines = el('div', { class: 'lines' });
  const cell = (i) => (functions[i].lines.length === 0
    ? el('span', { title: visible(functions[i].name) }, text(functions[i].name))
    : el('button', {
      type: 'button', class: 'link',
      title: `its lines: ${visible(functions[i].name)}`,
      onclick: () => showLines(lines, title, functions[i]),
    }, text(functions[i].name)));
  const table = new Table({
    caption: `${title}: functions`,
    n: functions.length, className: 'samples',
    sort: { key: 'samples', isUp: false }, nothing: 'no samples',
    columns: [{
      key: 'function', title: 'function', isText: true, cell,
      string: (i) => functions[i].name, csv: (i) => functions[i].name,
    }, {
      key: 'samples', title: 'samples', number: (i) => functions[i].n,
      csv: (i) => functions[i].n,
      cell: (i) => grouped(String(functions[i].n)),
    }, ...shareColumns(part), {
      key: 'module', title: 'module', isText: true,
      string: (i) => functions[i].module, csv: (i) => functions[i].module,
      cell: (i) => text(functions[i].module),
    }],
  });
  table.update();
  return el('div', null, el('div', { class: 'tools' },
    table.exportButton('samples.csv')), table.element,
  part.more > 0 ? el('p', { class: 'about' },
    `and ${part.more} functions with less`) : '', lines);
}

function samplesWords(part) {
  return `${grouped(String(part.taken))} samples${part.lost > 0
    ? `, ${grouped(String(part.lost))} lost` : ''}`;
}

/* A function with its share; some places have no name, and those of C++ can be
 * longer than all the rest of the sentence. */
function functionWords({ name, module, n }, taken) {
  const MOST = 60;
  const shown = name.length > MOST ? `${name.slice(0, MOST - 1)}…` : name;
  return `${percent(n / taken)} % in ` + (name === '(no name)'
    ? `${visible(module)}, without a name` : `${visible(shown)}${module
      ? ` (${visible(module)})` : ''}`);
}

/* The two functions with most samples in a section, where known. */
function sampledWords(survey, row) {
  const data = survey.what === 'q' ? samplesData(survey.index) : null;
  const part = data && data.parts.find((one) => one.row === row);
  const shown = part ? part.functions.filter(({ low, n }) => low !== null &&
    n >= 0.1 * part.taken).sort((a, b) => b.n - a.n).slice(0, 2) : [];
  return shown.length === 0 ? '' : `samples of ${visible(part.event)}: ` +
    shown.map((one) => functionWords(one, part.taken)).join(', ');
}

/* For the panel of a section. */
function samplesPart(survey, row, where) {
  const data = survey.what === 'q' ? samplesData(survey.index) : null;
  const parts = data === null ? []
    : data.parts.filter((part) => part.row === row);
  return parts.flatMap((part) => [
    el('h3', null, 'Samples of ', text(part.event)),
    el('p', { class: 'about' }, `${samplesWords(part)} while this section was ` +
      'innermost.'),
    functionTable(part, partTitle(data, part, `${where}The section`)),
  ]);
}

/* Links to the sections with samples of the event, sampled in this way. */
function sectionsWithSamples(data, all, index) {
  const rows = page.experiments[index].sections;
  const parts = data.parts.filter((part) => part.row !== null &&
    part.sampled === all.sampled);
  return el('details', null, el('summary', null, 'by section'),
    el('ul', { class: 'notes' }, parts.map((part) => el('li', null,
      index === 0 ? el('button', { type: 'button', class: 'link',
        onclick: () => openSection(part.row) }, text(rows[part.row].label))
        : text(rows[part.row].label), `: ${samplesWords(part)}`))));
}

function samplesOfRun(index) {
  const data = samplesData(index);
  const where = page.experiments.length > 1 ? `${sideName(index)}: ` : '';
  return data === null ? [] : [where
    ? el('h3', null, where, text(page.experiments[index].name)) : '',
  ...data.parts.filter((part) => part.head !== null).flatMap((part) => [
    el('h3', null, 'Samples of ', text(part.event)),
    el('p', { class: 'about' }, visible(part.head.trim())),
    functionTable(part, partTitle(data, part, `${where}All of the program`)),
    sectionsWithSamples(data, part, index)]),
  ...data.notes.split('\n').filter(Boolean).map((note) =>
    el('p', { class: 'about' }, visible(note)))];
}

/* For the whole program; nothing where nothing was sampled. */
function samplesSection() {
  const parts = page.experiments.flatMap((_, i) => samplesOfRun(i));
  return parts.length === 0 ? '' : el('section', { 'aria-labelledby': 'samples' },
    el('h2', { id: 'samples' }, 'Where its samples are'), ...parts);
}
