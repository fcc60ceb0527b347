/* SPDX-License-Identifier: BSD-3-Clause
 * How it was measured: tasks, counters, calibration, files, notes; unpacked
 * when it is opened. */

function recordTable(caption, records, names, where) {
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
        csv: (i) => (records[i][name] === null ? '' : records[i][name]),
        cell: (i) => (records[i][name] === null
          ? el('span', { class: 'na' }, 'n/a') : text(records[i][name])),
      };
    }),
  });
  table.update();
  return el('div', null, el('div', { class: 'tools' }, el('h3', null, caption),
    table.exportButton(`${caption.toLowerCase()}.csv`)), table.element);
}

/* Counters that all tasks have alike are one row. */
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

function runFacts(experiment, index) {
  const facts = unpackJson(`e${index}f`);
  const tables = [['Tasks', facts.tasks], ['Counters',
    distinctCounters(facts.counters)], ['Files', facts.sources],
  ['Left out', facts.left_out], ['Problems', facts.problems]];
  return tables.filter(([, records]) => records.length > 0)
    .map(([caption, records]) => recordTable(caption, records,
      Object.keys(records[0]), page.experiments.length > 1
        ? `${sideName(index)}: ` : ''));
}

function runSection() {
  return el('section', { 'aria-labelledby': 'how' },
    el('h2', { id: 'how' }, 'How it was measured'),
    page.experiments.map((experiment, i) => {
      const body = el('div');
      const box = el('details', null, el('summary', null,
        page.experiments.length > 1 ? `${sideName(i)}: ` : '',
        'tasks, counters, files, problems'), body);
      box.addEventListener('toggle', () => {
        if (box.open && body.childElementCount === 0) {
          body.append(...runFacts(experiment, i));
        }
      });
      return el('div', null, experiment.notes.length > 0 ? el('ul',
        { class: 'notes' }, experiment.notes.map((note) => el('li', null,
          text(note.replace(/^note: /, ''))))) : '', box);
    }), el('p', { class: 'about' }, `Made by ${page.tool}; limits for ` +
      `${page.precision} precision. This page asks nothing of any network.`));
}
