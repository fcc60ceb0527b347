# SPDX-License-Identifier: BSD-3-Clause
"""The faults that make mutants can plant in a C file (tests/faults.py)."""

import importlib
import os

import faults
import tap
from tap import equal, ok

SOURCE = r'''/* if (a < b) break; */
#define LESS(a, b) \
    ((a) < (b))
static const int table[] = {1, 2};
static bool
has(const int *list, int n, int wanted)
{
    int count = first(list, n, "a < b");

    for (int i = 0; i < n; i++) {
        if (!list[i])
            continue; // never here
        count += list[i];
        if (list[i] == wanted && n - 1 > count)
            return true;
        else
            note(wanted,
                 '<');
    }
    is_done = false;
    for (int k = 0; k < n; k++) {
        free_entry(list[k]);
    }
    free(list);
    list = hpm_memory_new(1 + 2, sizeof *list);
    return false;
}
'''
HEADER = """#ifndef X_H
struct pair {
    int a;
};
int less(int a, int b);

static inline int
pair_next(const struct pair *pair)
{
    return pair->a + 1;
}
#endif
"""
# all that can be planted: line, kind, the line as it becomes
EXPECTED = [
    (8, "arguments", 'int count = first(n, list, "a < b");'),
    (8, "arguments", 'int count = first(list, "a < b", n);'),
    (10, "constant", "for (int i = 1; i < n; i++) {"),
    (10, "comparison", "for (int i = 0; i <= n; i++) {"),
    (10, "comparison", "for (int i = 0; i >= n; i++) {"),
    (10, "plus/minus", "for (int i = 0; i < n; i--) {"),
    (11, "not", "if (list[i])"),
    (12, "continue/break", "break; // never here"),
    (13, "plus/minus", "count -= list[i];"),
    (13, "statement", "(void)0;"),
    (14, "condition", "if (!(list[i] == wanted && n - 1 > count))"),
    (14, "comparison", "if (list[i] != wanted && n - 1 > count)"),
    (14, "and/or", "if (list[i] == wanted || n - 1 > count)"),
    (14, "plus/minus", "if (list[i] == wanted && n + 1 > count)"),
    (14, "constant", "if (list[i] == wanted && n - 2 > count)"),
    (14, "comparison", "if (list[i] == wanted && n - 1 >= count)"),
    (14, "comparison", "if (list[i] == wanted && n - 1 <= count)"),
    (15, "return", "return false;"),
    (17, "arguments", "note('<',"),
    (17, "statement", "(void)0;"),
    (20, "constant", "is_done = true;"),
    (20, "statement", "(void)0;"),
    (21, "comparison", "for (int k = 0; k <= n; k++) {"),
    (21, "comparison", "for (int k = 0; k >= n; k++) {"),
    (25, "statement", "(void)0;"),
    (25, "plus/minus", "list = hpm_memory_new(1 - 2, sizeof *list);"),
    (26, "return", "return true;"),
]


def test_kinds():
    found = faults.all_in("x.c", SOURCE)
    got = [(fault.line, fault.kind, faults.lines_of(SOURCE, fault)[1])
           for fault in found]
    for one in EXPECTED:
        ok(one in got, f"line {one[0]}, {one[1]}: {one[2]}")
    equal([one for one in got if one not in EXPECTED], [],
          "nothing else is planted: not in comments, literals, macros, tables, nor "
          "for memory")
    equal(len(got), len(set(got)), "and nothing twice")


def test_lines():
    wrong = [fault for fault in faults.all_in("x.c", SOURCE)
             if faults.planted(SOURCE, fault).count("\n")
             != SOURCE.count("\n")]
    equal(wrong, [], "every other line keeps its number")


def test_header():
    got = [faults.lines_of(HEADER, fault)[1]
           for fault in faults.all_in("x.h", HEADER)]
    equal(sorted(got), ["return pair->a + 2;", "return pair->a - 1;"],
          "in a header the inline functions have faults, declarations none")


def test_rules():
    """A rule of the evaluation whose line has moved is broken by nobody."""
    rules = importlib.import_module("mutants-rules")
    missing = []
    for rule in rules.read_rules():
        with open(os.path.join(tap.TOP_SOURCE, rule.path)) as file:
            text = file.read()
        try:
            rules.broken(text, rule)
        except rules.Trouble as trouble:
            missing.append(str(trouble))
    equal(missing, [], "the place of each rule of tests/mutants-rules.txt is "
          "there once")


test_rules()
test_kinds()
test_lines()
test_header()
tap.done()
