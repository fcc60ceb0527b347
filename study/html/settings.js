/* SPDX-License-Identifier: BSD-3-Clause
 * The reader's choices, kept in the page's address, so that the reader can send
 * them. */

const settings = new URLSearchParams(location.hash.slice(1));

function keep(name, value) {
  if (value === null || value === '' || value === undefined) {
    settings.delete(name);
  } else {
    settings.set(name, value);
  }
  const words = settings.toString();
  history.replaceState(null, '', words === '' ? location.pathname +
    location.search : `#${words}`);
}

showGroup(Number(settings.get('group')));

/* Join words as "a|b"; they may contain any characters. */
function joinWords(words) {
  return words.map((word) => word.replace(/[\\|]/g, '\\$&')).join('|');
}

function splitWords(words) {
  return (words.match(/(?:\\[^]|[^\\|])+/g) || [])
    .map((word) => word.replace(/\\([^])/g, '$1'));
}

function applyLook() {
  const root = document.documentElement;
  root.dataset.palette = settings.get('palette') || 'redgreen';
  root.dataset.theme = settings.get('theme') || 'auto';
}

function chooser(name, label, choices) {
  const select = el('select', {
    id: `choose-${name}`,
    onchange: () => {
      keep(name, select.value === choices[0][0] ? null : select.value);
      applyLook();
    },
  }, choices.map(([value, words]) => el('option', {
    value, selected: (settings.get(name) || choices[0][0]) === value,
  }, words)));
  return el('label', { for: `choose-${name}` }, `${label} `, select);
}

function lookControls() {
  applyLook();
  return el('div', { class: 'controls' },
    chooser('palette', 'Palette', [['redgreen', 'red / green'],
      ['orangeblue', 'orange / blue'], ['none', 'no colour']]),
    chooser('theme', 'Theme', [['auto', 'as the system'], ['light', 'light'],
      ['dark', 'dark']]));
}
