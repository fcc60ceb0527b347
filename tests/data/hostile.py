# SPDX-License-Identifier: BSD-3-Clause
"""Files nobody should have to read, each under a name that says what it is.

    python3 tests/data/hostile.py FOLDER      write them all there

good     read whole
noted    read, with something left out or set apart, which is said
cut      whole records before a place kept
refused  nothing of it used
"""

import bz2
import gzip
import itertools
import lzma
import os
import sys

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n'
ROOT = b'<HPMPerformanceFile version="1" complete="yes" kind="run">\n'
RUN = b'  <Run task="0" program="swim"/>\n'
DATA = (b'    <data name="Count" value="1" kind="counter"/>\n'
        b'    <data name="ExcSec" value="0.500000000" kind="time"/>\n'
        b'    <data name="IncSec" value="1.000000000" kind="time"/>\n')
END = b'  <End records="2"/>\n</HPMPerformanceFile>\n'


def record(attributes=b'', data=DATA, number=1, label=b'a'):
    if b' id=' not in attributes:
        attributes += b' id="%d"' % number
    if b' label=' not in attributes:
        attributes += b' label="%s"' % label
    if b' task=' not in attributes:
        attributes += b' task="0"'
    return (b'  <InstrumentationPt tid="0" file="a.c" linestart="%d"%s>\n' %
            (number, attributes) + data + b'  </InstrumentationPt>\n')


def whole(first=None, second=None, head=HEAD, root=ROOT, run=RUN, end=END):
    return (head + root + run + (record() if first is None else first) +
            (record(number=2) if second is None else second) + end)


def datum(attributes):
    """A file whose first record has one more value."""
    return whole(record(data=DATA + b'    <data ' + attributes + b'/>\n'))


def entities(kind):
    return HEAD + b'<!DOCTYPE x [' + kind + b']>\n' + whole(head=b'')


def nested_entities():
    lines = [b'<!ENTITY a0 "ha">']
    for i in range(1, 60):
        lines.append(b'<!ENTITY a%d "%s">' % (i, b'&a%d;' % (i - 1) * 10))
    return HEAD + b'<!DOCTYPE x [' + b'\n'.join(lines) + (
        b']>\n<HPMPerformanceFile version="&a59;"/>')


def many_attributes(n):
    return whole(record(b''.join(b' a%d=""' % i for i in range(n))))


def many_names(n, attribute=False):
    """Ever new names, which a parser keeps."""
    if attribute:
        return whole(run=RUN + b"".join(
            b'<Run%s/>\n' % b"".join(b' n%d=""' % (i + j) for j in range(50))
            for i in range(0, n, 50)))
    return whole(run=RUN + b"".join(b"<n%d/>\n" % i for i in range(n)))


PLAIN = whole()

# name: (outcome, a word of the message, bytes)
INPUTS = {
    "good": ("good", "", PLAIN),
    "bom": ("good", "", b"\xef\xbb\xbf" + PLAIN),
    "no-declaration": ("good", "", whole(head=b"")),
    "ascii": ("good", "", PLAIN.replace(b"UTF-8", b"US-ASCII")),
    "comments": ("good", "", whole(head=HEAD + b"<!-- a <comment> -->\n")),

    # row 68
    "empty": ("refused", "is empty", b""),
    "cut-in-tag": ("cut", "cut off", PLAIN[:PLAIN.rindex(b"<data") + 9]),
    "cut-in-first-record": ("refused", "cut off",
                            PLAIN[:PLAIN.index(b"IncSec")]),
    "zero-tail": ("cut", "zero byte",
                  PLAIN[:PLAIN.rindex(b"<data")] + bytes(100000)),
    "garbage-tail": ("cut", "", PLAIN[:PLAIN.rindex(b"<data")] +
                     b"<<&&\x01\x02]]>" * 100),
    "two-files": ("cut", "", PLAIN + PLAIN),
    "records-missing": ("noted", "cut out", whole(second=b"")),

    # row 69
    "bomb-nested": ("refused", "DOCTYPE", nested_entities()),
    "bomb-quadratic": ("refused", "DOCTYPE", entities(
        b'<!ENTITY a "' + b"x" * 50000 + b'">').replace(
            b'program="swim"', b'program="' + b"&a;" * 50000 + b'"')),
    "huge-attribute": ("refused", "64 KiB",
                       whole(record(b' lid="' + b"x" * 50000000 + b'"'))),
    "huge-text": ("refused", "64 KiB", HEAD + ROOT + b"x" * 50000000),
    "huge-comment": ("refused", "64 KiB",
                     HEAD + ROOT + b"<!--" + b"x" * 50000000),
    "huge-name": ("refused", "", HEAD + b"<" + b"x" * 5000000),
    "attributes-50000": ("refused", "64 attributes", many_attributes(50000)),
    "attributes-8000": ("refused", "64 attributes", many_attributes(8000)),
    "attributes-100": ("refused", "64 attributes", many_attributes(100)),
    "deep-200000": ("refused", "16 levels", HEAD + ROOT + b"<a>" * 200000),
    "names-1000000": ("refused", "different names", many_names(1000000)),
    "attribute-names-500000": ("refused", "different names", many_names(500000, True)),
    "namespaces": ("refused", "64 attributes", whole(run=RUN + b"<a%s/>\n" %
                   b"".join(b' xmlns:n%d="u:%d"' % (i, i)
                            for i in range(8000)))),
    "huge-cdata": ("refused", "64 KiB",
                   HEAD + ROOT + b"<![CDATA[" + b"x" * 50000000),
    "huge-blank": ("refused", "64 KiB", HEAD + ROOT + b"\n" * 50000000),
    "bad-numbers-100000": ("noted", "not a number", whole(record(
        data=b'    <data name="X" value="x" mean="y" sdev="z"/>\n' *
        100000))),
    "deep-17": ("refused", "16 levels",
                HEAD + ROOT + b"<a>" * 16 + b"</a>" * 16 + END),

    # row 70; the address is one that never answers
    "xxe-file": ("refused", "DOCTYPE", entities(
        b'<!ENTITY a SYSTEM "file:///etc/passwd">').replace(b"swim", b"&a;")),
    "xxe-http": ("refused", "DOCTYPE", entities(
        b'<!ENTITY a SYSTEM "http://192.0.2.1/a">').replace(b"swim", b"&a;")),
    "xxe-parameter": ("refused", "DOCTYPE", entities(
        b'<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;')),
    "xxe-default": ("refused", "DOCTYPE", entities(
        b'<!ATTLIST Run program CDATA "injected">')),
    "external-dtd": ("refused", "DOCTYPE", HEAD +
                     b'<!DOCTYPE x SYSTEM "file:///etc/passwd">\n' +
                     whole(head=b"")),
    "xinclude": ("good", "unknown", whole(
        run=RUN + b'<i:include xmlns:i="http://www.w3.org/2001/XInclude" '
        b'href="/etc/passwd" parse="text"/>\n')),
    "stylesheet": ("refused", "processing instruction", HEAD +
                   b'<?xml-stylesheet href="file:///etc/passwd"?>\n' +
                   whole(head=b"")),
    "catalog": ("refused", "processing instruction", HEAD +
                b'<?oasis-xml-catalog catalog="file:///etc/passwd"?>\n' +
                whole(head=b"")),

    # row 71
    "gzip": ("good", "", gzip.compress(PLAIN)),
    "gzip-members": ("good", "", gzip.compress(PLAIN[:100]) +
                     gzip.compress(PLAIN[100:])),
    "gzip-cut": ("cut", "ends early",
                 gzip.compress(PLAIN, compresslevel=0)[:-200]),
    "gzip-damaged": ("refused", "gzip", gzip.compress(PLAIN)[:20] +
                     bytes(50)),
    "gzip-twice": ("refused", "", gzip.compress(gzip.compress(PLAIN))),
    "gzip-bomb": ("cut", "250 times",
                  gzip.compress(PLAIN.replace(
                      b"  <End", (b"<a/>" + b" " * 60000) * 400 + b"<End"))),
    "xz": ("refused", "xz", lzma.compress(bytes(100000))),
    "bzip2": ("refused", "bzip2", bz2.compress(PLAIN)),
    "zstd": ("refused", "zstd", b"\x28\xb5\x2f\xfd" + bytes(100)),
    "utf-16-said": ("refused", "'UTF-16'", PLAIN.replace(b"UTF-8",
                                                         b"UTF-16")),
    "utf-16": ("refused", "UTF-16", PLAIN.decode().encode("utf-16")),
    "utf-16-no-bom": ("refused", "UTF-16", PLAIN.decode().encode("utf-16-le")),
    "utf-32": ("refused", "UTF-8", PLAIN.decode().encode("utf-32-be")),
    "ebcdic": ("refused", "EBCDIC", PLAIN.decode().encode("cp037")),
    "utf-7": ("refused", "UTF-7", HEAD.replace(b"UTF-8", b"UTF-7") +
              b"+ADw-x/+AD4-"),
    "latin-1": ("refused", "ISO-8859-1", PLAIN.replace(b"UTF-8",
                                                       b"ISO-8859-1")),
    "bad-utf-8": ("cut", "", whole(second=record(number=2,
                                                 label=b"\xff\xfe\xc3"))),
    "zero-byte": ("cut", "zero byte", whole(second=record(number=2,
                                                          label=b"\0"))),
    "control-byte": ("cut", "", whole(second=record(number=2,
                                                    label=b"\x01"))),
    "not-xml": ("refused", "begins with 'perf record", b"perf record\n" * 100),
    "elf": ("refused", "", b"\x7fELF\x02\x01\x01" + bytes(1000)),
    "blank": ("refused", "", b" \n\t\r\n"),
    "blank-first": ("refused", "", b"\n" + PLAIN),
    "html": ("refused", "HPMPerformanceFile", b"<html><body/></html>"),

    # row 73
    "number-nan": ("noted", "'nan'", datum(b'name="X" value="nan"')),
    "number-inf": ("noted", "'inf'", datum(b'name="X" value="inf"')),
    "number-hex": ("noted", "'0x10'", datum(b'name="X" value="0x10"')),
    "number-1e999": ("noted", "too large", datum(b'name="X" value="1e999"')),
    "number-1e-999": ("noted", "too small", datum(b'name="X" value="1e-999"')),
    "number-comma": ("noted", "'2,918'", datum(b'name="X" value="2,918"')),
    "number-25-digits": ("noted", "too large for a count",
                         datum(b'name="X" value="' + b"1" * 25 + b'"')),
    "number-long": ("noted", "too long",
                    datum(b'name="X" value="0.' + b"1" * 5000 + b'"')),
    "number-empty": ("noted", "not a number", datum(b'name="X" value=""')),
    "number-sign-only": ("noted", "not a number", datum(b'name="X" value="-"')),
    "number-two": ("noted", "not a number", datum(b'name="X" value="1 2"')),
    "number-other-digits": ("noted", "not a number", datum(
        'name="X" value="\u0661\u0662"'.encode())),
    "number-underscore": ("noted", "'1_000'", datum(b'name="X" value="1_000"')),
    "number-exponent-only": ("noted", "'1e'", datum(b'name="X" value="1e"')),
    "number-signs": ("noted", "'+-1'", datum(b'name="X" value="+-1"')),
    "number-too-large": ("noted", "too large for a count",
                         datum(b'name="X" value="18446744073709551616"')),
    "number-blanks": ("good", "", datum(b'name="X" value=" 12 "')),
    "number-plus": ("good", "", datum(b'name="X" value="+12"')),
    "number-minus": ("good", "", datum(b'name="X" value="-12"')),
    "number-largest": ("good", "",
                       datum(b'name="X" value="18446744073709551615"')),

    # row 74
    "unknown-element": ("good", "unknown", whole(
        run=RUN + b'<Weather><data name="sun"/></Weather>\n')),
    "unknown-attribute": ("good", "unknown", whole(record(b' mood="good"'))),
    "minor-version": ("good", "", PLAIN.replace(b'version="1"',
                                                b'version="1.7"')),
    "version-2": ("refused", "version 2", PLAIN.replace(b'version="1"',
                                                        b'version="2"')),
    "version-x": ("refused", "'x'", PLAIN.replace(b'version="1"',
                                                  b'version="x"')),
    "no-name": ("noted", "without a name", datum(b'value="1"')),
    "no-value": ("good", "", datum(b'name="X"')),
    "attribute-twice": ("cut", "redefined", whole(
        second=record(b' id="2" id="3"'))),
    "element-left-open": ("cut", "mismatch", whole(
        second=record(number=2).replace(b"</InstrumentationPt>", b""))),
    "other-namespace": ("refused", "HPMPerformanceFile", PLAIN.replace(
        b"<HPMPerformanceFile", b'<h:HPMPerformanceFile xmlns:h="urn:h"'
    ).replace(b"</HPM", b"</h:HPM")),
    "no-task": ("good", "", whole(second=record(number=2).replace(
        b' task="0"', b''))),
    "no-label": ("good", "", whole(second=record(number=2).replace(
        b' label="a"', b''))),
    "no-data": ("good", "", whole(second=record(number=2, data=b""))),
    "bare-record": ("good", "", record()),
    "bare-records": ("good", "", record() + record(number=2)),
    "bare-after-blanks": ("good", "", b"\n\n" + record() + record(number=2)),
    "bare-declared": ("good", "", HEAD + record() + record(number=2)),
    "bare-cut": ("cut", "cut off", (record() + record(number=2))[:-30]),
    "bare-number": ("noted", "'x'", HEAD + record() + record(
        number=2).replace(b'"1.000000000"', b'"x"')),
    "bare-ended-twice": ("cut", "Extra content",
                         record() + b"</HPMPerformanceFile>\n" + record()),
    "no-record": ("good", "", HEAD + ROOT + RUN + END.replace(b"2", b"0")),
    "data-outside": ("good", "unknown", whole(run=RUN + DATA)),

    # rows 75 and 78
    "same-id": ("noted", "given to a record before",
                whole(second=record(b' id="1"', number=2))),
    "same-record": ("noted", "not added up",
                    whole(second=record(b' id="2"'))),
    "same-data": ("noted", "second time", datum(b'name="Count" value="9"')),
    "same-run": ("noted", "second Run", whole(run=RUN + RUN)),
    "circle": ("noted", "circle", whole(
        record(b' parent="2"'), record(b' parent="1"', number=2))),
    "own-parent": ("noted", "circle", whole(record(b' parent="1"'))),
    "no-parent": ("noted", "no record here", whole(record(b' parent="77"'))),
    "parent-of-other-task": ("noted", "another task", whole(
        second=record(b' parent="1" task="1"', number=2))),
    "parent-later": ("good", "", whole(record(b' parent="2"'))),
    "mixed-tasks": ("good", "", whole(
        second=record(b' task="1"', number=2) + record(number=3)).replace(
            b'records="2"', b'records="3"')),
    "task-large": ("noted", "'99999999999'",
                   whole(second=record(b' task="99999999999"', number=2))),
    "task-negative": ("noted", "'-3'",
                      whole(second=record(b' task="-3"', number=2))),
    "line-negative": ("noted", "'-5'", whole(second=record(
        number=2).replace(b'linestart="2"', b'linestart="-5"'))),
    "tid-large": ("noted", "'2147483648'", whole(second=record(
        number=2).replace(b'tid="0"', b'tid="2147483648"'))),
    "line-large": ("noted", "'2147483648'", whole(second=record(
        number=2).replace(b'linestart="2"', b'linestart="2147483648"'))),
    "id-large": ("noted", "'18446744073709551616'", whole(second=record(
        b' id="18446744073709551616"', number=2))),
    "parent-large": ("noted", "no record here", whole(second=record(
        b' parent="9223372036854775807"', number=2))),
    "records-said-large": ("noted", "holds 2 records", PLAIN.replace(
        b'records="2"', b'records="9223372036854775807"')),
    "threads-many": ("noted", "'4294967296'",
                     whole(second=record(b' threads="4294967296"',
                                         number=2))),
    "many-names": ("refused", "different data names", whole(record(
        data=b"".join(b'<data name="n%d" value="1"/>\n' % i
                      for i in range(30000))))),
    "many-twins": ("noted", "not added up", whole(second=b"".join(
        record(b' id="%d"' % i) for i in range(2, 5000)))),
    "long-path": ("good", "", whole(second=b"".join(
        record(b' parent="%d"' % (i - 1), number=i)
        for i in range(2, 5000))).replace(b'records="2"', b'records="4999"')),
}

# Files that may not go together: name: (a word of the message, "" where they do
# go together, the files)
PAIRS = {
    "same-task": ("is of task 0, which is in 'same-task-0.xml' already",
                  [PLAIN, PLAIN.replace(b'value="1"', b'value="2"')]),
    "other-program": ("'mgrid'", [PLAIN, PLAIN.replace(
        b'task="0"', b'task="1"').replace(b"swim", b"mgrid")]),
    "other-job": ("'12'", [PLAIN.replace(b'"swim"', b'"swim" job="%d"' % job)
                           .replace(b'task="0"', b'task="%d"' % job)
                           for job in (11, 12)]),
    "other-time": ("not one run", [PLAIN.replace(
        b'"swim"', b'"swim" start="2026-11-20T11:30:0%d.000Z" seconds="1.5"' %
        (task * 5)).replace(b'task="0"', b'task="%d"' % task)
        for task in (0, 1)]),
    "other-kind": ("of another kind", [PLAIN, PLAIN.replace(
        b'kind="run"', b'kind="mean"').replace(b'task="0"', b'task="1"')]),
    "other-events": ("", [PLAIN.replace(
        b'"IncSec"', b'"cycles-%d"' % task).replace(
            b'task="0"', b'task="%d"' % task) for task in (0, 1)]),
}


def flood(n_pairs):
    """Labels that are one number to the hash that multiplies by 33 and adds,
    and so to many tables: two to the n of them, in as many records."""
    labels = (b"".join(pairs) for pairs in
              itertools.product((b"Ez", b"FY"), repeat=n_pairs))
    return (HEAD + ROOT + RUN + b"".join(
        b'<InstrumentationPt id="%d" label="%b"><data name="Count" value="1"/>'
        b'</InstrumentationPt>\n' % (i, label)
        for i, label in enumerate(labels, 1)) +
        END.replace(b'"2"', b'"%d"' % 2 ** n_pairs))


def deep(n, last_parent=b""):
    """A call path of n records, each before the one around it."""
    return (HEAD + ROOT + RUN + b"".join(
        b'<InstrumentationPt id="%d" parent="%d" label="a"/>\n' % (i, i + 1)
        for i in range(1, n)) + b'<InstrumentationPt id="%d"%b label="a"/>\n' %
        (n, last_parent) + END.replace(b'"2"', b'"%d"' % n))


def write(folder):
    for name, (_, _, content) in INPUTS.items():
        with open(os.path.join(folder, name + ".xml"), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: hostile.py FOLDER")
    write(sys.argv[1])
