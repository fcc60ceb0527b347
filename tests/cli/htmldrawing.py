#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the script of the HTML page draws and says, part by part, of figures that
are made up here."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from browsers import browser, missing
from htmlpages import make
from htmlscripts import check, opened
from reports import known_files
from tap import equal, folder

NAN = "NaN"
OVERLAP = "they overlap, for each is an upper bound"
CONTRADICT = ("the counts contradict each other, or were too uncertain; do not rely "
              "on them")

MADE = """
var metricsOf = (list) => new Metrics(
  list.map(([name, , more]) => ({ name, kind: 'metric', unit: '',
    about: name.toLowerCase(), ...more })),
  (i) => list[i][1],
  (i) => ({ isThere: true, value: list[i][1], state: 'counted', ...list[i][3] }));
var part = (parent) => ({ parent, is_part: true });
var brief = (tree) => tree && [tree.name, tree.value, tree.over || '',
  tree.rest[0], tree.children.map(brief)];
var trees = (list) => cycleTrees(metricsOf(list)).map(({ title, tree, path }) =>
  [title, brief(tree), path && path.map(({ name }) => name)]);
var leaf = (name, value, children, more) => ({ name, value, about: '',
  children: children || [], rest: UNEXPLAINED, figure: NO_FIGURE, ...more });
var laid = (tree) => layOut(tree).map((l) => [l.name, l.value, l.depth, l.left,
  l.width, l.whole, l.note, Boolean(l.isRest), Boolean(l.isWrong)]);
var styled = (e, ...names) => names.map((name) => e.style[name]);
var texts = (list) => Array.from(list, (e) => e.textContent);
var blockOf = (columns) => ({ columns: new Map(Object.entries(columns)),
  texts: columns.texts || [], at: (name, i) => columns[name] === undefined ? NaN
    : columns[name][i], digits: (name, i) => String((columns[name] || [''])[i]) });
var surveyOf = (list, more) => { const s = { index: 7, what: 'q',
  quantities: list.map((q) => ({ unit: '', kind: 'metric', bad_values: 0, ...q })),
  block: (q) => list[q].block || blockOf(list[q]),
  value: (q, i) => s.block(q).at('value', i),
  figure: (q, i) => ({ isThere: true, state: 'counted', verdict: '', reason: '',
    ownReason: '', isPartial: false, isDoubtful: false, judged: 1, block: s.block(q),
    row: i, value: s.value(q, i), exclusive: s.block(q).at('exclusive', i),
    worst: s.block(q).at('worst', i), ...list[q].figure }),
  rows: [], experiment: {}, ...more }; return s; };
"""


def js(value):
    return json.dumps(value)


# ---- cycles.js ---------------------------------------------------------------

def tree(name, value, children=(), over="", rest="not explained"):
    return [name, value, over, rest, list(children)]


def test_cycles(driver):
    check(driver, "metrics are asked by name, and know their parts", [
        ("(() => { window.m = metricsOf([['A', 5], ['B', 3, part(0)], ['C', NaN, "
         "part(0)], ['D', 2, {parent: 0, is_part: false}], ['E', 1, {parent: 0, "
         "is_part: true, kind: 'counter'}], ['BUSY', 1, {about: ''}]]); return "
         "m.parts('A'); })()", ["B"]),
        ("[m.value('A'), m.value('E'), m.value('X'), m.parts('X')]",
         [5, NAN, NAN, []]),
        ("[m.figure('B').value, m.figure('X') === NO_FIGURE, m.figure('E') === "
         "NO_FIGURE]", [3, True, True]),
        ("[m.quantity('B').name, m.quantity('X'), m.about('A'), m.about('BUSY'), "
         "m.about('X')]", ["B", "undefined", "a", "cycles of work", ""]),
        ("[NO_FIGURE.isThere, NO_FIGURE.value, NO_FIGURE.code]", [False, NAN, NAN])])
    check(driver, "cycles are taken apart as their model does", [
        ("trees([['CYCLES', 1000], ['BUSY', 600, part(0)], ['STALL', 400, part(0)], "
         "['STALLED', 400], ['STALL_L1_PCT', 10], ['STALL_MEM_PCT', 25], "
         "['MEM_IMPACT_PCT', 50]])",
         [["Cycles", tree("CYCLES", 1000, [tree("BUSY", 600), tree("STALL", 400, [
             tree("STALL_L1_PCT", 100, (), OVERLAP),
             tree("STALL_MEM_PCT", 250, (), OVERLAP)], OVERLAP)]),
           ["STALL", "CYCLES"]]]),
        ("trees([['CYCLES', 1000], ['STALL', 400, part(0)], ['STALL_X', 400, "
         "part(1)], ['STALLED', 400]])",
         [["Cycles", tree("CYCLES", 1000, [tree("STALL", 400, [
             tree("STALL_X", 400)])]), ["STALL", "CYCLES"]]]),
        ("trees([['CYCLES', 1000], ['IDLE', 400, part(0)], ['STALLED', 399, "
         "part(1)]])",
         [["Cycles", tree("CYCLES", 1000, [tree("IDLE", 400, [
             tree("STALLED", 399, (), OVERLAP)])]),
           ["STALLED", "IDLE", "CYCLES"]]]),
        ("trees([['CYCLES', 1000], ['STALL', 400, part(0)], ['STALLED', 300], "
         "['COUNTED_STALLS', 250], ['MEM', 200, part(3)], ['DRAM', 150, part(4)]])",
         [["Cycles", tree("CYCLES", 1000, [tree("STALL", 400)]), None],
          ["Stalled cycles", tree("CYCLES", 1000, [tree("STALLED", 300, [
              tree("MEM", 200, [tree("DRAM", 150, (), OVERLAP)], OVERLAP)], OVERLAP)],
                                  "", "not stalled"), ["STALLED", "CYCLES"]]]),
        ("trees([['CYCLES', 1000], ['STALLED', 300], ['DIV_IMPACT_PCT', 5], "
         "['L2_HIT_IMPACT_PCT', NaN]])",
         [["Cycles", tree("CYCLES", 1000, [tree("STALLED", 300, [
             tree("DIV_IMPACT_PCT", 50, (), OVERLAP)], OVERLAP)], "", "not stalled"),
           ["STALLED", "CYCLES"]]]),
        ("trees([['CYCLES', NaN], ['STALLED', 300]])", []),
        ("trees([['CYCLES', 1000], ['STALLED', NaN]])", []),
        ("trees([['CYCLES', 1000], ['BUSY', 10, part(0)]])",
         [["Cycles", tree("CYCLES", 1000, [tree("BUSY", 10)]), None]])])
    every = ["STALL_L1_PCT", "STALL_L2_PCT", "STALL_L3_PCT", "STALL_MEM_PCT",
             "STALL_STORE_PCT"]
    impacts = ["L2_HIT_IMPACT_PCT", "L3_HIT_IMPACT_PCT", "MEM_IMPACT_PCT",
               "DTLB_WALK_PCT", "DIV_IMPACT_PCT", "LCP_IMPACT_PCT",
               "STORE_FWD_IMPACT_PCT"]
    check(driver, "every cause that may be measured has a place", [
        (f"stallCauses(metricsOf({js([[n, 10] for n in names])}), 50).map((c) => "
         "[c.name, c.value])", [[n, 5] for n in names]) for names in (every, impacts)])
    check(driver, "parts contradict a whole that they exceed by more than rounding", [
        ("isContradictory(leaf('A', 100, [leaf('B', 100.4)]))", False),
        ("isContradictory(leaf('A', 100, [leaf('B', 60), leaf('C', 40.6)]))", True),
        ("isContradictory(leaf('A', 100, [leaf('B', 600)], {over: 'x'}))", False),
        ("isContradictory(leaf('A', 100, [leaf('B', 120), leaf('C', -30)]))", True),
        ("sumOf([leaf('B', 2), leaf('C', -3), leaf('D', 4)])", 6)])
    time = ("((t) => t && [t.name, t.about, t.value, brief(t.children[0]), t.rest, "
            "t.over])(timeTree(metricsOf([['CPU_TIME', {}], ['USER', 20, part(0)]]), "
            "{}, '{}'))").replace("{}", "%s")
    clock = "they are by another clock, which begins a little earlier"
    check(driver, "user and kernel time may exceed both together by a little", [
        ("[20, 31, 31.6].map((n) => layOut(processorTime(metricsOf([['CPU_TIME', 30], "
         "['USER', n, part(0)]])))[0]).map((l) => [l.note, Boolean(l.isWrong)])",
         [["", False], [f"parts add up to 103 %: {clock}", False],
          [f"parts add up to 105 %: {CONTRADICT}", True]])])
    check(driver, "time is on a processor or not", [
        (time % (30, 60, "thread"),
         ["TIME", "of all threads together", 60, tree("CPU_TIME", 30, [
             tree("USER", 20)], clock), ["not on a processor",
                                  "they waited, or others had the processor"],
          "several threads worked at the same time"]),
        (time % (30, 60, "process"),
         ["TIME", "of the processes, by the clock", 60, tree("CPU_TIME", 30, [
             tree("USER", 20)], clock), ["not on a processor",
                                  "at least: no thread of them was at work"],
          "several threads worked at the same time"]),
        (time % ("NaN", 60, "thread"), None), (time % (30, 0, "thread"), None),
        (time % (30, "NaN", "thread"), None)])
    check(driver, "issue slots are taken apart where two of their parts are known", [
        ("brief(slotTree(metricsOf([['RETIRING_PCT', 50], ['BACKEND_PCT', 30], "
         "['MEMORY_BOUND_PCT', 20], ['HEAVY_OPS_PCT', NaN]])))",
         tree("SLOTS", 100, [tree("RETIRING_PCT", 50), tree("BACKEND_PCT", 30, [
             tree("MEMORY_BOUND_PCT", 20)])])),
        ("brief(slotTree(metricsOf([['BAD_SPEC_PCT', 5], ['FRONTEND_PCT', 6], "
         "['MISPREDICTS_PCT', 1], ['MACHINE_CLEARS_PCT', 2], ['FETCH_LATENCY_PCT', "
         "3], ['FETCH_BANDWIDTH_PCT', 4], ['CORE_BOUND_PCT', 9]])))",
         tree("SLOTS", 100, [
             tree("BAD_SPEC_PCT", 5, [tree("MISPREDICTS_PCT", 1),
                                      tree("MACHINE_CLEARS_PCT", 2)]),
             tree("FRONTEND_PCT", 6, [tree("FETCH_LATENCY_PCT", 3),
                                      tree("FETCH_BANDWIDTH_PCT", 4)])])),
        ("slotTree(metricsOf([['RETIRING_PCT', 50]]))", None),
        ("otherTrees(metricsOf([['MIX', 9], ['A', 4, part(0)], ['B', 5, part(0)], "
         "['A1', 1, part(1)], ['A2', 1, part(1)], ['ONE', 3], ['C', 3, part(5)], "
         "['CYCLES', 3], ['D', 1, part(7)], ['E', 1, part(7)], ['NONE', NaN], "
         "['F', 1, part(10)], ['G', 1, part(10)], ['CPU_TIME', 2], ['H', 1, part(13)]"
         ", ['I', 1, part(13)], ['COUNTED_STALLS', 2], ['J', 1, part(16)], ['K', 1, "
         "part(16)]])).map(brief)",
         [tree("MIX", 9, [tree("A", 4, [tree("A1", 1), tree("A2", 1)]),
                          tree("B", 5)])])])


def test_layout(driver):
    line = ["", False, False]
    check(driver, "bars stand inside the bar of their whole, with what is left", [
        ("laid(leaf('W', 200, [leaf('A', 120, [leaf('A1', 40)]), leaf('B', 60), "
         "leaf('C', -5)]))",
         [["W", 200, 0, 0, 100, 200, *line], ["A", 120, 1, 0, 60, 200, *line],
          ["A1", 40, 2, 0, 20, 120, *line],
          ["not explained", 80, 2, 20, 40, 120, "", True, False],
          ["B", 60, 1, 60, 30, 200, *line], ["C", -5, 1, 90, 0, 200, *line],
          ["not explained", 20, 1, 90, 10, 200, "", True, False]]),
        ("laid(leaf('W', 100, [leaf('A', 80), leaf('B', 70)]))",
         [["W", 100, 0, 0, 100, 100, f"parts add up to 150 %: {CONTRADICT}", False,
           True], ["A", 80, 1, 0, 160 / 3, 100, *line],
          ["B", 70, 1, 160 / 3, 140 / 3, 100, *line]]),
        ("laid(leaf('W', 100, [leaf('A', 150)], {over: 'so'}))[0].slice(6)",
         ["parts add up to 150 %: so", False, False]),
        ("laid(leaf('W', 100, [leaf('A', 100.4)]))[0].slice(6)", line),
        ("laid(leaf('W', 100, [leaf('A', 100.6)]))[0][6].slice(0, 20)",
         "parts add up to 101 "),
        ("laid(leaf('W', 100, [leaf('A', 99.96)])).length", 2),
        ("laid(leaf('W', 100, [leaf('A', 99.94)])).length", 3)])
    check(driver, "each bar has its place, and its name where that fits", [
        ("((e) => [e.className, e.title, e.textContent, ...styled(e, 'left', 'width', "
         "'top')])(barOf({name: 'N', about: '', width: 7.1, left: 3, depth: 2}, 4))",
         ["piece hue4", "N: 7.1 %", "N", "3%", "7.1%", "calc(2 * var(--bar))"]),
        ("((e) => [e.className, e.title, e.textContent, ...styled(e, 'left', 'width')]"
         ")(barOf({name: 'N', about: 'what', width: 7, left: 0, depth: 1, isRest: "
         "true}, 4))", ["piece rest", "what: 7.0 %", "", "0%", "7%"]),
        ("styled(barOf({name: 'N', width: 0.01, left: 0, depth: 0}, 1), 'width')",
         ["0.15%"]),
        ("[amountOf(1234.6, 'cycles'), amountOf(12, '%'), amountOf(1.5, 's')]",
         ["1,235", "", "1.500000"]),
        ("lineWords({note: 'n', figure: {isThere: true, state: 'shared', share: 0.5, "
         "windows: NaN, isDoubtful: true, reason: 'r'}})", ["n", "shared 50 %", "r"]),
        ("lineWords({note: '', figure: {isThere: true, state: 'counted', isDoubtful: "
         "false, reason: 'r'}})", []), ("lineWords({note: ''})", [])])
    whole = ("leaf('W', 200, [leaf('A', 120, [leaf('A1', 20)], {figure: {isThere: true,"
             " isPartial: true, state: 'counted'}}), leaf('B', 60), leaf('C', 10)], "
             "{about: 'all'})")
    check(driver, "a decomposition is drawn, and the same as a table", [
        (f"((d) => [Array.from(d.querySelectorAll('.piece'), (e) => e.className), "
         "d.querySelector('.bars').style.height, Array.from(d.querySelectorAll("
         "'.swatch'), (e) => e.className), Array.from(d.querySelectorAll('tbody th'), "
         "(e) => e.style.getPropertyValue('--depth'))])(decomposition('Cycles', "
         f"{whole}, 'cycles'))",
         [["piece hue0", "piece hue1", "piece hue2", "piece rest", "piece hue3",
           "piece hue4", "piece rest"], "calc(3 * var(--bar))",
          ["swatch hue0", "swatch hue1", "swatch hue2", "swatch rest", "swatch hue3",
           "swatch hue4", "swatch rest"], ["0", "1", "2", "2", "1", "1", "1"]]),
        (f"Array.from(decomposition('Cycles', {whole}, 'cycles').querySelectorAll("
         "'tr'), (r) => texts(r.cells).map((t) => t.trim()))",
         [["part", "cycles", "% of all", "% of its whole"],
          ["W all", "200", "100.0", ""], ["A partial", "~120", "60.0", "60.0"],
          ["A1", "20", "10.0", "16.7"],
          ["not explained no cause that was counted explains it", "100", "50.0",
           "83.3"], ["B", "60", "30.0", "30.0"], ["C", "10", "5.0", "5.0"],
          ["not explained no cause that was counted explains it", "10", "5.0",
           "5.0"]]),
        (f"((d) => [d.querySelector('figcaption').textContent, d.querySelector("
         "'button').getAttribute('aria-label'), d.querySelector('caption').textContent,"
         " d.querySelector('.scroll').getAttribute('aria-label'), d.querySelector("
         "'.scroll').tabIndex, d.querySelector('.doubt')])(decomposition('Cycles', "
         f"{whole}, '%'))",
         ["CyclesCSV", "CSV of Cycles", "Cycles as a table", "Cycles table", 0, None]),
        ("decomposition('X', leaf('W', 1, [leaf('A', 2)]), '').querySelector("
         "'tbody .doubt').title", CONTRADICT),
        ("new Set(layOut(leaf('W', 9, Array.from({length: 9}, (_, i) => leaf('c' + i, "
         "1)))).map((l) => l.name)).size", 10),
        ("Array.from(decomposition('X', leaf('W', 9, Array.from({length: 9}, () => "
         "leaf('c', 1))), '').querySelectorAll('.piece'), (e) => e.className)"
         ".slice(7)", ["piece hue7", "piece hue8", "piece hue1"]),
        (f"decompositionCsv(layOut({whole}), 'cycles', 200)",
         "part,about,level,cycles,% of all,remarks\r\nW,all,0,200,100,\r\n"
         "A,,1,120,60,partial; partial\r\nA1,,2,20,10,\r\n"
         "not explained,no cause that was counted explains it,2,100,50,\r\n"
         "B,,1,60,30,\r\nC,,1,10,5,\r\n"
         "not explained,no cause that was counted explains it,1,10,5,\r\n"),
        ("decompositionCsv([{name: 'N', about: 'a,b', depth: 1, value: 25, note: "
         "'n'}], '%', 50)",
         'part,about,level,,% of all,remarks\r\nN,"a,b",1,,50,n\r\n')])


def test_references(driver):
    bar = ("((e) => [e.querySelector('.reference-name').textContent, Array.from("
           "e.querySelectorAll('.zone'), (z) => [z.className, z.textContent, "
           "parseFloat(z.style.left), parseFloat(z.style.width)]), parseFloat("
           "e.querySelector('.needle').style.left)])(referenceBar({name: 'N', unit: "
           "'%%', ratio: true, about: 'what', bad: %s, good: %s}, %s, %s))")
    high = [["zone good", "low", 0.0, 31.25], ["zone neutral", "medium", 31.25, 31.25],
            ["zone bad", "high", 62.5, 37.5]]
    counted = "{isDoubtful: false}"

    def words(value, word, marks):
        return f"N {value:.3f} %: {word} what; marks at {marks}"

    check(driver, "a value stands between its marks, in words, too", [
        (bar % ("[1, 20]", "[-1, 10]", 8, counted),
         [words(8, "low", "10 and 20"), high, 25.0]),
        (bar % ("[1, 20]", "[-1, 10]", 10, counted),
         [words(10, "low", "10 and 20"), high, 31.25]),
        (bar % ("[1, 20]", "[-1, 10]", 20.5, counted),
         [words(20.5, "high", "10 and 20"), high, 64.0625]),
        (bar % ("[-1, 10]", "[1, 20]", 16, counted),
         [words(16, "medium", "10 and 20"),
          [["zone bad", "low", 0.0, 31.25], ["zone neutral", "medium", 31.25, 31.25],
           ["zone good", "high", 62.5, 37.5]], 50.0]),
        (bar % ("[1, 5]", "null", 40, counted),
         [words(40, "high", "5"), [["zone neutral", "low", 0.0, 500 / 42],
                                   ["zone bad", "high", 500 / 42, 3700 / 42]],
          4000 / 42]),
        (bar % ("null", "[-1, 5]", -2, counted),
         [words(-2, "low", "5"), [["zone good", "low", 0.0, 62.5],
                                  ["zone neutral", "high", 62.5, 37.5]], 0.0]),
        (bar % ("null", "[1, 5]", 4, counted),
         [words(4, "low", "5"), [["zone neutral", "low", 0.0, 62.5],
                                 ["zone good", "high", 62.5, 37.5]], 50.0]),
        (bar % ("[-1, 5]", "null", 4, "{isDoubtful: true, reason: 'so'}"),
         ["N 4.000 %: ? no verdict, so; what; marks at 5",
          [["zone bad", "low", 0.0, 62.5], ["zone neutral", "high", 62.5, 37.5]],
          50.0])])
    names = ["STALLED_PCT", "IPC", "CPI", "BRANCH_MISP_PCT", "MEM_IMPACT_PCT",
             "L2_HIT_IMPACT_PCT", "L3_HIT_IMPACT_PCT", "DTLB_WALK_PCT",
             "DIV_IMPACT_PCT", "LCP_IMPACT_PCT", "STORE_FWD_IMPACT_PCT",
             "L1_HIT_RATE"]
    check(driver, "every metric with limits that the paper judges has marks", [
        ("texts(referenceBars(metricsOf([" + ", ".join(
            f"['{n}', 1, {{bad: [1, 2]}}]" for n in reversed(names)) +
         "]))[0].querySelectorAll('strong'))", names),
        ("referenceBars(metricsOf([['IPC', 1], ['CPI', NaN, {good: [1, 2]}], ['X', 1, "
         "{bad: [1, 2]}]]))", []),
        ("texts(referenceBars(metricsOf([['IPC', 1, {good: [1, 2]}]]))[0]"
         ".querySelectorAll('strong'))", ["IPC"])])
    check(driver, "all that can be taken apart follows in one order", [
        ("decompositions(metricsOf([['CYCLES', 10], ['STALLED', 3], ['RETIRING_PCT', "
         "50], ['BACKEND_PCT', 40], ['CPU_TIME', 2], ['IPC', 1, {bad: [-1, 2]}], "
         "['MIX', 9, {about: 'mix'}], ['A', 4, part(6)], ['B', 5, part(6)]]), {total: "
         "4, scope: 'thread'}).map((e) => e.querySelector('figcaption, summary, "
         "strong').firstChild.textContent + (e.open === undefined ? '' : e.open))",
         ["Cycles", "Issue slots", "Time", "IPC", "Other counts taken apartfalse"]),
        ("decompositions(metricsOf([['CPU_TIME', 2]]), null)", [])])


# ---- kinds.js ----------------------------------------------------------------

def test_kinds(driver):
    check(driver, "pictures are drawn as they are given", [
        ("[0, 1, 2, 9, 10].map(inkClass)",
         ["mark", "scale", "group group1", "group group8", "group group1"]),
        ("drawnShape(['line', 1, 1, 2, 3, 4, 5, 6])",
         '<polyline class="scale" points="1 2 3 4 5 6"></polyline>'),
        ("drawnShape(['box', 0, 1, 2, 11, 22, 'w\\u202e'])",
         '<rect class="mark" x="1" y="2" width="10" height="20"><title>w\\x202E'
         "</title></rect>"),
        ("drawnShape(['dot', 2, 1, 2, 'w'])",
         '<circle class="group group1" cx="1" cy="2" r="4"><title>w</title></circle>'),
        *[(f"drawnShape(['words', 0, 1, 2, {anchor}, {upright}, 'w'])",
           f'<text text-anchor="{name}" transform="translate(1 2){turned}">w</text>')
          for anchor, upright, name, turned in ((0, "false", "start", ""),
                                                (1, "true", "middle", " rotate(-90)"),
                                                (2, "false", "end", ""))],
        ("pictureFigure({title: 'T', width: 10, height: 20, shapes: [['dot', 0, 1, 2, "
         "'w']]})", '<figure class="picture"><figcaption><bdi>T</bdi></figcaption>'
         '<div class="wide"><svg role="img" aria-label="T" width="10" height="20" '
         'viewBox="0 0 10 20"><circle class="mark" cx="1" cy="2" r="4"><title>w'
         "</title></circle></svg></div></figure>"),
        ("kindsPictures({pictures: []})", ""), ("kindsWords({kinds: ''})", ""),
        ("kindsWords({kinds: 'two'})", '<p class="kinds"><bdi>two</bdi></p>'),
        ("(() => { const box = kindsPictures({pictures: [{title: 'T', width: 1, height"
         ": 1, shapes: []}]}); const said = [box.open, box.lastChild.childElementCount];"
         " box.open = true; box.dispatchEvent(new Event('toggle')); box.dispatchEvent("
         "new Event('toggle')); said.push(box.lastChild.childElementCount); return "
         "said; })()", [False, 0, 1])])


# ---- overview.js -------------------------------------------------------------

def test_sentences(driver):
    def said(metrics):
        return f"stalledWords(metricsOf([{metrics}]))"

    def slots(metrics):
        return f"slotWords(metricsOf([{metrics}]))"

    check(driver, "a sentence says how cycles go, by the largest cause", [
        (said("['CYCLES', 1000], ['STALLED', 300], ['MEM_IMPACT_PCT', 20], "
              "['DIV_IMPACT_PCT', 8, {about: '... divided'}]"),
         "30.0 % of its cycles stalled, 20.0 % by MEM_IMPACT_PCT (mem_impact_pct)"),
        (said("['CYCLES', 1000], ['STALLED', 300], ['MEM_IMPACT_PCT', 4], "
              "['DIV_IMPACT_PCT', 8, {about: '... divided'}]"),
         "30.0 % of its cycles stalled, 8.0 % by DIV_IMPACT_PCT (divided)"),
        (said("['CYCLES', 1000], ['STALLED', 300], ['MEM_IMPACT_PCT', 4.9]"),
         "30.0 % of its cycles stalled"),
        (said("['CYCLES', 1000], ['STALLED', 300], ['MEM_IMPACT_PCT', 5, {about: ''}]"),
         "30.0 % of its cycles stalled, 5.0 % by MEM_IMPACT_PCT"),
        (said("['CYCLES', 1000], ['STALLED', 300]"), "30.0 % of its cycles stalled"),
        (said("['CYCLES', 0], ['STALLED', 0]"), ""), (said("['CYCLES', 10]"), ""),
        (said("['CYCLES', 1000], ['STALLED', 300, part(0)], ['WAIT', 50, part(0)], "
              "['LESS', 49, part(0)], ['BUSY', 100, part(0)], ['CYCLES_RETIRING', 100, "
              "part(0)], ['RUNNING', 100, part(0)], ['QUEUE_FILLED', 100, part(0)]"),
         "30.0 % of its cycles stalled, 5.0 % WAIT (wait)"),
        (said("['CYCLES', 1000], ['STALLED', 300, {}, {isPartial: true}]"),
         "~30.0 % of its cycles stalled"),
        (said("['CYCLES', 1000, {}, {isPartial: true}], ['STALLED', 300, {}, "
              "{isDoubtful: true, reason: 'short'}]"),
         "~30.0 % of its cycles stalled (? short)"),
        (said("['CYCLES', 1000], ['STALLED', 300], ['MEM_IMPACT_PCT', 20, {}, "
              "{isDoubtful: true, reason: 'r'}]"),
         "30.0 % of its cycles stalled, 20.0 % by MEM_IMPACT_PCT (mem_impact_pct) "
         "(? r)"),
        (said("['CYCLES', 100], ['STALLED', 300]"),
         f"? parts of its cycles add up to 300 %: {CONTRADICT}")])
    check(driver, "or which part of the issue slots is the largest", [
        (slots("['RETIRING_PCT', 20], ['BACKEND_PCT', 70], ['MEMORY_BOUND_PCT', 30], "
               "['CORE_BOUND_PCT', 40]"),
         "issue slots: BACKEND_PCT 70.0 %, CORE_BOUND_PCT 40.0 %"),
        (slots("['RETIRING_PCT', 80, {}, {isDoubtful: true, reason: 'r'}], "
               "['BACKEND_PCT', 20]"), "issue slots: RETIRING_PCT 80.0 % (? r)"),
        (slots("['RETIRING_PCT', 80], ['BACKEND_PCT', 30]"),
         f"? parts of its issue slots add up to 110 %: {CONTRADICT}"),
        (slots("['RETIRING_PCT', 80]"), ""),
        ("cycleWords(metricsOf([['CYCLES', 10], ['STALLED', 3], ['RETIRING_PCT', 80], "
         "['BACKEND_PCT', 20]]))", "30.0 % of its cycles stalled"),
        ("cycleWords(metricsOf([['RETIRING_PCT', 80], ['BACKEND_PCT', 20]]))",
         "issue slots: RETIRING_PCT 80.0 %"), ("doubtWords([NO_FIGURE])", "")])
    places = "opened.set('e7w', blockOf({task: [0, 3, 4], thread: [2, -1, -2]}))"
    uneven = ("unevenWords(surveyOf([{kind: 'exclusive', unit: 's', thread_imbalance: "
              "[%s], thread_max_at: [%s], thread_max: [8], thread_average: [5]}]), 0)")
    check(driver, "and whether threads are uneven", [
        (f"({places}, {uneven % (0.151, 0)})",
         "uneven: task 0 thread 2 took 8 s, all on average 5 s"),
        (uneven % (0.16, 1), "uneven: task 3 took 8 s, all on average 5 s"),
        (uneven % (0.15, 0), ""), (uneven % ("NaN", 0), ""),
        ("unevenWords(surveyOf([{kind: 'counter'}]), 0)", ""),
        ("[-3, -2, -1, 0, 7].map(threadName)",
         ["others together", "others together", "all", "0", "7"]),
        ("[placeName(7, 0), placeName(7, 2), placeName(7, NaN), placeName(99, 0)]",
         ["0.2", "4.others together", "", ""])])
    bad = ("badMetrics(surveyOf([{kind: 'exclusive', value: [2]}, {kind: 'inclusive', "
           "value: [%s]}, {name: 'M', about: 'what', bad: [1, 5], bad_values: %s, "
           "exclusive: [%s], worst: [9], figure: {verdict: '%s', judged: %s, "
           "ownReason: '%s'}}]), 0).map((m) => [m.name, m.about, m.isOwn, m.words])")
    check(driver, "what is bad is its own, or that of what is inside", [
        (bad % (2, 1, 4, "bad", 1, ""), [["M", "what", True, "M 9"]]),
        (bad % (2, 1, 4, "bad", 2, ""), [["M", "what", True, "M 9 at worst"]]),
        (bad % (3, 1, 6, "bad", 2, ""), [["M", "what", True, "M 6"]]),
        (bad % (3, 1, 5, "bad", 2, ""), [["M", "what", False, "M 9 at worst"]]),
        (bad % (3, 1, 6, "bad", 1, "short"), [["M", "what", False, "M 9"]]),
        (bad % (2, 0, 4, "bad", 1, ""), []), (bad % (2, 1, 4, "good", 1, ""), []),
        ("badValue({name: 'M', unit: ''}, NaN, true)", "M"),
        ("badWords('bad', [], '')", ""),
        ("badWords('bad', [{words: 'A 1', about: 'a'}, {words: 'B 2', about: 'b'}, "
         "{words: 'C 3', about: 'c'}], '')", "bad: A 1 (a), B 2, C 3"),
        ("badWords('bad', [{words: 'A 1', about: 'a'}, {words: 'B', about: ''}, "
         "{words: 'C', about: ''}, {words: 'D', about: ''}, {words: 'E', about: ''}], "
         "'this is a')", "bad: A 1, B, C and 2 more")])
    own = ("((m) => [m.value('A'), m.value('B'), m.figure('A').isPartial, "
           "m.figure('A').isDoubtful, m.figure('A').reason])(ownMetrics(surveyOf([{name:"
           " 'A', value: [7], exclusive: [3], only_exclusive: [%s], figure: {isPartial: "
           "%s, isDoubtful: true, reason: 'all', ownReason: '%s'}}, {name: 'B', value: "
           "[5]}]), 0))")
    check(driver, "own values have doubts of their own", [
        (own % ("NaN", "true", "x"), [3, 5, True, True, "x"]),
        (own % ("0.5", "true", ""), [3, 5, False, False, ""]),
        (own % ("NaN", "false", ""), [3, 5, False, False, ""]),
        ("ownFigure(NO_FIGURE) === NO_FIGURE", True)])
    sentence = ("sentence(surveyOf([{name: 'CYCLES', exclusive: [%s], value: [10]}, "
                "{name: 'STALLED', exclusive: [3], value: [3]}]), 0, [{name: 'IPC', "
                "words: 'IPC 1', about: '', isOwn: true}, {name: 'Z', words: 'Z 2', "
                "about: '', isOwn: true}, {name: 'Y', words: 'Y 3', about: '', isOwn: "
                "false}])")
    check(driver, "what cycles tell is not told again", [
        (f"(samplesOf.set(7, null), {sentence % 10})",
         "30.0 % of its cycles stalled; bad: Z 2; with the sections inside it bad: "
         "Y 3"),
        (sentence % "NaN", "bad: IPC 1, Z 2; with the sections inside it bad: Y 3"),
        ("TOLD_BY_CYCLES", ["IPC", "CPI", "STALLED_PCT"])])


def test_overview(driver):
    rows = ("Array.from({length: 11}, (_, i) => ({label: 's' + i, share: i === 4 ? null"
            " : (i + 1) / 100, scope: i === 5 ? 1 : 0}))")
    survey = f"surveyOf([], {{rows: {rows}}})"
    check(driver, "the largest shares stand first, the others together", [
        (f"(samplesOf.set(7, null), texts(shareList({survey}, THREAD).children))",
         ["s1011.0 %", "s910.0 %", "s89.0 %", "s78.0 %", "s67.0 %", "s34.0 %",
          "s23.0 %", "s12.0 %", "1 more1.0 %"]),
        (f"Array.from(shareList({survey}, THREAD).querySelectorAll('.share-bar'), (e) "
         "=> parseFloat(e.style.width)).slice(0, 3)", [100.0, 1000 / 11, 900 / 11]),
        (f"texts(shareList({survey}, PROCESS).children)", ["s56.0 %"]),
        ("shareList(surveyOf([]), THREAD)", None),
        ("shareItem(surveyOf([{kind: 'exclusive', value: [1]}, {name: 'M', bad: [1, 5]"
         ", bad_values: 1, worst: [9], figure: {verdict: 'bad'}}]), {label: 'L', share"
         ": 0.25}, 0, 0.5)", '<li><button type="button" class="link"><bdi>L</bdi>'
         '</button><span class="share-track"><span class="share-bar" aria-hidden='
         '"true" style="width: 50%;"></span></span><span class="share-number">25.0 %'
         '</span><span class="verdict bad"><span aria-hidden="true" class="mark">!'
         '</span> bad</span><span class="about">bad: M 9</span></li>'),
        ("shareItem(surveyOf([]), {label: 'L', share: 0.25}, 0, 0.5)"
         ".lastChild", "<span></span>"),
        ("eachScope((scope) => scope === THREAD ? el('i') : null).map((e) => e && "
         "e.outerHTML)", [None, "<i></i>"]),
        ("eachScope((scope) => el('i', {id: scope})).map((e) => e.outerHTML)",
         ["<h3>Of whole processes</h3>", '<i id="1"></i>', "<h3>Of threads</h3>",
          '<i id="0"></i>'])])
    hint = ("{hint: 'M', value: 0.5, unit: '%%', where: %s, limit: %s, side: 'above', "
            "why: 'w', with: '%s', try: '%s', next: '%s'}")
    check(driver, "hints have all that is known", [
        (f"hintItem({hint % (js('here'), 0.25, 'A 1', 'less', 'x')})",
         '<li><p class="hint-head"><strong><bdi>M 0.500 %</bdi></strong> in <bdi>here'
         "</bdi> (bad: above 0.25)</p><p><bdi>w</bdi></p><p class=\"about\">With: "
         "<bdi>A 1</bdi></p><p><em>Try: </em><bdi>less</bdi></p><p class=\"about\">"
         "Measure next: <code><bdi>x</bdi></code></p></li>"),
        (f"hintItem({hint % ('null', 'null', '', '', '')})",
         '<li><p class="hint-head"><strong><bdi>M 0.500 %</bdi></strong></p><p><bdi>w'
         "</bdi></p></li>"),
        ("hintList([])", '<p class="about">No hint: no limit was crossed, or what '
         "crossed one ran too short for a hint.</p>"),
        *[(f"((e) => [Array.from(e.querySelectorAll('ol'), (l) => [l.start, "
           f"l.children.length]), texts(e.querySelectorAll('summary'))])(hintList("
           f"Array.from({{length: {n}}}, () => ({hint % ('null', 'null', '', '', '')}))"
           "))", wanted) for n, wanted in ((3, [[[1, 3]], []]),
                                           (5, [[[1, 3], [4, 2]], ["2 more"]]))]])
    whole = "{pmu: 'p', scope: '%s', values: []}"
    check(driver, "all of it has values, seconds and reasons", [
        ("((m) => [m.value('A'), m.value('B'), m.figure('A').state, m.figure('A')"
         ".isPartial, m.figure('B').reason, m.figure('B').isDoubtful, m.figure('C') === "
         "NO_FIGURE, m.figure('A').isThere])(overallMetrics({quantities: ['A', 'B', "
         "'C'].map((name) => ({name, kind: 'metric'}))}, {values: [[0, 5, 'shared', "
         "true, '', false], [1, null, 'lost', false, 'gone', true]]}))",
         [5, NAN, "shared", True, "gone", True, True, True]),
        *[(f"overallSeconds({{overall: [{{pmu: '{pmu}'}}], totals: [{{seconds: 3}}, "
           f"{{seconds: 4}}]}}, {whole % scope})", seconds)
          for pmu, scope, seconds in (("p", "process", 4), ("p", "thread", 3),
                                      ("o", "thread", NAN))],
        ("noCounters({notes: ['a', 'note: no hardware counters: none here']})",
         "n/a: no hardware counters: none here."),
        ("noCounters({notes: ['no hardware counters: x']})",
         "n/a: no hardware counters: x."),
        ("noCounters({notes: ['there are no hardware counters: x']})", "")])
    nothing = "{notes: [], suggestion: '%s'}"
    lack = "[metricsOf([['CYCLES', 5], ['STALLED', NaN, {}, {reason: '%s'}]])]"
    check(driver, "where cycles cannot be taken apart the page says why", [
        (f"noCycles({lack % 'lost'}, {nothing % ''}).textContent",
         "n/a: STALLED has no value for all together: lost. Sections may have one."),
        (f"noCycles({lack % 'lost'}, {nothing % 'use x'}).textContent",
         "n/a: use x (hpm report makes such a page)."),
        (f"noCycles({lack % ''}, {{notes: ['no hardware counters: x'], suggestion: ''}}"
         ").textContent", "n/a: no hardware counters: x."),
        (f"noCycles({lack % ''}, {nothing % ''}).textContent",
         "n/a: cycles and stalled cycles were not both counted. “hpm metrics” lists "
         "what this machine can count, “hpmcount -m CYCLES,STALLED_PCT” counts it.")])
    long = ", ".join(f"EVENT_NUMBER_{i}" for i in range(12))
    check(driver, "the head of the page is short", [
        ("headLine('on a\\u202e machine')",
         '<p class="fact"><bdi>on a\\x202E machine</bdi></p>'),
        ("headLine('and 3 more in CSV and JSON').textContent", "and 3 more below"),
        ("headLine(\"9 samples ('hpm report --by symbol' says where)\").textContent",
         "9 samples (see “Where its samples are”)"),
        (f"((e) => [e.tagName, e.className, texts(e.children)])(headLine('counted: "
         f"{long}'))", ["DETAILS", "fact", ["12 events counted", long]]),
        ("headLine('counted: A, B').tagName", "P"),
        (f"headLine('counted: ' + 'x'.repeat(151)).tagName", "P"),
        (f"headLine('counted: ' + 'x'.repeat(152)).tagName", "DETAILS")])


# ---- roofline.js -------------------------------------------------------------

def test_roofline(driver):
    roof = ("roofWords(metricsOf([['ROOF_PCT', 40], ['ARITHMETIC_INTENSITY', %s], "
            "['MEM_ROOF', %s], ['FLOP_ROOF', 20]]))")
    check(driver, "roofs and ticks are found", [
        (roof % (2, 9), "40.0 % of the roof of memory"),
        (roof % (2, 10), "40.0 % of the roof of calculation"),
        (roof % (2, "NaN"), ""),
        ("ticks(0.9, 25)", [1, 2, 5, 10, 20]), ("ticks(1, 10)", [1, 2, 5, 10]),
        ("ticks(1, 499)", [1, 2, 5, 10, 20, 50, 100, 200]),
        ("ticks(1, 500)", [1, 10, 100]), ("ticks(0.02, 0.3)", [0.02, 0.05, 0.1, 0.2])])
    points = "[{intensity: 1, reached: 3}, {intensity: 16, reached: 12}]"
    check(driver, "scales are logarithmic, with room around", [
        (f"((s) => [s.ends.x, s.ends.y, s.x(s.ends.x[0]), s.x(s.ends.x[1]), "
         f"s.y(s.ends.y[0]), s.y(s.ends.y[1]), s.x(Math.sqrt(s.ends.x[0] * s.ends.x[1]"
         f"))])(scales({points}, 24, 6))",
         [[1 / 3, 96], [1, 48], 60, 704, 296, 12, 382]),
        (f"((s) => [s.ends.x[0], s.ends.x[1]])(scales([{{intensity: 8, reached: 3}}], "
         "24, 6))", [4 / 3, 48])])
    point = ("rooflinePoint({intensity: %s, reached: 5, share: 0.25, label: 'L\\u202e'}"
             ", {x: (v) => v, y: (v) => 2 * v}, %s).map((e) => e.outerHTML)")
    circle = ('<circle class="point" cx="{}" cy="10" r="8"><title>L\\x202E</title>'
              "</circle>")
    check(driver, "points have names as long as there are few", [
        (point % (100, 7), [circle.format(100), '<text class="name" x="112" y="14" '
                            'text-anchor="start">L\\x202E</text>']),
        (point % (580, 7), [circle.format(580), '<text class="name" x="592" y="14" '
                            'text-anchor="start">L\\x202E</text>']),
        (point % (581, 0), [circle.format(581), '<text class="name" x="569" y="14" '
                            'text-anchor="end">L\\x202E</text>']),
        (point % (100, 8), [circle.format(100)])])
    plot = ("rooflinePlot([%s].map(([intensity, reached, share, flops, bytes], i) => "
            "({intensity, reached, share, flops, bytes, part: 50, label: 'p' + i})))")
    check(driver, "the roof is that of the most processors", [
        (f"((e) => ['viewBox', 'role', 'aria-label'].map((n) => e.getAttribute(n)))("
         f"{plot % '[1, 3, 0.5, 24, 6], [16, 12, 0.1, 12, 3]'})",
         ["0 0 720 340", "img", "2 sections below the roofs: p0 at 50.0 %, p1 at "
          "50.0 %; the table has all"]),
        (f"((e, s) => e.querySelector('.roof').getAttribute('points') === [[1 / 3, 2], "
         "[4, 24], [96, 24]].map(([x, y]) => s.x(x) + ',' + s.y(y)).join(' '))(" + plot
         % "[1, 3, 0.5, 24, 6], [16, 12, 0.1, 12, 3]" + f", scales({points}, 24, 6))",
         True),
        (f"texts(({plot % '[1, 3, 0.5, 24, 6], [16, 12, 0.1, 12, 3]'}).querySelectorAll"
         "('circle'))", ["p1", "p0"]),
        (f"(({plot % '[2, 90, 0.5, 100, 1]'}).querySelector('.roof').getAttribute("
         "'points').split(' ')[0].split(',')[1])", "296"),
        (f"((e) => [e.querySelectorAll('line.grid').length, texts(e.querySelectorAll("
         "'text:not(.name)')).slice(-2)])(" + plot %
         "[1, 3, 0.5, 24, 6], [16, 12, 0.1, 12, 3]" + ")",
         [12, ["operations per byte of memory", "10⁹ operations per second"]]),
        ("roofline(surveyOf([]), '')", []),
        ("rooflinePoints(surveyOf([['ARITHMETIC_INTENSITY', 2, 2, 0, 2, 2], "
         "['ATTAINABLE', 8, 8, 8, 8, 8], ['ROOF_PCT', 50, 25, 50, 0, 50], ['FLOP_ROOF',"
         " 9, 9, 9, 9, NaN], ['MEM_ROOF', 4, 4, 4, 4, 4], ['AT_WORK', 1, 2, 1, 1, 1]]"
         ".map(([name, ...value]) => ({name, value})), {rows: [0.1, 0.2, 0.3, 0.4, 0.5]"
         ".map((share, i) => ({label: 'p' + i, share}))}))",
         [{"i": i, "label": f"p{i}", "share": share, "intensity": 2, "reached": reached,
           "attainable": 8, "part": part, "flops": 9, "bytes": 4, "atWork": at}
          for i, share, reached, part, at in ((1, 0.2, 2, 25, 2), (0, 0.1, 4, 50, 1))])])


# ---- run.js, samples.js ------------------------------------------------------

def test_run(driver):
    records = "[{name: 'b', n: 2, none: null}, {name: 'a', n: null, none: ''}]"
    check(driver, "records are tables of what they have", [
        (f"((b) => [b.querySelector('h3').textContent, texts(b.querySelectorAll('th'))"
         ", b.querySelector('caption').textContent, texts(b.querySelectorAll('td'))])("
         f"recordTable('Tasks', {records}, ['name', 'n', 'none'], 'A: '))",
         ["Tasks", ["name", "n", "b", "a"], "A: Tasks", ["2", "n/a"]]),
        ("texts(recordTable('T', [{a_b: 1}, {a_b: 2}], ['a_b'], '').querySelectorAll("
         "'th'))", ["a b", "1", "2"]),
        ("recordText({inside: 1e-6}, 'inside', 's')", "1 µs"),
        ("recordText({around_most: 700}, 'around_most', 'ns')", "700 ns"),
        ("[recordText({inside: 7}, 'inside', ''), recordText({calls: 7}, 'calls', 's')]",
         [7, 7]),
        ("distinctCounters([{task: 0, name: 'A'}, {task: 1, name: 'A'}, {task: null, "
         "name: 'B'}, {task: 1, name: 'C'}])",
         [{"name": "A", "tasks": 2}, {"name": "B", "tasks": 0},
          {"name": "C", "tasks": 1}])])
    costs = ", ".join(
        f"{{quantity: '{q}', scope: '{scope}', around: {around}, inside: {inside}, "
        f"around_median: {around}, around_most: {2 * around}}}"
        for q, scope, around, inside in (
            ("IncSec", "thread", 1e-6, 1e-7), ("IncSec", "thread", 2e-6, 5e-8),
            ("IncSec", "process", 0, 5), ("PM_CYC", "process", 70, 7)))
    check(driver, "what measuring costs is said of the dearest", [
        (f"costWords({{calibrations: [{costs}]}})",
         ["To measure a call of a section of a thread costs 2 µs, of which 100 ns fall "
          "inside it (the least of the calibration; its median 2 µs, its most 4 µs)."]),
        ("costUnit({quantities: [{name: 'A', unit: 'ns'}]})({quantity: 'A'})", "ns"),
        ("costUnit({quantities: []})({quantity: 'A'})", "")])


def test_samples(driver):
    part = ("{event: 'cpu', row: 0, taken: %s, lost: %s, more: %s, functions: [{name: "
            "'f', module: 'm.so', n: 45, low: 0.3, high: 0.6, lines: [['a.c:1', 20], "
            "['a.c:2', 10]], more: 0}, {name: '(no name)', module: 'm.so', n: 30, low: "
            "0.2, high: 0.4, lines: [], more: 0}, {name: 'g', module: '', n: 9, low: "
            "0.05, high: 0.2, lines: [], more: 0}, {name: 'h', module: 'x', n: 3, low: "
            "null, high: null, lines: [], more: 2}]}")
    row = ("texts(functionTable(" + part % (100, 0, 2) + ", 'T').querySelectorAll("
           "'tbody tr:nth-child(%s) > *')).map((t) => t.trim())")
    check(driver, "functions have samples, shares and lines", [
        (row % 1, ["f", "45", "45.0", "30.0 to 60.0", "m.so"]),
        (row % 4, ["h", "3", "n/a", "n/a", "x"]),
        (f"((e) => [e.querySelectorAll('button.link').length, e.querySelector('caption'"
         ").textContent, e.textContent.includes('and 2 functions with less')])("
         f"functionTable({part % (100, 0, 2)}, 'T'))", [1, "T: functions", True]),
        (f"functionTable({part % (100, 0, 0)}, 'T').textContent.includes('with less')",
         False),
        ("((box) => { showLines(box, 'N', {name: 'f', n: 40, more: 0, lines: [['a.c:1',"
         " 10], ['a.c:2', 20]]}); return [texts(box.querySelectorAll('tbody tr > *')), "
         "box.querySelector('h4').textContent, box.lastChild.textContent, "
         "box.querySelector('caption').textContent, document.getElementById('said')"
         ".textContent]; })(el('div'))",
         [["a.c:2", "20", "50.0", "a.c:1", "10", "25.0"], "Lines of f",
          "30 of 40 samples have a line.", "N: lines of f", "2 lines of f"]),
        ("((box) => { showLines(box, 'N', {name: 'f', n: 29, more: 3, lines: [['a.c:1',"
         " 10]]}); return [texts(box.querySelectorAll('tbody tr > *')), "
         "box.lastChild.textContent]; })(el('div'))",
         [["a.c:1", "10", "n/a"], "and 3 lines with less"]),
        ("((box) => { showLines(box, 'N', {name: 'f', n: 30, more: 0, lines: [['a.c:1',"
         " 15]]}); return texts(box.querySelectorAll('tbody tr > *')); })(el('div'))",
         ["a.c:1", "15", "50.0"]),
        ("shareColumns({taken: 50, functions: [{n: 25, low: 0.4, high: 0.6}, {n: 1, "
         "low: null, high: null}]}).map((c) => [c.number(0), c.number(1), c.csv(0), "
         "c.csv(1), c.title, c.unit])",
         [[0.5, NAN, 50, "", "share", "%"],
          [0.4, NAN, [40.0, 60.0], ["", ""], "interval", "%"]])])
    data = f"{{parts: [{part % (100, 0, 0)}, {part % (20, 5, 0)}]}}"
    check(driver, "and a section says where most of its samples are", [
        (f"samplesWords({part % (1000, 0, 0)})", "1,000 samples"),
        (f"samplesWords({part % (1000, 2000, 0)})", "1,000 samples, 2,000 lost"),
        (f"(samplesOf.set(7, {data}), sampledWords(surveyOf([]), 0))",
         "samples of cpu: 45.0 % in f (m.so), 30.0 % in m.so, without a name"),
        ("sampledWords(surveyOf([]), 1)", ""),
        ("sampledWords(surveyOf([], {what: 'p'}), 0)", ""),
        ("functionWords({name: 'g', module: '', n: 1}, 3)", "33.3 % in g"),
        ("['x', 'xx'].map((c) => functionWords({name: c + 'y'.repeat(59), module: '', "
         "n: 1}, 3))", [f"33.3 % in x{'y' * 59}", f"33.3 % in xx{'y' * 57}…"]),
        ("((d) => [partTitle(d, d.parts[1], 'N'), partTitle({parts: [d.parts[0]]}, "
         "d.parts[0], 'N')])(samplesOf.get(7))",
         ["N, samples of cpu (2 of 2)", "N, samples of cpu"]),
        ("samplesPart(surveyOf([]), 0, 'A: ').filter((e) => e.tagName !== 'DIV').map("
         "(e) => e.textContent)",
         ["Samples of cpu", "100 samples while this section was innermost.",
          "Samples of cpu", "20 samples, 5 lost while this section was innermost."]),
        ("samplesPart(surveyOf([], {what: 'p'}), 0, '').length", 0),
        ("(samplesOf.set(7, {parts: [{...samplesOf.get(7).parts[0], functions: [{name: "
         "'a', module: '', n: 9, low: 0, high: 1}, {name: 'b', module: '', n: 10, low: "
         "0, high: 1}, {name: 'c', module: '', n: 40, low: null}]}]}), sampledWords("
         "surveyOf([]), 0))", "samples of cpu: 10.0 % in b")])


# ---- section.js, sections.js --------------------------------------------------

def test_section(driver):
    check(driver, "limits, places and quartiles are found", [
        ("limitWords({bad: [1, 5], good: [-1, 2]})", "bad above 5, good below 2"),
        ("limitWords({bad: [-1, 0.25]})", "bad below 0.25"), ("limitWords({})", ""),
        ("howCell({state: 'counted', reason: ''})", "counted"),
        ("howCell({state: 'lost', reason: 'gone'})", "lost; gone"),
        *[(f"quartile([{numbers}], {part})", wanted) for numbers, part, wanted in (
            ("1, 2, 3, 4, 5", 0.25, 2), ("1, 2, 3, 4", 0.25, 1.75),
            ("1, 2, 3, 4", 0.75, 3.25), ("1, 3", 0.5, 2), ("7", 0.75, 7))],
        ("amountWords({share: 0.5, threads: 1, tasks: 2})",
         "50.0 % of the time of the run, 1 thread in 2 tasks"),
        ("amountWords({share: 0.5, threads: 2, tasks: 1}, true)",
         "2 threads in 1 task"),
        ("amountWords({share: null, threads: 2, tasks: 1})", "2 threads in 1 task")])
    spread = ("((f) => [Array.from(f.querySelectorAll('rect'), (r) => ['x', 'y', "
              "'width', 'height'].map((n) => Number(r.getAttribute(n)))).filter((r) => "
              "r[3] > 0), texts(f.querySelectorAll('title')).slice(0, 2), "
              "f.querySelector('figcaption').textContent])(histogram({unit: 's'}, [%s],"
              " (i) => 'p' + i, '%s'))")
    check(driver, "a histogram has bars where values are", [
        (spread % ("1, NaN, 2, 2, 2", "; more"),
         [[[1, 68, 8, 32], [391, 4, 8, 96]], ["1 thread", "0 threads"],
          "4 threads: least 1 s at p0, quarter 1.75 s, median 2 s, three quarters 2 s,"
          " most 2 s at p2 (task.thread); more"]),
        (spread % ("3, 3", ""),
         [[[1, 4, 8, 96]], ["2 threads", "0 threads"],
          "2 threads: least 3 s at p0, quarter 3 s, median 3 s, three quarters 3 s, "
          "most 3 s at p0 (task.thread)"]),
        (spread % ("0, 1, 0.5, 0.0249, 0.025", "") + "[0]",
         [[1, 4, 8, 96], [11, 52, 8, 48], [201, 52, 8, 48], [391, 52, 8, 48]]),
        ("histogram({unit: 's'}, [1, NaN], String, '; x').textContent",
         "one thread: nothing is spread; x.")])
    block = ("blockOf({'value 0': [5, NaN], 'code 0': [1 + 16 + 64, NaN], 'share 0': "
             "[0.5, NaN], 'interval 0': [0.1, NaN], 'reason 0': [1, NaN], texts: ['x', "
             "'why'], 'code 1': [4, NaN]})")
    check(driver, "a thread has figures, or none", [
        (f"((f) => [f.isThere, f.value, f.state, f.verdict, f.isPartial, f.share, "
         "f.interval, f.reason, f.digits, f.windows, f.judged, f.bad])(threadFigure("
         f"{block}, 0, 0))",
         [True, 5, "shared", "bad", True, 0.5, 0.1, "why", "5", NAN, 1, 1]),
        (f"threadFigure({block}, 0, 1) === NO_FIGURE", True),
        (f"((f) => [f.isThere, f.value, f.state, f.reason])(threadFigure({block}, 1, 0)"
         ")", [True, NAN, "lost", ""]),
        ("threadsPart(surveyOf([], {what: 'p'}), 0, '').textContent",
         "Single threads are in the flat view."),
        ("threadsPart(surveyOf([]), 0, '').textContent",
         "n/a: values of single threads were left out to keep this page small; “hpm "
         "report --by thread” prints them."),
        *[(f"timeOf(surveyOf([{{kind: 'inclusive', unit: '{unit}', thread_average: [4],"
           f" threads: [3]}}], {{rows: [{{scope: {scope}}}]}}), 0)",
           {"scope": name, "total": total}) for unit, scope, name, total in (
               ("s", 0, "thread", 12), ("ns", 1, "process", 12e-9))],
        ("timeOf(surveyOf([{kind: 'exclusive'}]), 0)", None),
        *[(f"hasInner(surveyOf([{{kind: 'inclusive', value: [{whole}]}}, {{kind: "
           f"'exclusive', value: [{own}]}}]), 0)", has)
          for whole, own, has in ((2, 1, True), (2, 2, False), ("NaN", 1, False))],
        ("hasInner(surveyOf([]), 0)", False)])
    source = ("(page.sources['a.c'] = {from: 5, lines: ['five', 'six', 'seven', "
              "'eight\\u202e', 'nine', 'ten', 'eleven', 'twelve']}, Array.from("
              "sourcePart({file: 'a.c', line: %s, end: %s}).querySelectorAll('.line'), "
              "(e) => [e.className, e.textContent]))")

    def lines(inside, first, *words):
        return [["line inside" if n in inside else "line", f"{n:5d}  {w}\n"]
                for n, w in enumerate(words, first)]

    check(driver, "of the source there is the section, and three lines around", [
        (source % (9, 9), lines([9], 6, "six", "seven", "eight\\x202E", "nine", "ten",
                                "eleven", "twelve")),
        (source % (6, 8), lines([6, 7, 8], 5, "five", "six", "seven", "eight\\x202E",
                                "nine", "ten", "eleven")),
        (source % (12, 0), lines([], 9, "nine", "ten", "eleven", "twelve")),
        ("sourcePart({file: 'b.c', line: 1, end: 1})", "")])


def test_sections(driver):
    cell = ("figureCell({unit: '', bad: [1, 5]}, {isThere: true, state: 'counted', "
            "reason: '', verdict: '', judged: 1, bad: 1, worst: 9, value: 7, "
            "isPartial: false, isDoubtful: false, digits: '7', %s})")
    check(driver, "a cell has its value with what is to be said of it", [
        (cell % "bad: 1", "<span>7</span>"),
        (cell % "isThere: false", '<span class="na" title="not counted here">n/a'
         "</span>"),
        (cell % "value: NaN, state: 'lost'", '<span class="na" title="lost">n/a</span>'),
        (cell % "value: NaN, state: 'brief', reason: 'r'",
         '<span class="na" title="r">too short</span>'),
        (cell % "value: NaN, state: 'lost', verdict: 'good'", "<span><span class="
         '"verdict good"><span aria-hidden="true" class="mark">+</span> good</span> '
         '<span class="na" title="lost">n/a</span></span>'),
        (cell % "state: 'shared', share: 0.5, windows: 4, interval: 0.7, isPartial: "
         "true, reason: 'r'", '<span title="shared 50 % in 4 windows, partial: r">~7'
         '<span class="reach"> ±10.0 %</span></span>'),
        (cell % "verdict: 'bad', judged: 3, bad: 2", "<span><span class=\"verdict bad"
         '"><span aria-hidden="true" class="mark">!</span> bad 2 of 3</span> 7</span>'),
        (cell % "verdict: 'bad', judged: 3, bad: 2, value: 5, digits: '5'",
         '<span><span class="verdict bad"><span aria-hidden="true" class="mark">!'
         "</span> bad 2 of 3, worst 9</span> 5</span>"),
        (cell % "verdict: 'bad', judged: 1", '<span><span class="verdict bad"><span '
         'aria-hidden="true" class="mark">!</span> bad</span> 7</span>'),
        (cell % "isDoubtful: true, reason: 'r'", '<span title="r"><span class="verdict '
         'doubt" title="r"><span aria-hidden="true" class="mark">?</span> no verdict'
         "</span> 7</span>"),
        ("worstWords({judged: 3, worst: 9, value: 1}, {unit: ''})", ""),
        ("worstWords({judged: 3, worst: NaN, value: 1}, {unit: '', bad: [1, 5]})", ""),
        ("worstWords({judged: 1, worst: 9, value: 1}, {unit: '', bad: [1, 5]})", ""),
        ("worstWords({judged: 2, worst: 1, value: 9}, {unit: '', bad: [-1, 5]})",
         ", worst 1")])
    check(driver, "a number has the marks of what it is made of", [
        ("numberCell({unit: ''}, NaN)", '<span class="na">n/a</span>'),
        ("numberCell({unit: ''}, 1234)", "<span>1,234</span>"),
        ("numberCell({unit: ''}, 7, [{isThere: true, state: 'counted'}, {isThere: true,"
         " state: 'lost', isPartial: true}, {isThere: false, state: 'x'}], '8')",
         '<span title="lost, partial">~8</span>'),
        *[(f"whereOf({{outside: {outside}, file: '{file}', line: 3, end: {end}}})",
           words) for outside, file, end, words in (
               (0, "/a/b.c", 5, "b.c:3-5"), (0, "b.c", 3, "b.c:3"), (1, "b.c", 5, ""),
               (0, "", 5, ""))],
        ("FLAG_WORDS", [[1, "open"], [2, "short"], [4, "overlap"], [16, "only in A"],
                        [32, "only in B"]]),
        ("csvTitles({unit: 'ns'}, 'T')", ["T (ns)", "T state", "T verdict"]),
        ("[csvNumber(1.5), csvNumber(0), csvNumber(NaN)]", [1.5, 0, ""])])


def test_columns(driver):
    """On the page of known_files: 8 threads in 4 tasks."""
    own, whole, calls = "exclusive ExcSec s", "inclusive IncSec s", "calls Count "
    usual = ["share", "metric CYCLES cycles", "metric CPI ", "metric I_MARGIN %",
             "metric I_FACTOR ", own, "imbalance", whole, calls, "bad"]
    rows = {"sweep x": ["90.0", "36,000", "! bad 8 of 8 2.000", "87.306", "8.000",
                        "8.000000", "43.8", "8.000000", "80", "16"],
            "main": ["10.0", "36,080", "! bad 8 of 8 2.000", "87.500", "8.000",
                     "0.500000", "0.0", "8.500000", "8", "16"]}
    where = {"sweep x": "sweep x sweep.f:30-35", "main": "main sweep.f:1-6"}
    shown = ("Array.from(table.table.body.rows, (r) => [r.querySelector("
             "'.section-name').style.paddingInlineStart, ...texts(r.cells)])")
    check(driver, "a page of one run begins with its name", [
        ("[texts(document.querySelectorAll('h1')), texts(document.querySelectorAll("
         "'main > div > h2')), texts(document.querySelectorAll('main h2'))]",
         [["sweep"], [], ["Where the time goes", "Why", "Where cycles and time go",
                          "Sections", "How it was measured"]])])
    check(driver, "how it was measured has the tables that hold anything", [
        ("runFacts(page.experiments[0], 0).map((e) => [e.querySelector('h3').textContent,"
         " e.querySelectorAll('tbody tr').length])", [["Tasks", 4], ["Files", 4]])])
    check(driver, "columns are those that tell most", [
        ("(window.table = new SectionTable(), table.draw(), table.usual())", usual),
        ("table.columns().map((c) => c.key)", ["section", *usual]),
        ("table.choices().slice(0, 11).map((c) => c.title)",
         ["share", "share of sections", "imbalance", "threads", "tasks", "bad",
          "calls", "own time", "time", "PM_CYC", "PM_INST_CMPL"]),
        ("table.telling().map(keyOf)", ["metric IPC ", "metric CPI ",
                                        "counter PM_CYC ", "counter PM_INST_CMPL "]),
        ("table.firstSort()", {"key": own, "isUp": False}),
        (shown, [["", where[n], *rows[n]] for n in ("sweep x", "main")]),
        ("table.table.csv().split('\\r\\n')[1]",
         "sweep x,sweep.f,30,thread,90,36000,counted,,2,counted,bad,87.3059866962306,"
         "counted,,8,counted,,8,counted,,43.75,8,counted,,80,counted,,16"),
        ("table.table.csv().split(',').slice(0, 11)",
         ["section", "file", "line", "scope", "share (%)", "CYCLES (cycles)",
          "CYCLES state", "CYCLES verdict", "CPI", "CPI state", "CPI verdict"]),
        ("table.columns().slice(1).filter((c) => c.about).map((c) => [c.title, c.unit, "
         "c.about]).filter((c) => /time|share|bad|imb/.test(c[0]))",
         [["share", "%", "part of the time of all threads of the run"],
          ["own time", "s", "without the sections inside it (ExcSec)"],
          ["imbalance", "%", "of the time without the sections inside: (most - mean) / "
           "most of its threads"], ["time", "s", "with the sections inside it (IncSec)"],
          ["bad", "", "how many values of threads or processes are bad"]]),
        ("['section_share', 'threads', 'tasks'].map((k) => table.choices().find((c) => "
         "c.key === k).columns()[0]).map((c) => [c.unit, c.number(1), c.csv(1), "
         "c.cell(1)])", [["%", 90, 90, "90.0"], ["", 8, 8, "8"], ["", 4, 4, "4"]])])
    check(driver, "the tree has inner sections further in", [
        (f"(table.isTree = true, table.draw(), {shown})",
         [["0rem", where["main"], *rows["main"]],
          ["1.1rem", where["sweep x"], *rows["sweep x"]]]),
        ("table.firstSort()", {"key": whole, "isUp": False}),
        ("(table.search('sweep x'), [table.table.order, table.count.textContent, "
         "document.getElementById('said').textContent])",
         [[0, 1], "2 of 2", "2 of 2 sections"]),
        ("(table.search('no such'), [table.table.order, texts(table.table.body.rows)])",
         [[], ["no section has that in its name"]]),
        ("(table.search('SWEEP.F '), table.table.order)", [0, 1])])
    chosen = ("Array.from(table.chooserBox().querySelectorAll('input'), (i) => "
              "i.checked)")
    check(driver, "of threads the spread of own time is shown, or of what is chosen", [
        ("(window.threads = threadsPart(new Survey(0, 'q'), 1, 'A: '), [texts("
         "threads.querySelectorAll('option')).slice(0, 4), Array.from("
         "threads.querySelectorAll('option'), (o) => o.selected).indexOf(true), "
         "threads.querySelector('label').htmlFor, threads.querySelector('caption')"
         ".textContent])",
         [["calls", "own time", "time", "PM_CYC"], 1, "spread-of-0", "A: Threads"]),
        ("threads.querySelector('figcaption').textContent.slice(0, 30)",
         "8 threads: least 1 s at 0.0, q"),
        ("(() => { const s = threads.querySelector('select'); s.value = '3'; "
         "s.dispatchEvent(new Event('change')); return threads.querySelector("
         "'figcaption').textContent.slice(0, 32); })()",
         "8 threads: least 1 k at 0.0, qua"),
        ("Array.from(threads.querySelectorAll('tbody tr'), (r) => texts(r.cells)"
         ".slice(0, 6))",
         [[str(i // 2), str(i % 2), "10", f"{i + 1}.000000", f"{i + 1}.000000",
           f"{i + 1},000"] for i in range(8)]),
        ("threads.textContent.includes('this page has only')", False)])
    check(driver, "palettes are changed by their list", [
        ("(() => { const s = document.getElementById('choose-palette'); const said = []"
         "; for (const value of ['none', 'redgreen']) { s.value = value; "
         "s.dispatchEvent(new Event('change')); said.push(settings.get('palette'), "
         "document.documentElement.dataset.palette); } return said; })()",
         ["none", "none", None, "redgreen"])])
    check(driver, "others are chosen, and kept", [
        ("(settings.set('sort', '+share'), table.firstSort())",
         {"key": "share", "isUp": True}),
        ("(settings.delete('sort'), keep('columns', 'bad|share|none'), "
         "table.columns().map((c) => c.key))", ["section", "bad", "share"]),
        (chosen, []),
        ("(() => { window.box = table.chooserBox(); document.body.append(box); "
         "box.open = true; box.dispatchEvent(new Event('toggle')); return Array.from(box.querySelectorAll('label'), (l) => "
         "[l.textContent.trim(), l.firstChild.checked]).slice(0, 7); })()",
         [["share", True], ["share of sections", False], ["imbalance", False],
          ["threads", False], ["tasks", False], ["bad", True], ["calls", False]]),
        ("(box.querySelectorAll('input')[6].click(), [settings.get('columns'), "
         "table.table.columns.map((c) => c.key)])",
         [f"bad|share|none|{calls}", ["section", "bad", "share", calls]]),
        ("(box.querySelectorAll('input')[5].click(), settings.get('columns'))",
         f"share|none|{calls}"),
        ("(box.querySelectorAll('button')[2].click(), [settings.get('columns'), "
         "table.table.columns.length])", ["none", 1]),
        ("(box.querySelectorAll('button')[1].click(), table.table.columns.length)", 20),
        ("(box.querySelectorAll('button')[0].click(), [settings.get('columns'), "
         "table.table.columns.length])", [None, 11]),
        ("Array.from(box.querySelectorAll('input'), (i) => i.checked).slice(0, 4)",
         [True, False, True, False])])


def test_all():
    with folder() as where:
        downloads = os.path.join(where, "downloads")
        os.mkdir(downloads)
        known_files(where)
        out = os.path.join(where, "page.html")
        make(out, where)
        driver = browser(downloads)
        try:
            driver.get("file://" + opened(out))
            driver.execute_script(f"(0, eval)({js(MADE)})")
            for test in (test_cycles, test_layout, test_references, test_kinds,
                         test_sentences, test_overview, test_roofline, test_run,
                         test_samples, test_section, test_sections, test_columns):
                test(driver)
            equal([e["message"] for e in driver.get_log("browser")], [],
                  "the browser has no complaint")
        finally:
            driver.quit()


REASON = missing()
if REASON:
    tap.skip("what a page draws", REASON)
else:
    test_all()
tap.done()
