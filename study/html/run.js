/* SPDX-License-Identifier: BSD-3-Clause
 * How the run was measured: tasks, counters, calibration, files, notes;
 * unpacked when the reader opens it. */

const COSTS = /^(inside|around)/;

/* A value of a record as text. */
function recordText(record, name, unit) {
  return isTime({ unit }) && COSTS.test(name)
    ? shortOf({ unit }, record[name]) : record[name];
}

/* A table of records.  `unitOf(record)`, or null: the unit of the record's
 * costs, for CSV. */
function recordTable(caption, records, names, where, unitOf) {
  const used = names.filter((name) => records.some((r) => r[name] !== null &&
    r[name] !== '' && r[name] !== undefined));
  const table = new Table({
    caption: where + caption, n: records.length, columns: used.map((name) => {
      const isText = records.some((r) => typeof r[name] === 'string');
      return {
        key: name, title: name.replace(/_/g, ' '), isText,
        string: (i) => String(records[i][name] === null ? ''
          : records[i][name]),
        number: (i) => (records[i][name] === null ? NaN : records[i][name]),
        ...unitOf && name === 'quantity' ? {
          csvTitles: () => [name, 'unit'],
          csv: (i) => [records[i][name], unitOf(records[i])],
        } : { csv: (i) => (records[i][name] === null ? '' : records[i][name]) },
        cell: (i) => (records[i][name] === null
          ? el('span', { class: 'na' }, 'n/a')
          : text(recordText(records[i], name, unitOf && unitOf(records[i])))),
      };
    }),
  });
  table.update();
  return el('div', null, el('div', { class: 'tools' }, el('h3', null, caption),
    table.exportButton(`${caption.toLowerCase()}.csv`)), table.element);
}

/* Counters that are equal in all tasks are one row. */
function distinctCounters(counters) {
  const seen = new Map();
  for (const counter of counters) {
    const { task, ...rest } = counter;
    const key = JSON.stringify(rest);
    const before = seen.get(key);
    if (before) {
      before.tasks++;
    } else {
      seen.set(key, { ...rest, tasks: task === null ? 0 : 1 });
    }
  }
  return [...seen.values()];
}

/* The cost of a start and a stop, and how much it differs between calls. */
function costWords(experiment) {
  const costs = experiment.calibrations.filter((cost) =>
    cost.quantity === 'IncSec' && cost.around > 0);
  const time = (value) => shortOf({ unit: 's' }, value);
  return ['thread', 'process'].map((scope) => {
    const here = costs.filter((cost) => cost.scope === scope);
    const most = (name) => Math.max(...here.map((cost) => cost[name]));
    return here.length === 0 ? null : `To measure a call of a section of a ` +
      `${scope} costs ${time(most('around'))}, of which ` +
      `${time(most('inside'))} fall inside it (the least of the calibration; ` +
      `its median ${time(most('around_median'))}, its most ` +
      `${time(most('around_most'))}).`;
  }).filter(Boolean);
}

/* A cost has the unit of its quantity: seconds for time itself, nanoseconds for
 * a counter of time. */
function costUnit(experiment) {
  return (cost) => {
    const quantity = experiment.quantities.find((q) =>
      q.name === cost.quantity);
    return quantity ? quantity.unit : '';
  };
}

function runFacts(experiment, index) {
  const facts = unpackJson(`e${index}f`);
  const tables = [['Tasks', facts.tasks], ['Calibration',
    experiment.calibrations], ['Counters',
    distinctCounters(facts.counters)], ['Files', facts.sources],
  ['Left out', facts.left_out], ['Problems', facts.problems]];
  return tables.filter(([, records]) => records.length > 0)
    .map(([caption, records]) => recordTable(caption, records,
      Object.keys(records[0]), page.experiments.length > 1
        ? `${sideName(index)}: ` : '', caption === 'Calibration'
        ? costUnit(experiment) : null));
}

function runSection() {
  return el('section', { 'aria-labelledby': 'how' },
    el('h2', { id: 'how' }, 'How it was measured'),
    page.experiments.map((experiment, i) => {
      const body = el('div');
      const box = el('details', null, el('summary', null,
        page.experiments.length > 1 ? `${sideName(i)}: ` : '',
        'tasks, calibration, counters, files, problems'), body);
      box.addEventListener('toggle', () => {
        if (box.open && body.childElementCount === 0) {
          body.append(...runFacts(experiment, i));
        }
      });
      const notes = [...experiment.notes.map((note) =>
        note.replace(/^note: /, '')), ...costWords(experiment)];
      return el('div', null, page.experiments.length > 1 ? el('h3', null,
        `${sideName(i)}: `, text(experiment.name)) : '', notes.length > 0 ? el('ul', { class: 'notes' },
        notes.map((note) => el('li', null, text(note)))) : '', box);
    }), el('p', { class: 'about' }, `Made by ${page.tool}; limits for ` +
      `${page.precision} precision. This page asks nothing of any network.`));
}
