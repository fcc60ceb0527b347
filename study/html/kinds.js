/* SPDX-License-Identifier: BSD-3-Clause
 * Which threads behave alike: the sentence of hpm report, where there is one, and
 * pictures of how threads differ (study/analysis/picture.h). */

const ANCHORS = ['start', 'middle', 'end'];
const INKS = ['mark', 'scale'];
const GROUP_INKS = 8; /* hues of the page */

function inkClass(ink) {
  return ink < INKS.length ? INKS[ink]
    : `group group${(ink - INKS.length) % GROUP_INKS + 1}`;
}

/* A shape of the picture as elements of SVG. */
function drawnShape([kind, ink, ...rest]) {
  const [x, y, x2, y2] = rest;
  const words = rest[rest.length - 1];
  if (kind === 'line') {
    return svg('polyline', { class: inkClass(ink), points: rest.join(' ') });
  }
  if (kind === 'box') {
    return svg('rect', { class: inkClass(ink), x, y, width: x2 - x,
      height: y2 - y }, svg('title', null, visible(words)));
  }
  if (kind === 'dot') {
    return svg('circle', { class: inkClass(ink), cx: x, cy: y, r: 4 },
      svg('title', null, visible(words)));
  }
  const [, , anchor, isUpright] = rest;
  return svg('text', { 'text-anchor': ANCHORS[anchor],
    transform: `translate(${x} ${y})${isUpright ? ' rotate(-90)' : ''}` },
  visible(words));
}

function pictureFigure(picture) {
  return el('figure', { class: 'picture' },
    el('figcaption', null, text(picture.title)),
    el('div', { class: 'wide' }, svg('svg', { role: 'img',
      'aria-label': visible(picture.title), width: picture.width,
      height: picture.height, viewBox: `0 0 ${picture.width} ${picture.height}` },
    picture.shapes.map(drawnShape))));
}

/* The pictures of the run `side`; drawn when the reader opens them. */
function kindsPictures(experiment, side) {
  const of = page.experiments.length > 1 ? ` in ${sideName(side)}` : '';
  if (experiment.pictures.length === 0) {
    return '';
  }
  const body = el('div', { class: 'pictures' });
  const box = el('details', null,
    el('summary', null, `How threads differ${of}, in pictures`), body);
  box.addEventListener('toggle', () => {
    if (box.open && body.childElementCount === 0) {
      body.append(...experiment.pictures.map(pictureFigure));
    }
  });
  return box;
}

/* All of the page is drawn anew: what was open may not be there. */
function chooseGroup(number) {
  keep('group', number === '0' ? null : number);
  keep('section', null);
  location.reload();
}

function groupName({ group, members }, i) {
  return `${i + 1}: ${visible(group)} (${members})`;
}

/* The threads that the page is about: all, or those of a group. */
function groupControl() {
  if (page.groups_have_no_room) {
    return el('p', { class: 'about', id: 'group' },
      'No group of threads can be chosen: the page has no room for what each ' +
      'of them measured. hpmviz shows one group, too.');
  }
  if (page.groups.length === 0) {
    return '';
  }
  const select = el('select', { id: 'choose-group',
    onchange: () => chooseGroup(select.value) },
  ['all', ...page.groups.map(groupName)].map((words, i) => el('option', {
    value: i, selected: i === page.shift }, words)));
  /* beside the control, which is not printed */
  return el('div', null, el('div', { class: 'tools' },
    el('label', { for: 'choose-group' }, 'Show threads of group ', select)),
  page.shift === 0 ? '' : el('p', { class: 'about', id: 'group' },
    'All values of this page are of group ' +
    `${groupName(page.groups[page.shift - 1], page.shift - 1)} alone; ` +
    'counts of a whole process or node that others share have no value ' +
    'here; what is said of kinds, and pictures, are of all threads.'));
}

/* Where some runs have a sentence, the others say that they have none:
 * otherwise the reader would take the sentence for theirs, too. */
function kindsWords(experiment) {
  const words = (page.shift > 0 ? page.whole : experiment).kinds ||
    (page.experiments.some((other) => other.kinds)
      ? 'No kinds of threads that are beyond doubt.' : '');
  return words ? el('p', { class: 'kinds' }, text(words)) : '';
}
