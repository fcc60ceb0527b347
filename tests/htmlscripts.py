# SPDX-License-Identifier: BSD-3-Clause
"""The script of an HTML page without the function around it and the policy that
keeps others out, so that a test can ask each of its parts."""

import math
import re

from tap import equal

ASK = """
const known = (value) => value === undefined ? 'undefined'
  : typeof value === 'bigint' ? String(value)
  : typeof value === 'number' && !Number.isFinite(value) ? String(value)
  : value instanceof Node ? value.outerHTML || value.textContent
  : value instanceof Map ? Array.from(value, known)
  : Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value, known)
  : value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, known(v)]))
  : value;
return arguments[0].map((words) => {
  try {
    return known((0, eval)('(' + words + ')'));
  } catch (error) {
    return 'throws: ' + error.message;
  }
});
"""


def opened(path, start=True):
    """Another page beside it whose names all scripts see; its path."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text, n_policies = re.subn(r'<meta http-equiv="Content-Security-Policy"'
                               r'[^>]*>\n', "", text)
    head, script = text.split("<script>(function () {\n'use strict';\n")
    script, end = script.rsplit("}());\n</script>", 1)
    if not start:
        script = script.rsplit("start();", 1)[0]
    assert n_policies == 1
    with open(path + ".opened.html", "w", encoding="utf-8") as file:
        file.write(head + "<script>'use strict';\n" + script + "</script>" + end)
    return path + ".opened.html"


def same(found, wanted):
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        return math.isclose(found, wanted, rel_tol=1e-5, abs_tol=1e-12)
    if isinstance(wanted, (list, tuple)):
        return isinstance(found, list) and len(found) == len(wanted) and \
            all(map(same, found, wanted))
    if isinstance(wanted, dict):
        return isinstance(found, dict) and found.keys() == wanted.keys() and \
            all(same(found[k], v) for k, v in wanted.items())
    return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)


def ask(driver, *expressions):
    """What each comes to: nodes as markup, what is no number as its name."""
    return driver.execute_script(ASK, list(expressions))


def check(driver, sentence, cases):
    """`cases`: expressions, and what each comes to."""
    found = ask(driver, *[words for words, _ in cases])
    equal([(words, f) for (words, wanted), f in zip(cases, found)
           if not same(f, wanted)],
          [(words, wanted) for (words, wanted), f in zip(cases, found)
           if not same(f, wanted)], sentence)
