# SPDX-License-Identifier: BSD-3-Clause
"""Works out metrics anew, from hpm-metrics(5) alone and in exact fractions, so
that tests can compare the toolkit with it.

    Definitions   statements, in the order of reading
    Machine       what definitions ask of the machine
    Evaluator     definitions chosen for a machine; values of one record

A formula is a tuple: ("number", Fraction), ("name", text), ("total", text),
("negate", a), or (operator, a, b) with "+", "-", "*", "/", "min", "max"."""

import copy
import math
from fractions import Fraction

STATES = ["counted", "shared", "inferred", "recorded", "lost", "brief",
          "unscheduled", "unsupported", "undefined"]
HAS_VALUE = STATES[:4]
KINDS = {"measure": 0, "compute": 1, "ratio": 1, "compose": 2}
ROUNDING = Fraction(1, 2 ** 52)  # of one operation, and more
FEW = 100


def events_off(count):
    """Few events are so many give or take their root."""
    return (Fraction(math.sqrt(count)) if 0 < count < FEW else Fraction(0))


def worst(states):
    return max(states, key=STATES.index, default="counted")


class Machine:
    def __init__(self, pmu, facts):
        self.pmu = pmu
        self.facts = {}
        for word in facts:
            is_no = word.startswith("no-")
            self.facts[word[3 if is_no else 0:]] = not is_no

    def holds(self, guard):
        """A guard: (is "if no", fact).  Unknown: neither way."""
        if guard is None:
            return True
        is_no, fact = guard
        if fact in self.facts:
            return self.facts[fact] != is_no
        if fact in ("L2", "L3", "SMT", "FMA", "VM", "NUMA"):
            return False
        return (fact == self.pmu) != is_no

    def may_hold(self, guard):
        return (self.holds(guard) or
                not self.holds((not guard[0], guard[1])))


class Statement:
    """kind, name, body, guard, attributes; where it stands: PMUs (None: any)
    and number of its file."""

    def __init__(self, kind, name, body=None, guard=None, attributes=None,
                 pmus=None, file=0):
        self.kind, self.name, self.body, self.guard = kind, name, body, guard
        self.attributes = attributes or {}
        self.pmus, self.file = pmus, file

    def rank(self):
        """More special ones are larger."""
        return (self.file, self.pmus is not None)


class Value:
    """value: None where there is none; then a state of None: nobody asked.
    off: what its inputs may be off by; error: the part of that which is an
    error of measuring; one: what one event more would change.
    domain: user, kernel, all; None: that makes no difference to what it counts.
    rounding: how much a computation in doubles may differ from it."""

    def __init__(self, value, state="counted", off=Fraction(0), doubt=False,
                 is_partial=False, is_sure=True, rounding=Fraction(0),
                 way=None, one=Fraction(0), error=Fraction(0), domain=None):
        self.value, self.state, self.off = value, state, off
        self.doubt, self.is_partial, self.is_sure = doubt, is_partial, is_sure
        self.rounding, self.way, self.one = rounding, way, one
        self.error, self.domain = error, domain
        self.is_final = False   # undefined, and nothing else serves
        self.is_excess = False  # undefined: the other parts exceed the whole

    def has_value(self):
        return self.value is not None


    def is_complete(self):
        return self.has_value() and not self.is_partial


def lacking(state):
    return Value(None, state)


def why_lacking(inputs):
    """Of values some of which are not there."""
    lacking_ones = [value for value in inputs if not value.has_value()]
    if any(value.state is None for value in lacking_ones):
        return lacking(None)
    state = worst(value.state for value in lacking_ones)
    result = lacking(state)
    result.is_final = next(value.is_final for value in lacking_ones
                           if value.state == state)
    # in doubles some input may be undefined
    result.is_sure = all(value.is_sure for value in inputs)
    return result


def vars_of(value):
    return {key: part for key, part in vars(value).items()
            if key not in ("is_final", "is_excess")}


class Evaluator:
    def __init__(self, statements, machine):
        self.machine = machine
        self.rules, self.constants, self.attributes = {}, {}, {}
        for statement in statements:
            if (statement.pmus is None or machine.pmu in statement.pmus):
                self.take(statement)
        for name, rules in self.rules.items():
            self.rules[name] = self.choose(rules)
        self.parents = self.find_parents()

    # ---- definitions -------------------------------------------------------

    def take(self, statement):
        name = statement.name
        if statement.kind == "remove":
            for table in (self.rules, self.constants, self.attributes):
                table.pop(name, None)
            return
        if statement.kind == "const":
            if self.machine.holds(statement.guard):
                old = self.constants.get(name)
                if old is None or statement.rank() >= old.rank():
                    self.constants[name] = statement
            return
        attributes = self.attributes.setdefault(name, {})
        for word, value in statement.attributes.items():
            if (word not in attributes or
                    statement.rank() >= attributes[word][0]):
                attributes[word] = (statement.rank(), value)
        if statement.kind != "tune":
            self.rules.setdefault(name, []).append(statement)

    def choose(self, rules):
        """In the order of trying: counters and formulas, the
        more special before the more general, then compositions."""
        holding = [rule for rule in rules if rule.kind == "measure" or
                   self.machine.holds(rule.guard)]
        # where it is not known whether a formula holds, a more general one may
        # be wrong
        formulas = [rule.rank() for rule in rules if KINDS[rule.kind] == 1 and
                    self.machine.may_hold(rule.guard)]
        trees = [rule.rank() for rule in holding if rule.kind == "compose"]
        holding = [rule for rule in holding if rule.kind == "measure" or
                   rule.rank() == max(trees if rule.kind == "compose"
                                      else formulas)]
        return sorted(holding, key=lambda rule: (
            rule.kind == "compose", tuple(-int(part) for part in rule.rank()),
            KINDS[rule.kind]))

    def tree(self, name):
        """The parts of a metric."""
        return next((rule.body for rule in self.rules.get(name, [])
                     if rule.kind == "compose"), [])

    def find_parents(self):
        parents = {}
        for name in self.rules:
            for part in self.tree(name):
                parents.setdefault(part, name)
        for name in self.rules:
            upper = self.attribute(name, "under")
            if upper is not None:
                parents[name] = upper
        return parents

    def has_circle(self):
        """Does some metric stand below itself?"""
        for name in self.parents:
            above = self.parents.get(name)
            seen = set()
            while above is not None and above not in seen:
                seen.add(above)
                above = self.parents.get(above)
            if above is not None:
                return True
        return False

    def attribute(self, name, word, other=None):
        found = self.attributes.get(name, {}).get(word)
        return other if found is None else found[1]

    def constant(self, formula):
        if formula[0] == "number":
            return formula[1]
        if formula[0] == "name":
            return self.constant(self.constants[formula[1]].body)
        if formula[0] == "negate":
            return -self.constant(formula[1])
        a, b = (self.constant(part) for part in formula[1:])
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
                "/": lambda: a / b, "min": lambda: min(a, b),
                "max": lambda: max(a, b)}[formula[0]]()

    def copy(self):
        """The same definitions, for another record."""
        other = Evaluator.__new__(Evaluator)
        other.__dict__.update(self.__dict__)
        return other

    # ---- values of one record -----------------------------------------------

    def evaluated(self, counts):
        self.evaluate(counts)
        return self

    def evaluate(self, counts, whole=None):
        """counts: name -> Value; whole: the values of the whole program.

        A value that is complete stays; what is inferred completes others."""
        self.counts, self.whole = counts, whole
        self.values = {}
        is_new = True
        while is_new:
            kept = {name: value for name, value in self.values.items()
                    if value.is_complete() or value.is_excess}
            self.values = kept
            for name in self.names():
                self.value_of(name)
            is_new = self.infer()
        return self.values

    def names(self):
        parts = [part for name in self.rules for part in self.tree(name)]
        return list(self.rules) + [p for p in parts if p not in self.rules]

    def value_of(self, name):
        if name in self.values:
            return self.values[name]
        if name in self.constants:
            value = self.constant(("name", name))
            return Value(value, rounding=abs(value) * ROUNDING)
        self.values[name] = self.find_value(name)
        return self.values[name]

    def find_value(self, name):
        """Where rounding decides whether one rule gives a value, it decides
        which of them does."""
        tried = []
        value = self.first_value(name, tried)
        if all(one.is_sure for one in tried):
            return value
        unsure = copy.copy(value)
        unsure.is_sure = False
        return unsure

    def first_value(self, name, tried):
        own = self.counts.get(name, lacking(None))
        if own.has_value():
            return own
        best, incomplete, least = own, None, None
        for rule in self.rules.get(name, []):
            if least is not None and rule.rank() < least:
                continue
            value = self.apply(rule)
            tried.append(value)
            if value.is_complete():
                return value
            if value.has_value():
                incomplete = incomplete or value
            elif value.is_final:
                best, least = value, rule.rank()
            elif best.state is None:
                best = value
        return incomplete or best

    def apply(self, rule):
        if rule.kind == "measure":
            return self.measure(rule)
        if rule.kind == "compose":
            return self.compose(rule)
        inputs = self.inputs(rule.body)
        if any(value.is_partial for value in inputs):
            return lacking(None)
        if not all(value.has_value() for value in inputs):
            return why_lacking(inputs)
        value = self.formula(rule.body)
        value.is_final = not value.has_value()
        return value

    def inputs(self, formula):
        if formula[0] in ("name", "total", "number"):
            return [self.formula(formula)]
        return [value for part in formula[1:] for value in self.inputs(part)]

    def measure(self, rule):
        """The first that was counted, or inferred from a whole."""
        found = [self.value_of(event) for event, guard in rule.body
                 if self.machine.holds(guard)]
        found = [value for value in found if value.state is not None]
        return next((one for one in found if one.has_value()),
                    found[0] if found else lacking(None))

    def compose(self, rule):
        parts = [self.value_of(part) for part in rule.body]
        present = [part for part in parts if part.has_value()]
        if not present:
            asked = [part for part in parts if part.state is not None]
            return why_lacking(asked) if asked else lacking(None)
        total = present[0]
        for part in present[1:]:
            total = self.combine("+", total, part)
            if not total.has_value():
                total.is_final = True
                return total
        return Value(total.value, worst(p.state for p in present), total.off,
                     any(p.doubt for p in present),
                     len(present) < len(parts) or
                     any(p.is_partial for p in present),
                     all(p.is_sure for p in present), total.rounding,
                     None, total.one, total.error, total.domain)

    def depth(self, name):
        upper = next((w for w in self.rules if name in self.tree(w)), None)
        return 0 if upper is None else 1 + self.depth(upper)

    def infer(self):
        """Give the one missing part of a known whole what the others leave:
        wholes before their parts."""
        is_new = False
        for name in sorted(self.rules, key=self.depth):
            if self.tree(name) and self.values[name].is_complete():
                is_new = self.infer_part(name) or is_new
        return is_new

    def infer_part(self, name):
        rest = self.values[name]
        is_natural, missing = rest.value >= 0, []
        for part in self.tree(name):
            value = self.values[part]
            if value.is_complete():
                is_natural = is_natural and value.value >= 0
                rest = self.combine("-", rest, value)
            elif value.is_partial or value.is_final:
                return False
            else:
                missing.append(part)
        if len(missing) != 1 or not rest.has_value():
            return False
        others = [rule for rule in self.rules[name] if rule.kind == "compose"][1:]
        if any(self.compose(rule).is_complete() for rule in others):
            return False
        if is_natural and rest.value < 0:
            is_new = not self.values[missing[0]].is_excess
            self.values[missing[0]] = lacking("undefined")
            self.values[missing[0]].is_excess = True
            return is_new
        rest = Value(**{**vars_of(rest),
                        "state": worst([rest.state, "inferred"])})
        self.values[missing[0]] = rest
        return True

    # ---- formulas -----------------------------------------------------------

    def formula(self, formula):
        if formula[0] == "number":
            return Value(formula[1], rounding=abs(formula[1]) * ROUNDING)
        if formula[0] == "name":
            return self.value_of(formula[1])
        if formula[0] == "total":
            return self.total(formula[1])
        if formula[0] == "negate":
            a = self.formula(formula[1])
            if not a.has_value():
                return a
            return Value(**{**vars_of(a), "value": -a.value})
        return self.combine(formula[0], self.formula(formula[1]),
                            self.formula(formula[2]))

    def total(self, name):
        if self.whole is None:
            return self.value_of(name)
        return self.whole(name)

    def combine(self, operator, a, b):
        if not a.has_value() or not b.has_value():
            return lacking("undefined")
        if a.domain and b.domain and a.domain != b.domain:
            return lacking("undefined")
        x, y = a.value, b.value
        result = Value(None, worst([a.state, b.state]),
                       doubt=a.doubt or b.doubt,
                       is_sure=a.is_sure and b.is_sure,
                       domain=a.domain or b.domain)
        kept = ("off", "error", "rounding")
        if operator in "+-":
            result.value = x + y if operator == "+" else x - y
            for word in kept:
                setattr(result, word, getattr(a, word) + getattr(b, word))
            result.one = max(a.one, b.one)
        elif operator == "*":
            result.value = x * y
            for word in kept + ("one",):
                setattr(result, word, abs(x) * getattr(b, word) +
                        abs(y) * getattr(a, word))
        elif operator == "/":
            self.divide(result, a, b)
        else:
            result.value = (min if operator == "min" else max)(x, y)
            source = a if result.value == x else b
            for word in ("off", "error", "one"):
                setattr(result, word, getattr(source, word))
            result.rounding = max(a.rounding, b.rounding)
            if x != y and abs(x - y) <= 4 * (a.rounding + b.rounding):
                result.is_sure = False
        if result.value is not None:
            result.rounding += abs(result.value) * ROUNDING
        return result

    def divide(self, result, a, b):
        x, y = a.value, b.value
        if y == 0 and b.rounding > 0 or 0 < abs(y) <= 8 * b.rounding:
            result.is_sure = False
        if y == 0 or abs(y) <= b.error:
            result.state = "undefined"
            return
        result.value = x / y
        off = max(a.off, a.one) if x == 0 else a.off
        result.off = (off + abs(result.value) * b.off) / abs(y)
        result.error = (a.error + abs(result.value) * b.error) / abs(y)
        result.rounding = (a.rounding +
                           abs(result.value) * b.rounding) / abs(y)
        result.doubt = result.doubt or b.off > abs(y) / 10

    # ---- verdicts -----------------------------------------------------------

    def limits(self, name, precision):
        return {side: self.attribute(name, precision + side)
                for side in ("bad", "good")
                if self.attribute(name, precision + side) is not None}

    def shown(self, name):
        """The value as users see it."""
        value = self.values[name]
        scale = self.attribute(name, "scale", Fraction(1))
        return value.value / scale

    def is_doubtful(self, name):
        """(doubtful, is_sure)"""
        value = self.value_of(name)
        if not value.has_value():
            return False, True
        scale = self.attribute(name, "scale", Fraction(1))
        x, off = value.value / scale, value.off / abs(scale)
        slack = value.rounding / abs(scale)
        limits = [self.constant(limit[1]) for p in "sd"
                  for limit in self.limits(name, p).values()]
        is_sure = True
        least, most = self.attribute(name, "range", (None, None))
        # rounding puts nothing outside
        beyond = max([abs(self.constant(bound)) for bound in (least, most)
                      if bound is not None], default=0) / Fraction(10 ** 9)
        for bound, sign in ((least, -1), (most, 1)):
            if bound is None:
                continue
            distance = sign * (x - self.constant(bound))
            if abs(distance - beyond) <= slack:
                is_sure = False
            if distance > beyond:
                return True, is_sure
        if value.doubt:
            return True, is_sure
        for limit in limits:
            if abs(abs(x - limit) - off) <= slack and off > 0:
                is_sure = False
            if abs(x - limit) < off:
                return True, is_sure
        return not limits and off > abs(x), is_sure

    def verdict(self, name, precision="d"):
        """(verdict, is_sure)"""
        value = self.value_of(name)
        limits = self.limits(name, precision)
        if not value.has_value() or not limits:
            return "", True
        is_doubtful, is_sure = self.is_doubtful(name)
        if is_doubtful or value.is_partial:
            return "", is_sure
        upper = self.parents.get(name)
        while upper is not None:
            if "bad" in self.limits(upper, precision) and (
                    bool(self.attribute(upper, "of run")) ==
                    bool(self.attribute(name, "of run"))):
                said, is_upper_sure = self.verdict(upper, precision)
                is_sure = is_sure and is_upper_sure
                if said != "bad":
                    return "neutral", is_sure
            upper = self.parents.get(upper)
        x = self.shown(name)
        for side in ("bad", "good"):
            if side not in limits:
                continue
            is_above, limit = limits[side]
            limit = self.constant(limit)
            if x != limit and abs(x - limit) <= 4 * value.rounding:
                is_sure = False
            if x > limit if is_above else x < limit:
                return side, is_sure
        return "neutral", is_sure
