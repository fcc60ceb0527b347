#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The script of the HTML page, part by part: words and numbers, what is kept in
the address, packed data, tables, and runs side by side.  What is drawn is
tests/cli/htmldrawing.py."""

import base64
import json
import os
import random
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from browsers import browser, missing
from htmlpages import make
from htmlscripts import ask, check, opened
from reports import data, known_files, record, task_file, write
from tap import equal, folder, ok

NAN = "NaN"


def js(value):
    return json.dumps(value)


# ---- words.js ---------------------------------------------------------------

def test_words(driver):
    unseen = [0, 8, 10, 31, 127, 159, 0x61c, 0x200b, 0x200f, 0x2028, 0x202e,
              0x2060, 0x2069, 0xfeff]
    seen = [9, 32, 126, 160, 0x61b, 0x61d, 0x200a, 0x2010, 0x2027, 0x202f,
            0x205f, 0x206a, 0xfefe]
    check(driver, "what cannot be seen is spelled", [
        (f"visible({js('a' + chr(c) + 'b')})", f"a\\x{c:02X}b") for c in unseen] +
          [(f"visible({js(chr(c))})", chr(c)) for c in seen] +
          [(r"visible('a\\\\\\\\b\\\\c')", "a\\\\b\\c"), ("visible(7)", "7")])
    check(driver, "digits stand in groups of three", [
        (f"grouped('{a}')", b) for a, b in (
            ("1", "1"), ("123", "123"), ("1234", "1,234"), ("-1234", "-1,234"),
            ("1234567", "1,234,567"))])
    quantity = "{{kind: '{}', name: 'N', about: {}, unit: '{}'}}".format
    check(driver, "times and calls have names for people", [
        (f"titleOf({quantity(kind, 'null', 's')})", title) for kind, title in (
            ("exclusive", "own time"), ("inclusive", "time"), ("calls", "calls"),
            ("counter", "N"), ("metric", "N"))] + [
        (f"aboutOf({quantity(kind, about, '')})", words) for kind, about, words in (
            ("exclusive", "null", "without the sections inside it (ExcSec)"),
            ("inclusive", "''", "with the sections inside it (IncSec)"),
            ("calls", "null", "how often it began (Count)"),
            ("calls", "'said'", "said"), ("counter", "null", ""))] + [
        (f"shownUnit({quantity('counter', 'null', unit)})", shown)
        for unit, shown in (("s", "s"), ("ns", "s"), ("%", "%"), ("", ""))])
    check(driver, "numbers have the decimals of the report", [
        (f"shownNumber({{unit: '{unit}', ratio: {ratio}}}, {value}{more})", shown)
        for unit, ratio, value, more, shown in (
            ("s", "false", "1.5", "", "1.500000"),
            ("ns", "false", "1.5e9", "", "1.500000"),
            ("ns", "false", "1", "", "0.000000"),
            ("", "false", "null", "", ""), ("", "false", "NaN", "", ""),
            ("", "false", "1234567", "", "1,234,567"),
            ("", "false", "-1234", "", "-1,234"),
            ("", "false", "1e18", "", "1,000,000,000,000,000,000"),
            ("", "false", "9007199254740992", ", '9007199254740993'",
             "9,007,199,254,740,993"),
            ("", "false", "1e19", "", "10000000000000000000"),
            ("", "false", "0.5", "", "0.500"), ("", "true", "2", "", "2.000"),
            ("", "true", "1e15", "", "1000000000000000"),
            ("", "true", "999999999999999", "", "999999999999999.000"),
            ("", "true", "-2.0004", "", "-2.000"))])
    check(driver, "percentages and short numbers are rounded", [
        ("percent(0.12345)", "12.3"), ("percent(0.5, 0)", "50"),
        ("percent(NaN)", ""), ("percent(Infinity)", ""), *[
            (f"short({value})", shown) for value, shown in (
                ("0", "0"), ("Infinity", "Infinity"), ("12.34e9", "12.3 G"),
                ("1e12", "1 T"), ("5e15", "5000 T"), ("999", "999"),
                ("1000", "1 k"), ("1", "1"), ("1e6", "1 M"), ("0.5", "500 m"),
                ("0.001", "1 m"), ("3.04e-4", "304 µ"), ("1e-6", "1 µ"),
                ("1e-9", "1 n"), ("1e-12", "0.001 n"), ("-2500", "-2.5 k"))],
        ("plain(1 / 3)", "0.333333"), ("plain(12345678)", "12345700"),
        ("plain(2)", "2"), *[
            (f"shortOf({{unit: '{unit}'}}, {value})", shown)
            for unit, value, shown in (
                ("%", "12.34", "12.3 %"), ("s", "0.0025", "2.5 ms"),
                ("s", "30", "30 s"), ("s", "2e-6", "2 µs"), ("s", "0", "0 s"),
                ("ns", "2.5e9", "2.5 s"), ("", "1e6", "1 M"))]])
    states = ["counted", "shared", "inferred", "recorded", "lost", "brief",
              "unscheduled", "unsupported", "undefined"]
    check(driver, "a code says state, verdict and doubts", [
        (f"decode({state + 16 * verdict + more})", {
            "state": states[state], "verdict": ["", "bad", "neutral", "good"][verdict],
            "isPartial": more & 64 != 0, "isDoubtful": more & 128 != 0})
        for state, verdict, more in ((0, 0, 0), (1, 1, 64), (2, 2, 128), (3, 3, 192),
                                     (4, 1, 0), (5, 2, 0), (6, 3, 0), (7, 0, 64),
                                     (8, 0, 128))] + [
        ("decode(NaN)", {"state": "counted", "verdict": "", "isPartial": False,
                         "isDoubtful": False})])
    check(driver, "figures say how they came about", [
        ("plural(1, 'thread')", "1 thread"), ("plural(2, 'thread')", "2 threads"),
        ("plural(0, 'thread')", "0 threads"), ("reach(200, 3)", "±1.5 %"),
        ("reach(-200, 3)", "±1.5 %"), ("reach(0, 3)", ""), ("reach(10, NaN)", ""),
        ("stateOf({isThere: false, state: 'x'})", ""),
        ("stateOf({isThere: true, state: 'shared', isPartial: true})",
         "shared partial"),
        ("stateOf({isThere: true, state: 'lost', isPartial: false})", "lost"),
        ("wordsOf({state: 'counted', share: 0.5, windows: 7})", ""),
        ("wordsOf({state: 'counted', isPartial: true})", "partial"),
        ("wordsOf({state: 'shared', share: 0.504, windows: 7, isPartial: true})",
         "shared 50 % in 7 windows, partial"),
        ("wordsOf({state: 'lost', share: NaN, windows: NaN})", "lost")])


# ---- settings.js, elements.js ------------------------------------------------

def test_settings(driver):
    check(driver, "words are joined and split again", [
        (r"joinWords(['a|b', 'c\\d', 'e'])", "a\\|b|c\\\\d|e"),
        (r"splitWords('a\\|b|c\\\\d|e')", ["a|b", "c\\d", "e"]),
        (r"splitWords(joinWords(['\n|\n', '\\\\', 'x']))", ["\n|\n", "\\\\", "x"]),
        ("splitWords('')", [])])
    check(driver, "the address keeps what is chosen, and loses what is not", [
        ("(keep('x', 'a b'), keep('y', 0), location.hash)", "#x=a+b&y=0"),
        ("(keep('x', ''), location.hash)", "#y=0"),
        ("(keep('y', undefined), location.hash)", ""),
        ("(keep('y', 'z'), keep('y', null), location.href.endsWith('.html'))", True)])
    check(driver, "palette and theme have what the page begins with", [
        ("(applyLook(), [document.documentElement.dataset.palette, "
         "document.documentElement.dataset.theme])", ["redgreen", "auto"]),
        ("Array.from(document.querySelectorAll('#choose-palette option, "
         "#choose-theme option'), (e) => [e.value, e.textContent, e.selected])",
         [["redgreen", "red / green", True], ["orangeblue", "orange / blue", False],
          ["none", "no colour", False], ["auto", "as the system", True],
          ["light", "light", False], ["dark", "dark", False]]),
        ("Array.from(document.querySelectorAll('.controls label'), (e) => "
         "[e.htmlFor, e.firstChild.textContent])",
         [["choose-palette", "Palette "], ["choose-theme", "Theme "]])])


def test_elements(driver):
    check(driver, "elements are made of attributes and children", [
        ("el('p', {class: 'a', hidden: true, id: 0, title: null, lang: false, "
         "dir: undefined}, 'x', ['y', null, ['z']], '', undefined, 0, "
         "el('b', null, '<'))",
         '<p class="a" hidden="" id="0">xyz0<b>&lt;</b></p>'),
        ("(() => { let n = 0; el('i', {onclick: () => n++}).click(); return n; })()",
         1),
        ("svg('g', {x: 1}, 'a').namespaceURI", "http://www.w3.org/2000/svg"),
        ("text('a\\u202e')", "<bdi>a\\x202E</bdi>"),
        ("empty(el('p', null, 'x'))", "<p></p>"),
        ("verdictChip('bad', ' 1 of 2')", '<span class="verdict bad"><span '
         'aria-hidden="true" class="mark">!</span> bad 1 of 2</span>'),
        ("verdictChip('good')", '<span class="verdict good"><span '
         'aria-hidden="true" class="mark">+</span> good</span>'),
        ("[verdictChip('neutral'), verdictChip('')]", [None, None]),
        ("doubtChip('why')", '<span class="verdict doubt" title="why"><span '
         'aria-hidden="true" class="mark">?</span> no verdict</span>'),
        ("doubtChip()", '<span class="verdict doubt"><span aria-hidden="true" '
         'class="mark">?</span> no verdict</span>')])
    check(driver, "cells of CSV are quoted, and are no formulas", [
        (f"csvCell({js(word)})", cell) for word, cell in (
            ("a", "a"), ("a,b", '"a,b"'), ('a"b', '"a""b"'), ("a\nb", '"a\nb"'),
            ("a\rb", '"a\rb"'), ("=1", "'=1"), ("+a", "'+a"), ("-5", "-5"),
            ("-x", "'-x"), ("@a", "'@a"), ("\ta", "'\ta"), ("\ra", "\"'\ra\""),
            (-2.5, "-2.5"), ("", ""))] + [
        ("csvTitle('N', 'ns')", "N (ns)"), ("csvTitle('N', '')", "N")])
    check(driver, "what is written is a file that is let go of later", [
        ("""(() => {
          const said = [], { createObjectURL, revokeObjectURL } = URL;
          const { click } = HTMLAnchorElement.prototype, later = setTimeout;
          URL.createObjectURL = (blob) => { said.push(blob.type, blob.size);
            return 'blob:x'; };
          URL.revokeObjectURL = (url) => said.push(url);
          HTMLAnchorElement.prototype.click = function () {
            said.push(this.href, this.download, this.isConnected); };
          window.setTimeout = (call, ms) => { said.push(ms); call(); };
          const before = document.body.childElementCount;
          download('a.csv', 'abc');
          said.push(document.body.childElementCount - before);
          Object.assign(URL, { createObjectURL, revokeObjectURL });
          HTMLAnchorElement.prototype.click = click;
          window.setTimeout = later;
          return said; })()""",
         ["text/csv;charset=utf-8", 3, "blob:x", "a.csv", True, 10000, "blob:x", 0]),
        ("(announce('hello'), document.getElementById('said').textContent)",
         "hello")])


# ---- inflate.js, blocks.js ---------------------------------------------------

def pack(raw, level=9, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, 15, 9, strategy)
    return packer.compress(raw) + packer.flush()


def repeats():
    """Repeats of every length that there is, from near and far."""
    chance = random.Random(20)
    raw = bytearray(chance.randbytes(33000))
    for length in range(3, 259):
        for far in (length, chance.randrange(1, 500), chance.randrange(500, 32768)):
            start = len(raw) - far
            for i in range(length):
                raw.append(raw[start + i])
            raw += chance.randbytes(2)
    return bytes(raw)


BYTES = """(() => {{
  const bytes = inflate(fromBase64('{}'));
  let words = '';
  for (let i = 0; i < bytes.length; i += 4096) {{
    words += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }}
  return btoa(words); }})()"""


def test_inflation(driver):
    chance = random.Random(7)
    text = b"".join(b"%d some words %d\n" % (i, i * i) for i in range(3000))
    cases = [(pack(raw, level, strategy), raw) for raw in (
        b"", b"a", bytes(100000), text, repeats(), chance.randbytes(70000),
        bytes(chance.choices(range(20), k=5000)))
             for level, strategy in ((0, zlib.Z_DEFAULT_STRATEGY),
                                     (9, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_FIXED),
                                     (1, zlib.Z_HUFFMAN_ONLY), (6, zlib.Z_RLE))]
    found = ask(driver, *[BYTES.format(base64.b64encode(packed).decode())
                          for packed, _ in cases])
    equal([i for i, (f, (_, raw)) in enumerate(zip(found, cases))
           if f != base64.b64encode(raw).decode()], [],
          "what zlib has packed, in any of its ways, is unpacked")
    whole = pack(text)

    def bits(*fields):
        """Of a block: pairs of a number and how many bits it has, the lowest
        first; codes are written from their highest bit on."""
        number = n = 0
        for value, length in fields:
            number |= value << n
            n += length
        return b"\x78\x9c" + number.to_bytes((n + 7) // 8 + 8, "little")

    def code(value, length):
        return int(f"{value:0{length}b}"[::-1], 2), length

    letter, length_3 = code(0x30 + ord("a"), 8), code(1, 7)
    damaged, early = ("throws: the data of this page are damaged",
                      "throws: the data of this page end too early")
    check(driver, "what is damaged is no data", [
        (BYTES.format(base64.b64encode(packed).decode()), said) for packed, said in (
            (b"\x78\x9c", early), (whole[:3], early),
            (bits((1, 1), (3, 2)), damaged),
            (bits((1, 1), (1, 2), letter, length_3, code(1, 5)), damaged),
            (bits((1, 1), (1, 2), letter, length_3, code(30, 5)), damaged),
            (bits((1, 1), (1, 2), length_3, code(0, 5)), damaged),
            (bits((1, 1), (1, 2), letter, length_3, code(0, 5), code(0, 7)),
             base64.b64encode(b"aaaa").decode()))])
    found = ask(driver, BYTES.format(base64.b64encode(whole[:len(whole) // 2])
                                     .decode()))[0]
    ok(found in (damaged, early), "nor is half of it", found)


def planes(numbers, size, kind="<q"):
    raw = [struct.pack(kind, n)[:size] for n in numbers]
    return [raw[i][j] for j in range(size) for i in range(len(raw))]


def test_blocks(driver):
    least, big = -2 ** 63, 2 ** 60 + 1

    def column(kind, bytes_of, n):
        return f"new Column('{kind}', Uint8Array.from({bytes_of}), {n})"

    def values(kind, numbers, size, form="<q"):
        made = column(kind, planes(numbers, size, form), len(numbers))
        return (f"(() => {{ const c = {made}; return [Array.from("
                f"{{length: {len(numbers)}}}, (_, i) => c.at(i)), Array.from("
                f"{{length: {len(numbers)}}}, (_, i) => c.digits(i))]; }})()")

    check(driver, "columns of every kind give their numbers, and none", [
        (values("b", [0, 7, 254, 255], 1), [[0, 7, 254, NAN],
                                            ["0", "7", "254", ""]]),
        (values("w", [1, 2 ** 32 - 2, 2 ** 32 - 1], 4),
         [[1, 2 ** 32 - 2, NAN], ["1", str(2 ** 32 - 2), ""]]),
        (values("d", [2 ** 40 + 3, 2 ** 48 - 2, 2 ** 48 - 1], 6),
         [[2 ** 40 + 3, 2 ** 48 - 2, NAN],
          [str(2 ** 40 + 3), str(2 ** 48 - 2), ""]]),
        (values("c", [-5, big, -big, 2 ** 53 - 1, 2 ** 53, 0, least], 8),
         [[-5, 2 ** 60, -2 ** 60, 2 ** 53 - 1, 2 ** 53, 0, NAN],
          ["-5", str(big), str(-big), str(2 ** 53 - 1), str(2 ** 53), "0", ""]]),
        (values("s", [1500000000, -250000000, least], 8),
         [[1.5, -0.25, NAN], ["1.5", "-0.25", ""]]),
        (values("f", [0.1, -1e300, float("nan")], 8, "<d"),
         [[0.1, -1e300, NAN], ["0.1", "-1e+300", ""]])])
    head = json.dumps({"n": 2, "columns": [["a" * 300, "b"], ["é", "w"]],
                       "texts": ["one", "two"]}, ensure_ascii=False).encode()
    raw = struct.pack("<I", len(head)) + head + bytes([3, 255]) + \
        bytes(planes([70000, 5], 4))
    driver.execute_script(
        "const s = document.createElement('script'); s.type = 'text/plain';"
        "s.id = 'e9q9'; s.textContent = arguments[0]; document.body.append(s)",
        base64.b64encode(pack(raw)).decode())
    check(driver, "a block has its columns and texts, and is unpacked once", [
        ("[openBlock('e9q9').n, openBlock('e9q9').texts]", [2, ["one", "two"]]),
        (f"[0, 1].map((i) => [openBlock('e9q9').at('{'a' * 300}', i), "
         "openBlock('e9q9').at('é', i), openBlock('e9q9').digits('é', i), "
         "openBlock('e9q9').at('x', i), openBlock('e9q9').digits('x', i)])",
         [[3, 70000, "70000", NAN, ""], [NAN, 5, "5", NAN, ""]]),
        ("openBlock('e9q9') === openBlock('e9q9')", True),
        ("[openBlock('e9q8'), openBlock('e9q8'), unpack('e9q8'), unpackJson('e9q8')]",
         [None] * 4)])


# ---- table.js ----------------------------------------------------------------

TABLE = """
var asked = 0, sorts = [];
var made = (n, more) => new Table({ n, caption: 'C', columns: [
  { key: 'name', title: 'name', isText: true, string: (i) => 'rst'[i % 3],
    csv: (i) => 'rst'[i % 3], cell: (i) => 'cell ' + i, about: 'what' },
  { key: 'size', title: 'size', unit: 'kB\\u202e',
    number: (i) => (asked++, i % 4 === 3 ? NaN : i % 4), csv: (i) => i,
    cell: (i) => String(i) },
  { key: 'two', title: 'two', number: (i) => -i, csv: (i) => [i, 'x,y'],
    csvTitles: () => ['a', 'b'], cell: () => '' }], ...more });
var rows = (t) => Array.from(t.body.rows, (r) => r.textContent);
var shown = (t) => [t.order, Array.from(t.head.querySelectorAll('th'),
  (e) => e.getAttribute('aria-sort'))];
var drawn = (t) => Array.from(t.body.rows, (r) => r.className === 'space'
  ? Math.round(parseFloat(r.cells[0].style.height))
  : Number(r.getAttribute('aria-rowindex')));
"""


def test_table(driver):
    driver.execute_script(f"(0, eval)({js(TABLE)})")
    check(driver, "rows are sorted both ways, those without a value last", [
        ("(() => { var t = made(6); t.update(); return shown(t); })()",
         [[0, 1, 2, 3, 4, 5], [None] * 3]),
        ("(() => { window.t = made(6, {onsort: (s) => sorts.push({...s})}); "
         "t.sortBy(t.columns[1]); return shown(t); })()",
         [[2, 1, 5, 0, 4, 3], [None, "descending", None]]),
        ("document.getElementById('said').textContent",
         "sorted by size, largest first"),
        ("(t.sortBy(t.columns[1]), shown(t))",
         [[0, 4, 1, 5, 2, 3], [None, "ascending", None]]),
        ("document.getElementById('said').textContent",
         "sorted by size, smallest first"),
        ("(t.sortBy(t.columns[0]), shown(t))",
         [[0, 3, 1, 4, 2, 5], ["ascending", None, None]]),
        ("(t.sortBy(t.columns[0]), shown(t))",
         [[2, 5, 1, 4, 0, 3], ["descending", None, None]]),
        ("asked", 6),
        ("sorts", [{"key": "size", "isUp": False}, {"key": "size", "isUp": True},
                   {"key": "name", "isUp": True}, {"key": "name", "isUp": False}]),
        ("(t.filter((i) => i > 2), t.order)", [5, 4, 3]),
        ("(t.filter(null), t.order)", [2, 5, 1, 4, 0, 3]),
        ("(t.setColumns(t.columns.slice(1)), shown(t))",
         [[0, 1, 2, 3, 4, 5], [None, None]]),
        ("(() => { var t = made(4, {sort: {key: 'size', isUp: false}}); "
         "t.sortBy(t.columns[0]); t.setColumns(t.columns.slice(1)); "
         "return [t.order, t.sort]; })()",
         [[2, 1, 0, 3], {"key": "size", "isUp": False}]),
        ("(() => { var t = made(4, {sort: {key: 'two', isUp: true}, arrange: "
         "(compare, wants) => [wants, [0, 1, 2].sort(compare)]}); t.update(); "
         "return t.order; })()", [None, [2, 1, 0]])])
    check(driver, "a table says what it is to whom cannot see it", [
        ("(() => { window.t = made(2, {className: 'k'}); t.update(); "
         "document.body.append(t.element); return [t.element.className, "
         "t.scroller.getAttribute('role'), t.scroller.tabIndex, "
         "t.scroller.getAttribute('aria-label'), t.table.className, "
         "t.table.caption.textContent, t.table.getAttribute('aria-rowcount')]; })()",
         ["table-box", "region", 0, "C table", "k", "C", "3"]),
        ("t.head.innerHTML", '<tr><th scope="col" class="text"><button type="button" '
         'title="what"><bdi>name</bdi><span class="arrow" aria-hidden="true"></span>'
         '</button></th><th scope="col" class="number"><button type="button">'
         '<bdi>size</bdi><span class="unit"> kB\\x202E</span><span class="arrow" '
         'aria-hidden="true"></span></button></th><th scope="col" class="number">'
         '<button type="button"><bdi>two</bdi><span class="arrow" '
         'aria-hidden="true"></span></button></th></tr>'),
        ("t.body.rows[1]", '<tr aria-rowindex="3"><th class="text" scope="row">cell '
         '1</th><td class="number">1</td><td class="number"></td></tr>'),
        ("(t.head.querySelectorAll('button')[1].click(), "
         "Array.from(t.head.querySelectorAll('.arrow'), (e) => e.textContent))",
         ["", " ▼", ""]),
        ("(t.head.querySelectorAll('button')[1].click(), "
         "Array.from(t.head.querySelectorAll('.arrow'), (e) => e.textContent))",
         ["", " ▲", ""]),
        ("document.activeElement.textContent", "size kB\\x202E ▲"),
        ("(() => { var t = made(0, {nothing: 'none'}); t.update(); return "
         "t.body.innerHTML; })()", '<tr><td colspan="3">none</td></tr>'),
        ("(() => { var t = made(0); t.update(); return rows(t); })()", ["no rows"])])
    check(driver, "it is written as CSV in the order in which it stands", [
        ("(t.sort = {key: 'name', isUp: false}, t.update(), t.csv())",
         'name,size (kB\u202e),a,b\r\ns,1,1,"x,y"\r\nr,0,0,"x,y"\r\n'),
        ("t.exportButton('n.csv')",
         '<button type="button" class="quiet">CSV</button>'),
        ("(() => { const { click } = HTMLAnchorElement.prototype; let name; "
         "HTMLAnchorElement.prototype.click = function () { name = this.download; };"
         " t.exportButton('n.csv').click(); HTMLAnchorElement.prototype.click = "
         "click; return [name, document.getElementById('said').textContent]; })()",
         ["n.csv", "2 rows written to n.csv"]), ("(t.element.remove(), 0)", 0)])
    check(driver, "of many rows those in view are drawn, all of them on paper", [
        ("(() => { window.t = made(300); document.body.append(t.element); t.update();"
         " return [t.body.rows.length, t.drawn]; })()", [300, [0, 300]]),
        ("(t.element.remove(), window.t = made(3000), t.scroller.style.height = "
         "'310px', document.body.append(t.element), t.update(), t.update(), "
         "t.height = 0, t.rowHeight() > 0)", True),
        ("(() => { t.rowHeight = () => 31; t.scroller.style.height = '310px'; "
         "t.update(); const n = Math.ceil(t.scroller.clientHeight / 31); return "
         "[t.drawn[0], t.drawn[1] - 2 * 12 - n, drawn(t)[0], drawn(t).length - "
         "t.drawn[1], drawn(t).pop() - 31 * (3000 - t.drawn[1])]; })()",
         [0, 0, 2, 1, 0]),
        ("(() => { Object.defineProperty(t.scroller, 'scrollTop', {value: 3100, "
         "configurable: true}); t.draw(); delete t.scroller.scrollTop; return "
         "[t.drawn[0], drawn(t).slice(0, 2)]; })()", [88, [88 * 31, 90]]),
        ("(() => { Object.defineProperty(t.scroller, 'scrollTop', {value: 3000 * 31 - "
         "310, configurable: true}); t.draw(); delete t.scroller.scrollTop; return "
         "[t.drawn[1], drawn(t).pop()]; })()", [3000, 3001]),
        ("(window.dispatchEvent(new Event('beforeprint')), [t.drawn, drawn(t)[0], "
         "t.body.rows.length])", [[0, 2000], 2, 2000]),
        ("(window.dispatchEvent(new Event('afterprint')), t.drawn[1] < 100)", True)])
    check(driver, "and others when it is scrolled to them, once a frame", [
        ("""(() => { const frames = [], later = window.requestAnimationFrame;
          window.requestAnimationFrame = (call) => frames.push(call);
          const few = made(300); few.update(); few.scrolled();
          const said = [frames.length];
          const at = (top) => { Object.defineProperty(t.scroller, 'scrollTop',
            { value: top, configurable: true }); };
          Object.defineProperty(t.scroller, 'clientHeight', { value: 310,
            configurable: true });
          at(0); t.draw(); said.push(t.drawn);
          at(24 * 31); t.scrolled(); t.scrolled(); said.push(frames.length);
          frames.pop()(); said.push(t.drawn, t.isWaiting);
          at(24 * 31 + 1); t.scrolled(); frames.pop()(); said.push(t.drawn);
          at(25 * 31); t.scrolled(); frames.pop()(); said.push(t.drawn);
          at(12 * 31); t.scrolled(); frames.pop()(); said.push(t.drawn);
          window.requestAnimationFrame = later; t.element.remove();
          return said; })()""",
         [0, [0, 34], 1, [0, 34], False, [0, 34], [13, 47], [0, 34]])])


# ---- compare.js --------------------------------------------------------------

BIG = 2 ** 60


def two_runs(where):
    """A section that both have, in other places; twins; one of each alone; one on
    two paths."""
    paths = []
    for name, shift, alone in (("a", 0, "gone"), ("b", 5, "new")):
        paths.append(os.path.join(where, name))
        os.mkdir(paths[-1])
        seconds = 2 + shift / 5
        write(paths[-1], "x.hpm.xml", task_file(0, [
            record(1, 0, 0, "only", seconds, seconds + 1, [
                data("PM_CYC", BIG + shift, exclusive=7), data("ONLY_" + name, 4)],
                   line=10 + shift, inst=1, file=f"/{name}/sweep.f"),
            record(2, 0, 0, "twin", 0.5, 0.5, [data("PM_CYC", 100 + shift)],
                   line=20 + shift, inst=2),
            record(3, 0, 0, "twin", 0.25, 0.25, [], line=30 + shift, inst=2),
            record(4, 0, 0, alone, 0.125, 0.125, [], line=40, inst=3),
            record(5, 0, 0, "deep", 1, 1, [], line=50, inst=4, parent=1)]))
    return paths


def lines_of(what):
    return (f"Object.fromEntries(comparison('{what}').lines.map((l) => [l.first.label "
            "+ l.first.line, [l.rows.map((r, s) => r < 0 ? r : comparison('" + what +
            "').surveys[s].rows[r].label), l.depth, l.parent < 0 ? l.parent : "
            f"comparison('{what}').lines[l.parent].first.label]]))")


def named(label, what="q"):
    return f"comparison('{what}').lines.findIndex((l) => l.first.label === '{label}')"


def test_two(driver):
    cyc = "comparison('q').quantity('PM_CYC', 'counter')"
    sides = f"new Sides(comparison('q'), {cyc})"
    check(driver, "sections of two runs are the same by all but their line", [
        (lines_of("q"), {
            "only10": [["only", "only"], 0, -1], "twin20": [["twin", "twin"], 0, -1],
            "twin30": [["twin", "twin"], 0, -1], "gone40": [["gone", -1], 0, -1],
            "new40": [[-1, "new"], 0, -1], "deep50": [["deep", "deep"], 0, -1]}),
        (lines_of("p"), {
            "only10": [["only", "only"], 0, -1], "twin20": [["twin", "twin"], 0, -1],
            "twin30": [["twin", "twin"], 0, -1], "gone40": [["gone", -1], 0, -1],
            "new40": [[-1, "new"], 0, -1], "deep50": [["deep", "deep"], 1, "only"]}),
        ("comparison('q') === comparison('q')", True),
        ("['q', 'p'].map((w) => comparison(w).what)", ["q", "p"]),
        ("[comparison('q').isSeveral, comparison('q').isDifference]", [True, False]),
        ("[0, 1].map(sideName)", ["A", "B"]),
        ("comparison('q').quantities.filter((q) => /^ONLY/.test(q.name)).map("
         "(q) => q.name)", ["ONLY_a", "ONLY_b"]),
        ("new Set(comparison('q').quantities.map(keyOf)).size === "
         "comparison('q').quantities.length", True),
        ("comparison('q').quantities.every((q) => q.sections > 0)", True),
        ("[comparison('q').quantity('PM_CYC', 'metric'), "
         "comparison('q').quantity('PM_CYC').kind, "
         "comparison('q').ofKind('exclusive').name]",
         ["undefined", "counter", "ExcSec"])])
    check(driver, "values of both, their difference and ratio keep all digits", [
        (f"((s, i) => [s.all, s.digits(i, 0), s.digits(i, 1), s.difference(i), "
         f"s.differenceDigits(i), s.ratio(i)])({sides}, {named('only')})",
         [[0, 1], str(BIG), str(BIG + 5), 0, "5", 1]),
        (f"((s, i) => [s.value(i, 0), s.value(i, 1), s.digits(i, 0), s.digits(i, 1), "
         f"s.difference(i), s.differenceDigits(i), s.ratio(i)])({sides}, "
         f"{named('twin')})", [100, 105, "100", "105", 5, "5", 1.05]),
        (f"((s, i) => [s.value(i, 0), s.value(i, 1), s.digits(i, 0), s.digits(i, 1), "
         f"s.difference(i), s.differenceDigits(i), s.ratio(i)])({sides}, "
         f"{named('gone')})", [NAN, NAN, "", "", NAN, "", NAN]),
        (f"comparison('q').values(comparison('q').ofKind('exclusive'), "
         f"{named('gone')})", [0.125, NAN]),
        (f"comparison('q').values(comparison('q').ofKind('exclusive'), "
         f"{named('new')})", [NAN, 0.125]),
        (f"comparison('q').figure(comparison('q').quantity('ONLY_b'), "
         f"{named('only')}, 0).isThere", False),
        (f"comparison('q').figure(comparison('q').quantity('ONLY_b'), "
         f"{named('only')}, 1).value", 4),
        (f"({sides}).ends({named('only')}).map((f) => f.digits)",
         [str(BIG), str(BIG + 5)]),
        ("[exactSum('9007199254740993', '1'), exactSum('5', '7', -1), "
         "exactSum('', '1'), exactSum('1', '1.5'), exactSum('-3', '-4')]",
         ["9007199254740994", "-2", "", "", "-7"])])


def test_changes(driver):
    item = ("((e) => [e.textContent, e.querySelector('.share-bar').style.width])("
            "changeItem(comparison('q'), [{first: {label: 'L'}}, 0, %s, %s], 3))")
    check(driver, "a page of two runs begins with both", [
        ("Array.from(document.querySelectorAll('h1, main > div > h2'), (e) => "
         "e.textContent.replace(/[^ ]*[/]/, ''))",
         ["2 runs side by side", "A: a", "B: b"]),
        ("Array.from(document.querySelectorAll('.panels h2, #cycles'), (e) => "
         "e.textContent)", ["What changed from A to B", "Where the time goes in A",
                            "Why in A", "Where cycles and time go in A"])])
    check(driver, "what changed says by how much, up or down", [
        ("changes(comparison('q'), THREAD).map(([line, i, from, to]) => "
         "[line.first.label, comparison('q').lines[i] === line, from, to])",
         [["only", True, 2, 3]]),
        ("changes(comparison('q'), PROCESS)", []),
        ("changeList(comparison('q'), PROCESS)", None),
        ("changeList(comparison('q'), THREAD).textContent", "only+1 s× 1.500"),
        (item % (2, 0.5), ["L−1.5 s× 0.250", "50%"]),
        (item % (0, 3), ["L+3 s", "100%"]),
        ("changePanel(comparison('q')).querySelector('h2').textContent",
         "What changed from A to B"),
        ("changedCycles({isDifference: true, surveys: []}, 0)", "")])


def test_difference(driver):
    cyc = "comparison('q').quantity('PM_CYC', 'counter')"
    sides = f"new Sides(comparison('q'), {cyc})"
    excl = "comparison('q').ofKind('exclusive')"
    check(driver, "of a difference both sides are there, to the last digit", [
        ("[comparison('q').isDifference, comparison('q').isSeveral]", [True, True]),
        ("[0, 1].map(sideName)", ["A", "B"]),
        (f"((s, i) => [s.all, s.digits(i, 0), s.digits(i, 1), s.difference(i), "
         f"s.differenceDigits(i)])({sides}, {named('only')})",
         [[0, 1], str(BIG), str(BIG + 5), 0, "5"]),
        (f"comparison('q').values({excl}, {named('only')})", [2.0, 3.0]),
        (f"comparison('q').values({excl}, {named('gone')})", [0.125, NAN]),
        (f"comparison('q').values({excl}, {named('new')})", [NAN, 0.125]),
        (f"((s) => [0, 1].map((n) => [s.digits({named('gone')}, n), "
         f"s.digits({named('new')}, n)]))({sides})", [["", ""], ["", ""]])])


def test_three(driver):
    check(driver, "of three runs there is a trend", [
        ("[0, 1, 2].map(sideName)", ["run 1", "run 2", "run 3"]),
        ("((s) => [s.all, s.value(0, 2), s.ratio(0)])(new Sides(comparison('q'), "
         "comparison('q').ofKind('exclusive')))", [[0, 1, 2], 3.0, 1.5])] + [
        (f"((e) => [Array.from(e.querySelectorAll('polyline'), (p) => "
         f"p.getAttribute('points')), e.textContent, e.className])(trend({values}))",
         wanted) for values, wanted in (
            ("[1, 3]", [["2,18 62,4"], " × 3.000", "trend"]),
            ("[1, 2, 3]", [["2,18 32,11 62,4"], " × 3.000", "trend"]),
            ("[2, 2]", [["2,18 62,18"], " × 1.000", "trend"]),
            ("[4, NaN, 1]", [["2,4", "62,18"], " × 0.250", "trend"]),
            ("[NaN, 1, 2]", [["", "32,18 62,4"], " n/a", "trend"]),
            ("[0, 1, 2]", [["2,18 32,11 62,4"], " n/a", "trend"]),
            ("[NaN, 1]", [[], "n/a", "na"]))] + [
        ("((s) => [s.getAttribute('width'), s.getAttribute('height'), "
         "s.getAttribute('aria-hidden')])(trend([1, 2]).querySelector('svg'))",
         ["64", "20", "true"])])


def test_one(driver):
    check(driver, "quantities and sections have their keys", [
        ("[keyOf({kind: 'recorded', name: 'A', unit: 's'}), "
         "keyOf({kind: 'counter', name: 'A', unit: ''})]",
         ["metric A s", "counter A "]),
        ("[scopeOf({scope: 0}), scopeOf({scope: 1})]", ["thread", "process"]),
        ("[baseOf('/a/b.c'), baseOf('b.c')]", ["b.c", "b.c"]),
        ("[comparison('q').isSeveral, sideName(0)]", [False, "A"]),
        ("FIELDS.map((name) => comparison('q').surveys[0].rows.find((r) => "
         "r.label === 'sweep x')[name])",
         ["sweep x", "sweep.f", 30, 35, 2, 0, 8, 4, 16, 0.9, 0.9, 0, 0, -1]),
        ("[new Survey(0, 'p').rows[1].parent, new Survey(0, 'p').quantities === "
         "page.experiments[0].path_quantities]", [0, True]),
        ("((s) => s.figure(s.names.get('counter PM_CYC '), s.rows.findIndex((r) => "
         "r.label === 'main')).digits)(new Survey(0, 'q'))", "36080"),
        ("new Survey(0, 'q').figure(99, 0).isThere", False)])


def test_all():
    with folder() as where:
        downloads = os.path.join(where, "downloads")
        os.mkdir(downloads)
        one = os.path.join(where, "one")
        os.mkdir(one)
        known_files(one)
        runs = two_runs(where)
        tap.run([tap.HPM, "diff", "-o", os.path.join(where, "diff.xml"), *runs])
        pages = [(["one"], [test_words, test_settings, test_elements,
                            test_inflation, test_blocks, test_table, test_one]),
                 (["--each", *runs], [test_two, test_changes]), (["diff.xml"], [test_difference]),
                 (["--each", runs[0], runs[0], runs[1]], [test_three])]
        driver = browser(downloads)
        try:
            for i, (words, tests) in enumerate(pages):
                out = os.path.join(where, f"{i}.html")
                make(out, *words, folder=where)
                driver.get("file://" + opened(out))
                for test in tests:
                    test(driver)
            equal([e["message"] for e in driver.get_log("browser")], [],
                  "the browser has no complaint")
        finally:
            driver.quit()


REASON = missing()
if REASON:
    tap.skip("the script of a page", REASON)
else:
    test_all()
tap.done()
