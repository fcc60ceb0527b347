# SPDX-License-Identifier: BSD-3-Clause
"""make mutants-rules: break each rule of the evaluation of metrics on purpose
(tests/mutants-rules.txt) and see whether the tests notice.

Works on a copy of the source tree and a build of its own, as make mutants does.
Words name the rules to break; without any it is all of them."""

import argparse
import collections
import os
import re
import sys
import time

from mutants import Trouble, Worker, build, can_unshare, configure, \
    distribute, hold, renew_sources

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(HERE, "mutants-rules.txt")
# The quick ones first; what is made by chance in the numbers of the last column.
TESTS = [("metric/evaluate", {}), ("metric/exact", {}), ("metric/tally", {}),
         ("metric/threshold", {}), ("metric/spec", {}), ("metric/hints", {}),
         ("cli/evaluated.py", {"HPM_TEST_CASES": "150"}),
         ("cli/verdicts.py", {"HPM_TEST_FILES": "60"}),
         ("cli/sums.py", {}), ("cli/means.py", {}),
         ("cli/evaluated.py", {"HPM_TEST_CASES": "1000"})]
# Seconds; a test that takes longer has noticed.
PROGRAM_LIMIT, LIMIT = 100, 900

Rule = collections.namedtuple("Rule", "name path before after")


def read_rules():
    """Of the paragraphs: the name; the file; lines with - and lines with +."""
    rules, name = [], None
    with open(RULES, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    for paragraph in filter(None, map(str.strip, re.split(r"\n\n+", text))):
        name, path, *lines = paragraph.split("\n")
        rules.append(Rule(name, path, *(
            "\n".join(line[2:] for line in lines if line.startswith(sign + " "))
            for sign in "-+")))
        if not rules[-1].before or len({rule.name for rule in rules}) < len(rules):
            raise Trouble(f"{RULES}: '{name}' has no line with -, or is there "
                          f"twice")
    return rules


def broken(text, rule):
    """The text of the file with the rule broken; how lines are broken and
    indented makes no difference."""
    letters = r"\s*".join(map(re.escape, "".join(rule.before.split())))
    found = list(re.finditer(letters, text))
    if len(found) != 1:
        raise Trouble(f"{rule.path} has {len(found)} places like "
                      f"'{rule.before}' ({rule.name}); expected one")
    return text[:found[0].start()] + rule.after + text[found[0].end():]


def prepare(work):
    worker = Worker(os.path.join(work, "rules"), can_unshare())
    if renew_sources(distribute(work), worker.src) | configure(worker, []):
        build(worker, os.cpu_count() or 1)
    worker.read_environment()
    return worker


def run_tests(worker):
    """What notices first; None."""
    for test, variables in TESTS:
        worker.environment.update(variables)
        is_good, reason, _ = worker.run(
            "tests/" + test, LIMIT if "." in test else PROGRAM_LIMIT)
        for name in variables:
            del worker.environment[name]
        if not is_good:
            return f"{test}: {reason}"
    return None


def make(worker):
    targets = ["hpm/hpm", "hpmcount/hpmcount"] + [
        f"tests/{test}" for test, _ in TESTS if "." not in test]
    # what the fault leaves without use is no mistake
    return worker.make(f"CFLAGS={worker.flags} -Wno-error", *targets, jobs=os.cpu_count() or 1, is_cached=True)


def try_rule(worker, rule):
    """What notices; None: nothing."""
    path = os.path.join(worker.src, rule.path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(broken(text, rule))
    try:
        got = make(worker)
        if got.returncode != 0:
            raise Trouble(f"'{rule.name}' does not compile:\n"
                          f"{got.stdout[-1500:]}")
        return run_tests(worker)
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(prog="make mutants-rules",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", help="parts of the rules' names")
    parser.add_argument("--work", default="mutants", help="folder for the work")
    options = parser.parse_args()
    try:
        rules = [rule for rule in read_rules() if not options.names or
                 any(name in rule.name for name in options.names)]
        for rule in rules:
            with open(os.path.join(os.path.dirname(HERE), rule.path),
                      encoding="utf-8") as file:
                broken(file.read(), rule)
        hold(os.path.abspath(options.work))
        worker = prepare(os.path.abspath(options.work))
        survivors = []
        for rule in rules:
            began = time.monotonic()
            by = try_rule(worker, rule)
            print(f"{'noticed' if by else 'NOT NOTICED'}: {rule.name}, "
                  f"{time.monotonic() - began:.0f} s"
                  f"{', ' + by[:90] if by else ''}", flush=True)
            survivors += [] if by else [rule.name]
        make(worker)
        by = run_tests(worker)
        print(f"without a fault: {by or 'all tests pass'}")
        print(f"{len(rules) - len(survivors)} of {len(rules)} noticed")
    except Trouble as trouble:
        print(f"make mutants-rules: {trouble}", file=sys.stderr)
        return 2
    return 1 if survivors or by else 0


if __name__ == "__main__":
    sys.exit(main())
