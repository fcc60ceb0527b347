/* SPDX-License-Identifier: BSD-3-Clause
 * Draw the page. */

function start() {
  const main = document.getElementById('main');
  const sections = new SectionTable();
  main.append(...overview(comparison('q')), sections.box, panel,
    samplesSection(), runSection());
  sections.draw();
  const wanted = /^([qp])(\d+)$/.exec(settings.get('section') || '');
  if (wanted && comparison(wanted[1]).lines[wanted[2]]) {
    openLine(comparison(wanted[1]), Number(wanted[2]), true);
  }
}

start();
