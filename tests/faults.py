# SPDX-License-Identifier: BSD-3-Clause
"""The single faults that can be planted in a C file (see mutants.py).

C is read lightly: comments, strings and preprocessor lines are blanked, and
what is left in the bodies of functions is taken as tokens."""

import collections
import re

Fault = collections.namedtuple("Fault", "path line kind start end text")
Token = collections.namedtuple("Token", "text start end")

HIDDEN = re.compile(r"""
    /\*.*?\*/ | //[^\n]*                            # comments
  | ^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*              # preprocessor lines
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"""
    [A-Za-z_]\w* | \d[\w.]* | \.\.\. | <<= | >>= | -> | \+\+ | -- | << | >>
  | [<>=!+\-*/%&|^]= | && | \|\| | [^\s\w]
""", re.VERBOSE)
WORD = re.compile(r"[A-Za-z_]\w*\Z")
NUMBER = re.compile(r"(\d+|0[xX][0-9a-fA-F]+)([uUlL]*)\Z")

COMPARED = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="),
            ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
JOINED = {"&&": "||", "||": "&&"}
ADDED = {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "++": "--", "--": "++"}
LEFT = {"continue": "break", "break": "continue"}
TURNED = {"true": "false", "false": "true"}
HEADS = {"if", "while", "for", "switch"}
JUMPS = {"return", "goto", "break", "continue"}
TYPES = {"auto", "char", "const", "double", "enum", "extern", "float", "int",
         "long", "register", "short", "signed", "static", "struct", "typedef",
         "union", "unsigned", "void", "volatile"}
NO_CALLS = HEADS | TYPES | {"return", "sizeof", "_Alignof", "_Static_assert",
                            "__attribute__", "defined"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=",
               ">>="}
OPENING = {"(": ")", "[": "]", "{": "}"}
# What is not given back shows only under the sanitizers, in which these tests
# do not run.
GIVES_BACK = re.compile(r"(\w+_)?free(_\w+)?\Z")
# So many objects of a size: neither their order nor one object more changes what
# is there.
TAKES_MEMORY = "hpm_memory_new"


def blanked(text):
    """The same text, as long, in which a literal is one word and nothing else
    is left of what is no code."""
    def blank(found):
        part = found.group()
        if part[0] in "\"'":
            return "s" * len(part)
        return re.sub(r"[^\n]", " ", part)
    return HIDDEN.sub(blank, text)


def matching(tokens, first):
    """The index of the bracket that closes the one at `first`."""
    depth = 0
    for i in range(first, len(tokens)):
        if tokens[i].text in OPENING:
            depth += 1
        elif tokens[i].text in OPENING.values():
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def bodies(tokens):
    """The ranges of tokens within the braces of functions."""
    i = 0
    while i < len(tokens):
        if tokens[i].text in OPENING:
            end = matching(tokens, i)
            if tokens[i].text == "{" and i and tokens[i - 1].text == ")":
                yield i, end
            i = end
        i += 1


class Reading:
    """One file, and the faults found in it so far."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.tokens = [Token(found.group(), found.start(), found.end())
                       for found in TOKEN.finditer(blanked(text))]
        self.faults = []
        self.asking = [range(i, matching(self.tokens, i + 1))
                       for i, token in enumerate(self.tokens[:-1])
                       if token.text == TAKES_MEMORY]

    def add(self, kind, start, end, text):
        line = self.text.count("\n", 0, start) + 1
        lost = self.text.count("\n", start, end) - text.count("\n")
        self.faults.append(Fault(self.path, line, kind, start, end,
                                 text + "\n" * lost))

    def add_token(self, kind, i, text):
        self.add(kind, self.tokens[i].start, self.tokens[i].end, text)

    def is_operand(self, i):
        text = self.tokens[i].text
        return (text in (")", "]") or text[0].isdigit()
                or WORD.match(text) and text not in JUMPS | {"case"})

    def read_token(self, i):
        """What the token alone can become."""
        text = self.tokens[i].text
        following = self.tokens[i + 1].text
        for other in COMPARED.get(text, ()):
            self.add_token("comparison", i, other)
        if text in JOINED:
            self.add_token("and/or", i, JOINED[text])
        if text in ADDED and (len(text) == 2 or self.is_operand(i - 1)):
            self.add_token("plus/minus", i, ADDED[text])
        if text in LEFT and following == ";":
            self.add_token("continue/break", i, LEFT[text])
        if text in TURNED:
            self.add_token("return" if self.tokens[i - 1].text == "return"
                           else "constant", i, TURNED[text])
        if text == "!":
            self.add_token("not", i, "")
        number = NUMBER.match(text)
        if number and not any(i in asking for asking in self.asking):
            value = int(number.group(1), 8 if re.match(r"0\d", text) else 0)
            self.add_token("constant", i, f"{value + 1}{number.group(2)}")

    def read_head(self, i):
        """The condition of an if or a while, unless another fault is the
        same: a comparison turned, a ! taken out."""
        if self.tokens[i].text not in ("if", "while"):
            return
        end = matching(self.tokens, i + 1)
        texts = {token.text for token in self.tokens[i + 2:end]}
        if not texts & set(JOINED) and texts & (set(COMPARED) | {"!"}):
            return
        start = self.tokens[i + 1].start
        inside = self.text[start:self.tokens[end].end]
        self.add("condition", start, self.tokens[end].end, f"(!{inside})")

    def arguments(self, i):
        """The texts' ranges between the commas of a call whose bracket is i."""
        end = matching(self.tokens, i)
        ranges, first, k = [], i + 1, i + 1
        while k <= end:
            if self.tokens[k].text == "," or k == end:
                if k > first:
                    ranges.append((self.tokens[first].start,
                                   self.tokens[k - 1].end))
                first = k + 1
            elif self.tokens[k].text in OPENING:
                k = matching(self.tokens, k)
            k += 1
        return ranges

    def read_call(self, i):
        """Two neighbours among the arguments of a call change places."""
        name = self.tokens[i].text
        if (not WORD.match(name) or name in NO_CALLS or name == TAKES_MEMORY
                or self.tokens[i + 1].text != "("):
            return
        ranges = self.arguments(i + 1)
        for one, two in zip(ranges, ranges[1:]):
            first, second = self.text[slice(*one)], self.text[slice(*two)]
            if first != second:
                self.add("arguments", one[0], two[1],
                         second + self.text[one[1]:two[0]] + first)

    def is_declaration(self, first, end):
        """Begins with a type: a keyword, or a word before another."""
        if self.tokens[first].text in TYPES:
            return True
        k = first + 1
        while k < end and self.tokens[k].text == "*":
            k += 1
        return (bool(WORD.match(self.tokens[first].text))
                and bool(WORD.match(self.tokens[k].text)))

    def read_statement(self, first, end):
        """A call or an assignment, from `first` to its semicolon, is left
        out."""
        if end <= first or self.is_declaration(first, end):
            return
        word = self.tokens[first].text
        if GIVES_BACK.match(word) and self.tokens[first + 1].text == "(":
            return
        texts = [token.text for token in self.tokens[first:end]]
        is_call = WORD.match(word) and texts[1] == "(" and texts[-1] == ")"
        if (is_call or ASSIGNMENTS & set(texts) or "++" in (word, texts[-1])
                or "--" in (word, texts[-1])):
            self.add("statement", self.tokens[first].start,
                     self.tokens[end].end, "(void)0;")

    def end_of_statement(self, i, last):
        while i < last and self.tokens[i].text not in (";", ":"):
            if self.tokens[i].text in OPENING:
                i = matching(self.tokens, i)
            elif self.tokens[i].text == "?":
                i = self.end_of_statement(i + 1, last)
            i += 1
        return i

    def read_statements(self, first, last):
        """The statements between two braces, with those in them."""
        i = first
        while i < last:
            text = self.tokens[i].text
            if text in HEADS and self.tokens[i + 1].text == "(":
                i = matching(self.tokens, i + 1) + 1
            elif text in ("{", "}", "else", "do", ";"):
                i += 1
            else:
                end = self.end_of_statement(i, last)
                if self.tokens[end].text == ";" and text not in JUMPS:
                    self.read_statement(i, end)
                i = end + 1

    def gives_back_only(self, i):
        """Has the loop whose head ends at `i` nothing but statements that give
        something back?"""
        last = matching(self.tokens, i + 1)
        if self.tokens[i + 1].text != "{":
            last = self.end_of_statement(i + 1, len(self.tokens) - 1)
        words = [self.tokens[k + 1].text for k in range(i, last)
                 if self.tokens[k].text in ("{", ";") or k == i]
        words = [word for word in words if word not in "{};"]
        return bool(words) and all(GIVES_BACK.match(word) for word in words)

    def leave_out_leaks(self):
        """That the loop begins later or ends sooner is not seen either."""
        heads = [(self.tokens[i + 1].start, self.tokens[end].end)
                 for i, token in enumerate(self.tokens[:-1])
                 if token.text == "for"
                 for end in [matching(self.tokens, i + 1)]
                 if self.gives_back_only(end)]
        self.faults = [fault for fault in self.faults
                       if fault.kind not in ("plus/minus", "constant")
                       or not any(start < fault.start < end
                                  for start, end in heads)]

    def read(self):
        for first, last in bodies(self.tokens):
            for i in range(first + 1, last):
                self.read_token(i)
                self.read_head(i)
                self.read_call(i)
            self.read_statements(first + 1, last)
        self.leave_out_leaks()
        return self.faults


def all_in(path, text):
    """Every fault that can be planted in the file."""
    return Reading(path, text).read()


def planted(text, fault):
    """The file with the fault in it, with as many lines."""
    return text[:fault.start] + fault.text + text[fault.end:]


def lines_of(text, fault):
    """The line as it was and as it became, without the blanks around."""
    return (text.split("\n")[fault.line - 1].strip(),
            planted(text, fault).split("\n")[fault.line - 1].strip())
