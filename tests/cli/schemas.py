# SPDX-License-Identifier: BSD-3-Clause
"""What the programs print as JSON is as xsd/*.schema.json say, which are
installed for those who read it."""

import copy
import json
import os
import subprocess

import tap
from reports import data, known_files, record, task_file, write
from tap import HPM, HPMCOUNT, TOP_SOURCE, folder, ok, program, run

EDGES = program("tests/programs/edges")
CHECK = """import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema)
for line in sys.stdin:
    print(next((e.message[:300] for e in check.iter_errors(json.loads(line))),
               "valid"))
"""


def python_with_jsonschema():
    for python in ("python3", "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", "import jsonschema"],
                              stderr=subprocess.DEVNULL).returncode == 0:
                return python
        except OSError:
            pass
    return None


def verdicts(schema, documents):
    """Of each document, "valid" or what is wrong with it."""
    path = os.path.join(TOP_SOURCE, "xsd", schema + ".schema.json")
    result = subprocess.run([PYTHON, "-W", "ignore", "-c", CHECK, path],
                            input="\n".join(map(json.dumps, documents)).encode(),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = result.stdout.decode().splitlines()
    return lines if len(lines) == len(documents) else [result.stderr.decode()]


def check(schema, documents, sentence):
    found = verdicts(schema, documents)
    return ok(set(found) == {"valid"}, sentence, "\n".join(found))


def strange_file(where):
    """Every state, a partial sum, words a user chose."""
    states = ("counted", "shared", "inferred", "recorded", "lost",
              "unscheduled", "unsupported")
    values = [data(f"E_{s}", 5, exclusive=5, state=s, share=0.5, error=1)
              if n < 4 else data(f"E_{s}", None, state=s, reason="so it is")
              for n, s in enumerate(states)]
    return write(where, "strange.hpm.xml", task_file(0, [
        record(1, 0, 0, "a &quot;b&quot; &#9;", 1, 1, values),
        record(2, 1, 0, "", 1, 1, values[:2], parent=None)]))


def reports(paths, *more):
    return [json.loads(run([HPM, "report", "--by", by, "--format", "json",
                            *more, *paths]).stdout)
            for by in ("section", "tree", "task", "thread", "metric", "file")]


def test_report():
    with folder() as where:
        known = known_files(where)
        documents = reports(known)
        documents += reports([strange_file(where)])
        for name, command in (("mean", ["mean"]), ("diff", ["diff"])):
            made = os.path.join(where, name)
            run([HPM, *command, "-o", made, *known[:2]])
            if os.path.exists(made):
                documents += reports([made])
        run([EDGES, "0z20", "0+1=a", "1+2=b", "1-2", "0-1", "0p+3=c"],
            folder=where)
        documents += reports([os.path.join(where, name)
                              for name in os.listdir(where)
                              if name.startswith("edges")])
        waiting = write(where, "waiting.hpm.xml", task_file(0, [
            record(1, 0, 0, "sleep", 1, 1, [data("task-clock", 1000000,
                                                 exclusive=1000000,
                                                 unit="ns")])]))
        documents += reports([waiting])
        ok(documents[-6]["hints"], "what waits has hints", documents[-6])
        check("report", documents, f"{len(documents)} reports of all kinds")
        test_faults("report", documents[0])


def planted(document):
    """The document with one fault each."""
    for key in document:
        without = copy.deepcopy(document)
        del without[key]
        yield without
    for change in ({"version": 7}, {"more": 1}):
        yield {**copy.deepcopy(document), **change}
    for change in ({"state": "odd"}, {"value": "5"}, {"more": None}):
        broken = copy.deepcopy(document)
        broken["data"][0].update(change)
        yield broken


def test_faults(schema, document):
    found = verdicts(schema, list(planted(document)))
    ok(len(found) > 6 and "valid" not in found,
       f"{schema}: what is missing, new or of another kind is refused",
       "\n".join(found))


def test_hpmcount():
    documents = []
    for arguments in ([], ["-m", "all"], ["-e", "nosuch,page-faults"],
                      ["-r", "3"], ["-r", "2", "-e", "nosuch"]):
        for command in (["true"], ["sh", "-c", "exit 3"]):
            result = run([HPMCOUNT, "--format", "json", *arguments, *command])
            documents.append(json.loads(result.stderr))
    for arguments in ([], ["-r", "2"]):  # a program that gives hints
        result = run([HPMCOUNT, "--format", "json", *arguments, "sleep", "0.2"])
        documents.append(json.loads(result.stderr))
    ok(all(document["hints"] for document in documents[-2:]),
       "one that waits has hints", documents[-1])
    check("count", documents, "hpmcount: one run and several")
    result = run([HPMCOUNT, "--format", "json", "-r", "2", "false"])
    failed = json.loads(result.stderr)
    ok(len(failed["failed"]) == 2 and
       all(row["state"] != "counted" for row in failed["data"]) and
       verdicts("count", [failed]) == ["valid"],
       "of runs that all fail nothing is said to be counted", failed)
    test_faults("count", documents[0])


def test_intervals():
    result = run([HPMCOUNT, "--format", "json", "-I", "20", "-e",
                  "page-faults,nosuch", "sh", "-c", "sleep 0.1"])
    lines = [json.loads(line) for line in result.stderr.decode().splitlines()]
    ok({line.get("kind") for line in lines} == {"interval", "sum", None} and
       verdicts("count", lines) == ["valid"] * len(lines),
       "hpmcount -I: each line, and the report at the end",
       verdicts("count", lines))
    faults = [{**lines[0], **change} for change in (
        {"kind": "odd"}, {"count": "5"}, {"state": None}, {"more": 1})]
    faults += [{k: v for k, v in lines[0].items() if k != key}
               for key in lines[0]]
    found = verdicts("count", faults)
    ok(len(found) == len(faults) and "valid" not in found,
       "and no line with a fault", found)


def test_doctor():
    with folder() as where:
        documents = [json.loads(run([HPM, "doctor", *more, "--json"],
                                    HPM_MACHINE=where).stdout)
                     for more in ([], ["--overhead"], ["--roofs"],
                                  ["--verify", "-e", "page-faults"])]
    check("doctor", documents, "hpm doctor")


def test_metrics():
    documents = [json.loads(run([HPM, "metrics", *more, "--json"]).stdout)
                 for more in ([], ["--all"])]
    check("metrics", documents, "hpm metrics")


def test_plan():
    documents = [json.loads(run([HPM, "plan", *more, "--json"]).stdout)
                 for more in ([], ["--on", "core"], ["-e", "task-clock"])]
    check("plan", documents, "hpm plan")


def test_compare():
    with folder() as where:
        paths = known_files(where)
        documents = [json.loads(run(
            [HPM, "compare", "--format", "json", *more], folder=where).stdout)
            for more in (["-r", "3", "--", "true", "--", "true"],
                         ["-r", "6", "--fail-if", "TIME > +3 %", "--", "true",
                          "--", "true", "--", "true"],
                         [*paths[:1], "--", *paths[1:]])]
    check("compare", documents, "hpm compare")


PYTHON = python_with_jsonschema()
if PYTHON is None:
    tap.skip("JSON is as the schemas say", "Python has no jsonschema (apt-get "
             "install python3-jsonschema)")
else:
    if os.path.exists(HPM) and run([HPM, "report", "--help"]).returncode == 0:
        test_report()
        test_compare()
    test_hpmcount()
    test_intervals()
    test_doctor()
    test_metrics()
    test_plan()
tap.done()
