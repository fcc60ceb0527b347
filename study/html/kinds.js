/* SPDX-License-Identifier: BSD-3-Clause
 * Which threads behave alike: the sentence of hpm report, where there is one. */

function kindsWords(experiment) {
  return experiment.kinds
    ? el('p', { class: 'kinds' }, text(experiment.kinds)) : '';
}
