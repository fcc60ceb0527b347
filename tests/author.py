# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of metrics made by chance, as text and as statements for
tests/evaluator.py.

    Author    writes statements for one machine and others"""

from fractions import Fraction

import evaluator
from evaluator import Statement

EVENTS = [f"EV_{c}" for c in "ABCDEFGH"]
PMUS = ["power4", "skx", "zen3"]
FACTS = ["L2", "L3", "SMT", "FMA", "VM", "NUMA"]


class Author:
    """Writes statements for one machine and others."""

    def __init__(self, chance):
        self.chance = chance
        self.metrics = [f"QQ_{i}" for i in range(chance.randint(3, 9))]
        self.constants = [f"KK_{i}" for i in range(chance.randint(0, 3))]
        self.ratios = {name for name in self.metrics if chance.random() < 0.4}
        self.parts, self.limits_of = set(), {}
        self.statements, self.arch = [], {}

    def number(self, is_limit=False):
        value = self.chance.choice([1, 2, 3, 10, 0.5, 0.25, 100, 1000, 7.125,
                                    self.chance.randint(1, 10 ** 6)])
        return ("number", Fraction(value))

    def constant_formula(self, most):
        if most > 0 and self.chance.random() < 0.4:
            name = ("name", self.constants[self.chance.randrange(most)])
            return self.chance.choice([
                name, ("*", name, self.number()), ("+", name, self.number()),
                ("/", name, self.number()), ("max", name, self.number())])
        return self.number()

    def leaf(self, below):
        kind = self.chance.random()
        if kind < 0.15:
            return self.number()
        if kind < 0.22 and self.constants:
            return ("name", self.chance.choice(self.constants))
        if kind < 0.27:
            return ("name", "time::wall")
        if kind < 0.6 and below > 0:
            return ("name", self.metrics[self.chance.randrange(below)])
        if kind < 0.65:
            return ("total", self.chance.choice(
                EVENTS + self.metrics[:below]))
        return ("name", self.chance.choice(EVENTS))

    def formula(self, below, depth=0):
        if depth == 0 and self.chance.random() < 0.35:
            return ("/", ("name", self.chance.choice(EVENTS)),
                    ("name", self.chance.choice(EVENTS)))
        if depth > 0 and self.chance.random() < 0.25 * depth:
            return self.leaf(below)
        kind = self.chance.choice("+++--**////mMn")
        if kind == "n":
            return ("negate", self.formula(below, depth + 1))
        kind = {"m": "min", "M": "max"}.get(kind, kind)
        return (kind, self.formula(below, depth + 1),
                self.formula(below, depth + 1))

    def guard(self, often):
        if self.chance.random() > often:
            return None
        return (self.chance.random() < 0.5, self.chance.choice(FACTS + PMUS))

    def limits(self, name):
        """None of which makes a value good and bad, which is a fault, nor with
        those of another statement of the metric."""
        if name not in self.limits_of:
            self.limits_of[name] = (
                self.chance.random() < 0.5,
                [self.constant_formula(len(self.constants))] * 2
                if self.chance.random() < 0.4 else
                sorted((self.number(), self.number())))
        is_bad_above, limits = self.limits_of[name]
        return {side: (is_bad_above, limits[is_bad_above])
                if side.endswith("bad") else
                (not is_bad_above, limits[not is_bad_above])
                for side in self.chance.sample(
                    ["bad", "good", "sbad", "sgood", "dbad", "dgood"],
                    self.chance.randint(0, 2))}

    def attributes(self, name, kind):
        words = self.limits(name)
        if self.chance.random() < 0.15:
            words["range"] = (("number", Fraction(0)), None if words else
                              self.chance.choice([None, self.number()]))
        if self.chance.random() < 0.15:
            words["scale"] = self.chance.choice([("number", Fraction(10)),
                                                 ("number", Fraction(1000))])
        below = self.metrics.index(name)
        if (self.chance.random() < 0.25 and below > 0 and
                name not in self.parts):
            words["under"] = self.metrics[self.chance.randrange(below)]
        if self.chance.random() < 0.1:
            words["of run"] = True
        return words

    def body(self, kind, below):
        if kind == "measure":
            return [(event, self.guard(0.2)) for event in
                    self.chance.sample(EVENTS, self.chance.randint(1, 3))]
        if kind != "compose":
            return self.formula(below)
        free = [name for name in self.metrics[:below]
                if name not in self.parts and name not in self.ratios]
        free += [event for event in EVENTS if event not in self.parts]
        parts = self.chance.sample(free, min(len(free),
                                             self.chance.randint(2, 4)))
        self.parts.update(parts)
        return parts

    def statement(self, file):
        below = self.chance.randrange(len(self.metrics))
        name = self.metrics[below]
        if self.constants and self.chance.random() < 0.2:
            i = self.chance.randrange(len(self.constants))
            return Statement("const", self.constants[i],
                             self.constant_formula(i), self.guard(0.2),
                             file=file)
        kind = self.chance.choice(["measure", "compute", "ratio", "ratio",
                                   "compose", "compose"])
        if self.chance.random() < 0.08:
            return Statement("tune", name,
                             attributes=self.attributes(name, "tune"),
                             file=file)
        if self.chance.random() < 0.03:
            return Statement("remove", name, file=file)
        if name in self.ratios:
            kind = "ratio"
        elif kind == "ratio":
            kind = "compute"
        guard = self.guard(0.15) if kind != "measure" else None
        return Statement(kind, name, self.body(kind, below), guard,
                         self.attributes(name, kind), file=file)

    def write(self, n_files):
        """Statements and the text of each file."""
        texts = []
        for file in range(n_files):
            text, pmus = [], None
            first = [Statement("const", name, self.number(), file=0)
                     for name in self.constants] if file == 0 else []
            for statement in first + [
                    self.statement(file)
                    for _ in range(self.chance.randint(4, 14))]:
                if self.chance.random() < 0.2 and statement not in first:
                    pmus = self.chance.choice(
                        [None, None, (PMUS[0],), tuple(PMUS[:2]), (PMUS[2],)])
                    text.append("arch " + " ".join(pmus or ("any",)))
                statement.pmus = pmus
                if statement.kind == "compose" and len(statement.body) < 2:
                    continue
                if statement.kind in ("tune", "remove") and not any(
                        s.name == statement.name and s.pmus in (None, pmus)
                        and s.kind in evaluator.KINDS
                        for s in self.statements):
                    continue
                if statement.kind == "tune" and not statement.attributes:
                    continue
                self.statements.append(statement)
                text.append(as_text(statement))
                if statement.kind == "compose" and self.chance.random() < 0.7:
                    whole = Statement("measure", statement.name, self.body(
                        "measure", 0), pmus=pmus, file=file)
                    self.statements.append(whole)
                    text.append(as_text(whole))
            texts.append("\n".join(text) + "\n")
        return texts


def number_text(number):
    return repr(float(number)) if number.denominator != 1 else str(number)


def formula_text(formula):
    kind = formula[0]
    if kind == "number":
        return number_text(formula[1])
    if kind == "name":
        return formula[1]
    if kind == "total":
        return f"total({formula[1]})"
    if kind == "negate":
        return f"(-{formula_text(formula[1])})"
    a, b = (formula_text(part) for part in formula[1:])
    return (f"{kind}({a}, {b})" if kind in ("min", "max") else
            f"({a} {kind} {b})")


def guard_text(guard):
    if guard is None:
        return ""
    return f" if no {guard[1]}" if guard[0] else f" if {guard[1]}"


def attribute_text(word, value):
    if word == "range":
        least, most = value
        return (f"range {formula_text(least)}" +
                (f", {formula_text(most)}" if most else ""))
    if word == "scale":
        return f"scale {formula_text(value)}"
    if word == "under":
        return f"under {value}"
    if word == "of run":
        return "of run"
    return f"{word} {'>' if value[0] else '<'} {formula_text(value[1])}"


def as_text(statement):
    words = [statement.kind, statement.name]
    if statement.kind == "measure":
        words += ["=", " | ".join(event + guard_text(guard)
                                  for event, guard in statement.body)]
    elif statement.kind == "compose":
        words += ["=", " + ".join(statement.body)]
    elif statement.body is not None:
        words += ["=", formula_text(statement.body)]
    words.append(guard_text(statement.guard))
    for word, value in statement.attributes.items():
        words.append(attribute_text(word, value))
    return " ".join(word for word in words if word)


def understood(statements):
    """The attributes as the evaluator wants them: "bad" is of both
    precisions."""
    for statement in statements:
        words = {}
        for word, value in statement.attributes.items():
            if word in ("bad", "good"):
                words["s" + word] = words["d" + word] = value
            elif word == "scale":
                words[word] = value[1]
            else:
                words[word] = value
        statement.attributes = words
    return statements
