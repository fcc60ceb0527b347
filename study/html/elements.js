/* SPDX-License-Identifier: BSD-3-Clause
 * Elements of the page.  Texts from files only become text nodes, and
 * attributes that cannot contain a program: no markup is ever made of a
 * string. */

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'class') {
      element.setAttribute('class', value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== '') {
      element.append(child);
    }
  }
  return element;
}

/* An element with attributes ("onclick" is a function) and children. */
function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/* A text from a file, in any writing direction. */
function text(words) {
  return el('bdi', null, visible(words));
}

function empty(element) {
  element.replaceChildren();
  return element;
}

/* A mark, coloured, with a word. */
function verdictChip(verdict, more) {
  if (verdict !== 'bad' && verdict !== 'good') {
    return null;
  }
  return el('span', { class: `verdict ${verdict}` },
    el('span', { 'aria-hidden': 'true', class: 'mark' }, MARKS[verdict]),
    ` ${verdict}${more || ''}`);
}

function doubtChip(reason) {
  return el('span', { class: 'verdict doubt', title: reason || null },
    el('span', { 'aria-hidden': 'true', class: 'mark' }, '?'), ' no verdict');
}

/* Let the browser save the content as a file. */
function download(name, content) {
  const link = el('a', {
    href: URL.createObjectURL(new Blob([content],
      { type: 'text/csv;charset=utf-8' })),
    download: name,
  });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/* RFC 4180.  People open CSV in spreadsheets: a text that a spreadsheet would
 * evaluate as a formula gets an apostrophe before it. */
function csvCell(value) {
  const word = String(value);
  const safe = /^[=+\-@\t\r]/.test(word) && !Number.isFinite(Number(word))
    ? `'${word}` : word;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/* A heading in CSV, where values are exact, in the unit of the file. */
function csvTitle(title, unit) {
  return unit ? `${title} (${unit})` : title;
}

function announce(words) {
  document.getElementById('said').textContent = words;
}
