# SPDX-License-Identifier: BSD-3-Clause
"""Reads the HTML pages of hpm report as their description says
(study/html/page.h, block.h), and knows no more than that."""

import base64
import hashlib
import html.parser
import json
import re
import struct
import zlib

from tap import HPM, run

STATES = ["counted", "shared", "inferred", "recorded", "lost", "brief",
          "unscheduled", "unsupported", "undefined"]
VERDICTS = [None, "bad", "neutral", "good"]
SIZES = {"b": 1, "w": 4, "d": 6, "c": 8, "s": 8, "f": 8}


class Reader(html.parser.HTMLParser):
    """Elements with an id, and all that a browser would run, fetch or show."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.blocks, self.scripts, self.styles = {}, [], []
        self.elements, self.attributes, self.policy = [], [], None
        self.texts, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.open.append((tag, attributes, []))
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag in ("meta", "br", "link", "img"):
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.open[-1][2].append(data)
        self.texts.append(data)

    def handle_endtag(self, tag):
        name, attributes, data = self.open.pop()
        assert name == tag, (name, tag)
        text = "".join(data)
        if tag == "style":
            self.styles.append(text)
        elif tag == "script" and "id" in attributes:
            self.blocks[attributes["id"]] = text
        elif tag == "script":
            self.scripts.append(text)


def column(kind, data, n):
    size = SIZES[kind]
    numbers = []
    for i in range(n):
        raw = bytes(data[j * n + i] for j in range(size))
        if kind == "f":
            value = struct.unpack("<d", raw)[0]
            numbers.append(None if value != value else value)
        elif size < 8:
            value = int.from_bytes(raw, "little")
            numbers.append(None if value == 256 ** size - 1 else value)
        else:
            value = int.from_bytes(raw, "little", signed=True)
            numbers.append(None if value == -2 ** 63 else
                           value / 1e9 if kind == "s" else value)
    return numbers


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.reader = Reader(self.text)
        self.facts = json.loads(self.reader.blocks["page"])
        self.experiments = self.facts["experiments"]

    def packed(self, name):
        return zlib.decompress(base64.b64decode(self.reader.blocks[name]))

    def block(self, name):
        """Columns by name, and texts."""
        data = self.packed(name)
        length = struct.unpack("<I", data[:4])[0]
        head = json.loads(data[4:4 + length])
        at, columns = 4 + length, {}
        for title, kind in head["columns"]:
            size = SIZES[kind] * head["n"]
            columns[title] = column(kind, data[at:at + size], head["n"])
            at += size
        assert at == len(data), (at, len(data))
        return columns, head["texts"]

    def details(self, index=0):
        return json.loads(self.packed(f"e{index}f"))

    def digests(self):
        """What the policy must name: of script and style."""
        return [f"{kind}-src 'sha256-" + base64.b64encode(hashlib.sha256(
            text.encode()).digest()).decode() + "'"
                for kind, texts in (("script", self.reader.scripts),
                                    ("style", self.reader.styles))
                for text in texts]


def make(out, *arguments, **variables):
    """Have a page made; the finished process."""
    return run([HPM, "report", "--format", "html", "-o", out, *arguments],
               **variables)


def fetches(page):
    """Attributes by which a browser would ask somebody for something."""
    return [a for a in page.reader.attributes
            if a[1] in ("src", "srcset", "data", "action", "poster", "style") or
            a[1].startswith("on") or
            (a[1] == "href" and not a[2].startswith("#"))]
