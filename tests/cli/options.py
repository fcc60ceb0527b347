# SPDX-License-Identifier: BSD-3-Clause
"""What the options of hpmcount do, and that help, manual page and completions
know the same ones."""

import csv
import errno
import io
import json
import os
import pty
import re
import shutil
import statistics
import subprocess
import time

import tap
from tap import HPMCOUNT, TOP_SOURCE, equal, files, folder, ok, run

BASH = os.path.join(TOP_SOURCE, "completions", "hpmcount.bash")
FISH = os.path.join(TOP_SOURCE, "completions", "hpmcount.fish")
ZSH = os.path.join(TOP_SOURCE, "completions", "_hpmcount")


def read(*path):
    with open(os.path.join(TOP_SOURCE, *path)) as file:
        return file.read()


def report(result, mark):
    """What of standard error begins with the mark."""
    text = result.stderr.decode()
    return text[text.index(mark):]


# ---- one table ------------------------------------------------------------

def help_text():
    return run([HPMCOUNT, "--help"]).stdout.decode()


def options_of_help():
    """{"--name": ("-x" or "", takes a value)}"""
    found = re.findall(r"^  (?:(-\w),|   ) (--[a-z-]+)( [A-Z]+)?", help_text(),
                       re.M)
    return {name: (letter, bool(value)) for letter, name, value in found}


def test_table():
    options = options_of_help()
    equal(len(options), 41, "--help lists every option")
    words = sorted([*options, *(o[0] for o in options.values() if o[0])])

    # .BI \-e\~ list \fR,\ \fB\-\-events= list
    page = read("doc", "man", "hpmcount.1")
    page = page[page.index("\n.SH OPTIONS"):page.index("\n.SH REPORT")]
    heads = re.findall(r"^\.TP\n(\.B.*)", page.replace("\\-", "-"), re.M)
    named = {}
    for head in heads:
        name = re.search(r"--[a-z-]+", head).group()
        letter = re.search(r" (-\w)\b", head)
        named[name] = (letter.group(1) if letter else "",
                       "=" in head and "[\\fP =" not in head)
    equal(named, options, "the manual page has these, with their letters and "
          "values")

    bash = read("completions", "hpmcount.bash")
    listed = re.search(r"local options='(.*?)'", bash, re.S).group(1).split()
    equal(sorted(listed), words, "the completion for bash offers these")
    valued = re.search(r"takes_value='(.*?)'", bash, re.S).group(1).split()
    expected_valued = [w for n, (l, v) in options.items() if v for w in (n, l)
                       if w]
    equal(sorted(valued), sorted(expected_valued), "and knows which take a value")

    zsh = read("completions", "_hpmcount")
    found = {(name, bool(value)) for name, value in re.findall(
        r"(?:'|,|\{)(--?[a-zA-Z][a-z-]*)([+=](?!-))?(?:=-)?(?=[\[,}])", zsh)}
    expected = {(w, v) for n, (l, v) in options.items() for w in (n, l) if w}
    equal(found, expected, "so does the completion for zsh")
    if shutil.which("zsh"):
        equal(run(["zsh", "-n", ZSH]).stderr, b"", "zsh can read it")
    else:
        tap.skip("zsh can read it", "zsh is missing")

    fish = read("completions", "hpmcount.fish")
    found = {}
    for line in re.findall(r"^__hpmcount_option (.*)", fish, re.M):
        letter = re.search(r"-s (\w)", line)
        found["--" + re.search(r"-l (\S+)", line).group(1)] = (
            "-" + letter.group(1) if letter else "",
            bool(re.search(r" -[xr] ", line)))
    equal(found, options, "and that for fish")
    valued = re.search(r"__hpmcount_valued (.*?)\n\n", fish, re.S).group(1)
    equal(sorted(valued.replace("\\\n", " ").split()), sorted(expected_valued),
          "which knows which take a value, too")

    text = help_text()
    ok(all(group in text for group in ("What to count:", "How often:",
                                       "Where results go:", "Others:")) and
       text.rindex("Examples:") > text.rindex("--version"),
       "the help has groups, and examples at its end")
    ok(max(len(line) for line in text.splitlines()) <= 80,
       "and fits into 80 columns")


def complete(*words):
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
              '_hpmcount; printf "%s\\n" "${COMPREPLY[@]}"')
    result = run(["bash", "-c", script, "bash", BASH, HPMCOUNT, *words])
    return result.stdout.decode().split()


def complete_by_fish(line):
    """What fish offers for the end of hpmcount's line."""
    script = f"source {FISH}; complete -C'{HPMCOUNT} {line}'"
    result = run(["fish", "--no-config", "-c", script])
    return [one.split("\t")[0] for one in result.stdout.decode().splitlines()]


def test_fish():
    if not shutil.which("fish"):
        tap.skip("fish completes", "fish is missing")
        return
    for line, expected in (("--no", ["--no-report"]), ("-e page-f", ["page-faults"]),
                           ("-e task-clock,page-f", ["task-clock,page-faults"]),
                           ("-s SOFT", ["SOFTWARE"]),
                           ("-m IPC,PEAK_M", ["IPC,PEAK_MEMORY"]),
                           ("--format ", ["csv", "json", "text"]),
                           ("--append true --no", [])):
        equal(complete_by_fish(line), expected, f"fish completes: {line}")
    ok("true" in complete_by_fish("-e x tru"), "and the program")


def test_completion():
    if not shutil.which("bash"):
        tap.skip("completion works", "bash is missing")
        return
    equal(complete("--no"), ["--no-report"], "an option is completed")
    equal(complete("-e", "page-f"), ["page-faults"], "an event")
    equal(complete("-e", "task-clock,page-f"), ["task-clock,page-faults"],
          "an event behind another")
    equal(complete("--events", "=", "page-f"), ["page-faults"],
          "an event behind =")
    equal(complete("-s", "SOFT"), ["SOFTWARE"], "a set")
    equal(complete("-m", "IPC,PEAK_M"), ["IPC,PEAK_MEMORY"],
          "a metric behind another")
    equal(complete("--format", ""), ["text", "csv", "json"], "a format")
    ok("true" in complete("-e", "x", "tru"), "the program",
       complete("-e", "x", "tru"))
    equal(complete("--append", "true", "--no"), [],
          "but not what belongs to the program")


# ---- -r -------------------------------------------------------------------

COUNT = ('n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n >n; ')


def series(script, *options, form="json", **variables):
    with folder() as where:
        result = run([HPMCOUNT, "--format", form, *options, "sh", "-c",
                      COUNT + script], folder=where, **variables)
        with open(os.path.join(where, "n")) as file:
            return result, int(file.read()), sorted(os.listdir(where))


def test_repeat():
    with folder() as where:
        result = run([HPMCOUNT, "--format", "json", "-r", "7", "-e",
                      "task-clock,page-faults,nosuch", "-o", "x.hpm.xml",
                      "sh", "-c", ":"], folder=where)
        got = json.loads(result.stderr)
        data = {row["metric"]: row for row in got["data"]}
        names = sorted(os.listdir(where))
        equal(names, [f"x.{i}.hpm.xml" for i in range(1, 8)],
              "-r 7 -o writes seven files")
        ok("'nosuch'" in got["messages"][0],
           "what is said is in the document", got["messages"])
        text = ""
        for name in names:
            with open(os.path.join(where, name)) as file:
                text += file.read()
    faults = [int(v) for v in re.findall(
        r'<data name="page-faults"[^>]* value="(\d+)"', text)]
    row = data["page-faults"]
    ok(len(faults) == 7 and row["runs"] == 7 and
       abs(row["mean"] - statistics.mean(faults)) < 1e-9 and
       abs(row["sdev"] - statistics.stdev(faults)) < 1e-9 and
       (row["min"], row["max"], row["median"]) ==
       (min(faults), max(faults), statistics.median(faults)),
       "mean, deviation, minimum .. are those of the files", (row, faults))
    half = 2.4469 * statistics.stdev(faults) / 7 ** 0.5
    ok(abs(row["high95"] - row["mean"] - half) < 1e-9 and
       abs(row["mean"] - row["low95"] - half) < 1e-9,
       "the interval of the mean is Student's", (row, half))
    row = data["FIRST_TOUCH_RATE"]
    ok(row["runs"] == 7 and row["unit"] == "byte/s" and
       0 < row["min"] < row["median"] < row["max"],
       "metrics are reported, too", row)
    result = run([HPMCOUNT, "-r", "2", "-m", "UTILISATION", "true"])
    names = re.findall(r"^  ([A-Z_]{6,}) ", report(result, "mean"), re.M)
    equal(names, ["UTILISATION"], "and only these, where some are asked for")
    ok(data["nosuch"]["mean"] is None and data["nosuch"]["runs"] == 0 and
       data["nosuch"]["state"] == "unsupported",
       "what cannot be counted has no mean", data["nosuch"])
    equal((got["wanted"], got["warmups"], got["failed"]), (7, 0, []),
          "and the document says what it is of")


def test_numbers():
    """%i, and what stands for it."""
    with folder() as where:
        for options in (["-o", "a-%i.xml"], ["-o", "b%%i"],
                        ["-u", "-o", "c.xml"]):
            run([HPMCOUNT, "-n", "-r", "10", *options, "true"], folder=where)
        names = sorted(os.listdir(where))
        equal([n for n in names if n[0] in "ab"],
              [f"a-{i:02}.xml" for i in range(1, 11)] +
              [f"b%i.{i:02}" for i in range(1, 11)],
              "%i is the run's number; without it that is put in")
        ok(all(re.fullmatch(r"c_0000_\d+\.\d\d\.xml", n) for n in names[20:])
           and len(names) == 30, "-u keeps it", names[20:])
        again = run([HPMCOUNT, "-n", "-r", "10", "-o", "a-%i.xml", "true"],
                    folder=where)
        ok("a-10.xml.1" in os.listdir(where) and
           b"a-01.xml exists already" in again.stderr,
           "a name that exists stays, and that is said", again.stderr)
        run([HPMCOUNT, "-n", "-o", "d.%i", "true"], folder=where)
        ok("d.1" in os.listdir(where), "one run is the first")
    for option in ("-o", "--log"):
        result = run([HPMCOUNT, "-r", "2", option, "x%i/y", "true"])
        ok(result.returncode == 125 and b"%i is the number" in result.stderr,
           f"{option} refuses %i where it says nothing", result.stderr)


def test_messages():
    """What hpmcount says is no part of the program's text, but of the
    report."""
    events = ["-e", "task-clock,nosuch"]
    for repeat in ([], ["-r", "2"]):
        result = run([HPMCOUNT, "--format", "json", *events, *repeat, "true"])
        ok("'nosuch'" in json.loads(result.stderr)["messages"][0],
           f"{' '.join(repeat)} standard error is JSON alone", result.stderr)
        result = run([HPMCOUNT, "--format", "csv", *events, *repeat, "true"])
        lines = result.stderr.decode().splitlines()
        ok(lines[0].startswith("# hpmcount: not counted: 'nosuch'") and
           lines[1].startswith(("section,", "metric,")) and
           not any(line.startswith("#") for line in lines[1:]),
           f"{' '.join(repeat)} CSV has comments before it", lines[:3])
    quiet = json.loads(run([HPMCOUNT, "--format", "json", "-e", "task-clock",
                            "true"]).stderr)
    equal(quiet["messages"], [], "none is an empty list")
    result = run([HPMCOUNT, "--format", "json", *events, "nosuchprogram"])
    ok(result.returncode == 127 and
       re.fullmatch(r"(hpmcount: .*\n){2}", result.stderr.decode()),
       "without a report all is said as text", result.stderr)
    result = run([HPMCOUNT, "-n", "--format", "json", *events, "true"])
    ok(result.stderr.startswith(b"hpmcount: not counted"), "and with -n",
       result.stderr)
    with folder() as where:
        for form in ("json", "csv"):
            for _ in range(3):
                said = run([HPMCOUNT, "--format", form, *events, "--log", form,
                            "--append", "true"], folder=where).stderr
                ok(said.startswith(b"hpmcount: not counted"),
                   f"{form}, --log: it is said, too", said)
        with open(os.path.join(where, "json")) as file:
            documents = [json.loads(line) for line in file]
        equal([len(d["messages"]) for d in documents], [1, 1, 1],
              "--append: a line each")
        with open(os.path.join(where, "csv")) as file:
            lines = file.read().splitlines()
        equal(([line.startswith("section,") for line in lines].count(True),
               lines[0][:8], len({len(row) for row in csv.reader(lines)})),
              (1, "section,", 1), "--append: one heading")
        with open(os.path.join(where, "json"), "a") as file:
            file.write('{"a": 1}')  # and no end of the line
        for _ in range(2):
            run([HPMCOUNT, "--format", "json", "--log", "json", "--append",
                 "true"], folder=where)
        with open(os.path.join(where, "json")) as file:
            lines = [json.loads(line) for line in file]
        equal([line.get("a") for line in lines],
              [None, None, None, 1, None, None],
              "--append: a line that was left open is ended first")


def test_mixed_tables():
    """Each row of a file that several kinds of tables were added to stands
    under the heading of its kind."""
    with folder() as where:
        for words in ([], ["-r", "2"], [], [], ["-r", "2"]):
            run([HPMCOUNT, "-n", *words, "--format", "csv", "--log", "csv",
                 "--append", "true"], folder=where)
        with open(os.path.join(where, "csv")) as file:
            lines = file.read().splitlines()
        headings, wrong = [], 0
        for line in lines:
            if line.startswith(("section,", "metric,")):
                headings.append(line)
            wrong += (len(next(csv.reader([line]))) !=
                      headings[-1].count(",") + 1)
        equal(([line[:6] for line in headings], wrong),
              (["sectio", "metric", "sectio", "metric"], 0),
              "--append of two kinds of tables: a heading where it changes")


def test_table_problems():
    """What is wrong with the values is said beside a table, too."""
    command = [HPMCOUNT, "--format", "csv", "--delay", "1", "-e", "page-faults"]
    if b"not counted" in run([HPMCOUNT, *command[3:], "true"]).stderr:
        tap.skip("problems beside a table", "nothing can be counted here")
        return
    said = r"hpmcount: .*\(--delay\); resource usage is that of the whole run"

    def run_slow(*options, **how):
        for seconds in ("0.1", "1", "10"):  # it may be over before the delay
            result = run([*command, *options, "sleep", seconds], **how)
            if b"ended before the delay was over" not in result.stderr:
                break
        return result
    result = run_slow().stderr.decode()
    ok(re.match("# " + said, result) and "\nsection," in result,
       "a problem of the run stands before CSV", result[:600])
    with folder() as where:
        result = run_slow("--log", "x.csv", folder=where)
        with open(os.path.join(where, "x.csv")) as file:
            table = file.read()
        ok(table.startswith("section,") and
           re.match(said, result.stderr.decode()),
           "beside CSV in a file, on standard error", result.stderr)
    result = run([HPMCOUNT, "--format", "csv", "-r", "2", "-e", "page-faults",
                  "false"]).stderr.decode()
    ok("# hpmcount: run 2: failed (exit status 1) and is not counted here"
       in result.splitlines(), "runs that failed are named", result)


def test_repeat_reports():
    result, n, _ = series(":", "-r", "3", "--warmup", "2", form="text")
    text = report(result, "\nhpmcount: ")
    equal((result.returncode, n), (0, 5), "-r 3 --warmup 2 runs it five times")
    ok("sh, 3 runs after 2 to warm up" in text and
       re.search(r"^  wall clock time +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ s$",
                 text, re.M), "and reports three", text)
    result, _, _ = series(":", "-r", "3", "-e", "page-faults", form="csv")
    table = list(csv.DictReader(io.StringIO(report(result, "metric,")),
                                strict=True))
    ok(all(None not in row.values() and len(row) == 14 for row in table) and
       "page-faults" in [row["metric"] for row in table],
       "the CSV is a table", table)
    # by page faults, not by time: the machine may be busy in any run
    result, _, _ = series("[ $n != 4 ] || for i in 1 2 3 4 5 6 7 8 9; do "
                          "/bin/echo; done >/dev/null", "-r", "8", "-e",
                          "page-faults", form="text")
    notes = [line for line in report(result, "\nhpmcount:").splitlines()
             if " is an outlier: page-faults " in line]
    ok(any(line.startswith("note: run 4 is an outlier: page-faults ")
           for line in notes), "an outlier is named", notes)
    equal(run([HPMCOUNT, "-r", "2", "nosuchprogram"]).returncode, 127,
          "a program that is not found is not tried again")


def test_repeat_failures():
    result, n, _ = series("[ $n != 2 ] || exit 3; [ $n != 4 ] || kill -9 $$",
                          "-r", "5")
    got = json.loads(report(result, "{"))
    equal((result.returncode, n), (3, 5),
          "the status is that of the first run that failed; the others follow")
    equal(got["failed"], [{"run": 2, "why": "exit status 3"},
                          {"run": 4, "why": "ended by signal 9"}],
          "each failed run is named")
    # a quotient of times has no value in a run of which one of them is 0; how much
    # memory a shell took is not known where hpmcount, which became the shell, had
    # more (with sanitizers, after its first run)
    runs = [(row["metric"].islower(), row["runs"]) for row in got["data"]
            if row["state"] == "counted" and row["metric"] != "ru::maxrss"]
    equal(({n for is_count, n in runs if is_count}, max(n for _, n in runs)),
          ({3}, 3), "and none is counted")
    result, n, _ = series("exit 5", "-r", "2", form="text")
    ok(result.returncode == 5 and "sh, 0 runs" in result.stderr.decode() and
       "no run succeeded" in result.stderr.decode() and
       "run 2 failed (exit status 5)" in result.stderr.decode(),
       "where all fail there are no numbers", result.stderr)
    result, n, _ = series("[ $n != 2 ] || kill -INT $PPID; exit 0", "-r", "9")
    ok(result.returncode == 0 and n == 9,
       "a signal the program sends is its own affair", (result.returncode, n))
    # the same, but the second one is taken when the program has ended already
    result, n, _ = series("[ $n != 2 ] && exit 0; kill -STOP $PPID; "
                          "kill -INT $PPID; kill -TERM $PPID; "
                          "{ until grep -q ') Z' /proc/$$/stat;"
                          " do sleep 0.01; done; kill -CONT $PPID; } & exit 0",
                          "-r", "3")
    ok(result.returncode == 0 and n == 3, "also when it has ended by then",
       (result.returncode, n))


def test_interrupt():
    with folder() as where:
        child = subprocess.Popen([HPMCOUNT, "--format", "json", "-r", "50",
                                  "sh", "-c", "trap 'exit 0' INT; echo go; "
                                  "while :; do sleep 0.05; done"],
                                 cwd=where, env=tap.environment(),
                                 preexec_fn=tap.default_signals,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        child.stdout.readline()
        child.send_signal(2)
        out, err = child.communicate(timeout=300)
        got = json.loads(err[err.index(b"{"):])
        equal((child.returncode, out, got["data"][0]["runs"]), (-2, b"", 1),
              "who interrupts a run ends the series, and it is reported")


# ---- --delay --------------------------------------------------------------

def delayed():
    """Rows of a program that computes before the delay is over, and waits until
    after it; again, with more time, where the machine was too busy for that.
    The delay begins with the program, so after `before`."""
    for delay in (1.6, 3.2, 6.4, 12.8, 25.6):
        spin = ("import time; end=time.process_time()+0.2\n"
                "while time.process_time() < end: pass\n"
                "print(time.monotonic())\n"
                f"time.sleep({delay + 0.2})")
        before = time.monotonic()
        result = run([HPMCOUNT, "--format", "csv", "--delay",
                      str(round(delay * 1000)), "-e",
                      "task-clock,ru::utime,ru::stime", "python3", "-S", "-c",
                      spin])
        if float(result.stdout) < before + delay:
            break
    return {row["metric"]: row for row in csv.DictReader(
        io.StringIO(report(result, "section,"))) if row["scope"] == "process"}


def test_delay():
    rows = delayed()
    if rows["task-clock"]["value"] == "":
        tap.skip("--delay leaves out what comes before",
                 rows["task-clock"]["state"])
    else:
        ok(int(rows["task-clock"]["value"]) < 100000000,
           "--delay leaves out what comes before", rows["task-clock"])
    ok(int(rows["ru::utime"]["value"]) + int(rows["ru::stime"]["value"]) >
       190000000, "resource usage is that of the whole run", rows)

    def is_in_time(result):
        """Else the machine stood still until the program had ended."""
        return b"ended before the delay was over" not in result.stderr

    result = tap.undisturbed(
        lambda: run([HPMCOUNT, "-v", "--delay", "400", "sleep", "3"]), is_in_time)
    text = report(result, "\nhpmcount: ")
    wall = float(re.search(r"wall clock time +([\d.]+)", text).group(1))
    whole = re.search(r"begin ([\d.]+) s after the start \(--delay\)", text)
    ok(0 < wall and float(whole.group(1)) >= 0.4,
       "time begins with counting, and the report says so", text)
    ok("SYSTEM_SHARE" not in text, "no metric is made of parts that differ",
       text)
    text = tap.undisturbed(
        lambda: run([HPMCOUNT, "--delay", "1", "-m", "SYSTEM_SHARE,UTILISATION", "-e",
                     "ru::utime,ru::stime", "sleep", "1"]),
        is_in_time).stderr.decode()
    ok(re.search(r"^  SYSTEM_SHARE +- +needs 'ru::stime', which was not counted",
                 text, re.M),
       "one that was asked for has a reason, even where these are events", text)
    found = re.search(r"^  UTILISATION +([\d.]+) %", text, re.M)
    ok(found and float(found.group(1)) < 50,
       "one that can do without resource usage is measured", text)
    result = run([HPMCOUNT, "--delay", "60000", "-e", "page-faults", "true"])
    text = report(result, "\nhpmcount: ")
    ok(re.search(r"page-faults +- +unscheduled", text) and
       "ended before the delay was over" in text,
       "a run shorter than the delay has no counts, and it is said why", text)


# ---- where results go -----------------------------------------------------

def test_names():
    for options, variables, expected in (
            (["-u", "-o", "a.hpm.xml"], {}, r"a_0000_\d+\.hpm\.xml"),
            (["-u", "-o", "a"], {"PMI_RANK": 2}, r"a_0002_\d+"),
            (["-u"], {}, r"true_0000_\d+\.hpm\.xml"),
            (["-u", "--log", "a.b.txt"], {}, r"a\.b_0000_\d+\.txt"),
            (["-u", "-o", "%p-x"], {}, r"\d+-x_0000"),
            (["-o", "a.hpm.xml"], {"PMI_RANK": 7}, r"a_0007\.hpm\.xml"),
            (["-o", "a.%r"], {"SLURM_PROCID": 7}, r"a\.0007"),
            (["-o", "100%%r"], {"PMI_RANK": 1}, r"100%r_0001"),
            (["--log", "a"], {"OMPI_COMM_WORLD_RANK": 12}, r"a_0012"),
            (["--log", ".a"], {"PMI_RANK": 1}, r"\.a_0001"),
            (["--log", "a", "--append"], {"PMI_RANK": 1}, r"a"),
            ([], {"PMI_RANK": 1, "HPM_OUTPUT_NAME": "e.xml"}, r"e_0001\.xml")):
        with folder() as where:
            result = run([HPMCOUNT, *options, "true"], folder=where,
                         **variables)
            names = os.listdir(where)
            ok(result.returncode == 0 and len(names) == 1 and
               re.fullmatch(expected, names[0]),
               f"{' '.join(options) or 'HPM_OUTPUT_NAME'} {variables or ''}",
               (names, result.stderr[:300]))


def check_descriptors():
    """Reports to what is open already."""
    program = ["sh", "-c", "echo out; echo err >&2; exit 3"]
    for option in (["--log", "-"], ["--log", "/dev/stdout"],
                   ["--log", "/dev/fd/1"], ["--log-fd", "1"]):
        with folder() as where:
            result = run([HPMCOUNT, *option, *program], folder=where)
            ok(result.returncode == 3 and result.stderr == b"err\n" and
               result.stdout.startswith(b"out\n") and
               b"wall clock time" in result.stdout and not os.listdir(where),
               f"{' '.join(option)}: to standard output", result)
    result = run(["sh", "-c", '"$@" 7>&1 >/dev/null', "sh", HPMCOUNT,
                  "--format", "json", "--log-fd", "7", *program])
    ok(json.loads(result.stdout)["run"]["exit"] == "3" and
       result.stderr == b"err\n", "--log-fd 7: JSON to a pipe", result)
    if shutil.which("bash"):
        result = run(["bash", "-c", '"$0" --log >(cat; echo end) true; wait $!',
                      HPMCOUNT])
        ok(b"wall clock time" in result.stdout and
           result.stdout.endswith(b"end\n") and result.stderr == b"",
           "--log >(command): to the command", result)
    for option in (["--log-fd", "77"], ["--log", "/dev/fd/77"],
                   ["--log-fd", "5"], ["--log-fd", "x"]):
        result = run(["sh", "-c", '"$@" 5</dev/null', "sh", HPMCOUNT, *option,
                      *program])
        ok(result.returncode == 125 and b"--log" in result.stderr and
           result.stdout == b"", f"{' '.join(option)} is refused",
           result.stderr)
    result = run(["sh", "-c", '"$@" >/dev/full', "sh", HPMCOUNT, "--log", "-",
                  "sh", "-c", "exit 3"])
    ok(result.returncode == 3 and b"wall clock time" in result.stderr and
       b"cannot write to file descriptor 1" in result.stderr,
       "where it cannot be written it goes to standard error", result)


def test_log():
    with folder() as where:
        log = os.path.join(where, "log")
        with open(log, "w") as file:
            file.write("first\n")
        for _ in range(2):
            result = run([HPMCOUNT, "--log", "log", "--append", "true"],
                         folder=where)
        with open(log) as file:
            text = file.read()
        ok(text.startswith("first\n") and text.count("hpmcount: true") == 2 and
           result.stderr == b"" and os.listdir(where) == ["log"],
           "--append adds reports to a file", text[:300])
    check_descriptors()
    result = run([HPMCOUNT, "-n", "sh", "-c", "echo out; echo err >&2; exit 3"])
    equal((result.returncode, result.stdout, result.stderr),
          (3, b"out\n", b"err\n"), "-n: no report")
    with folder() as where:
        run([HPMCOUNT, "-n", "--log", "log", "-o", "x", "true"], folder=where)
        equal(sorted(os.listdir(where)), ["log", "x"],
              "but what goes to files goes there")
    for options, word in ((["--append"], "--log"), (["-r", "0"], "-r"),
                          (["-r", "x"], "whole number"), (["-r", "-1"], "-r"),
                          (["--warmup", "1.5"], "--warmup"),
                          (["--delay", "1s"], "--delay")):
        result = run([HPMCOUNT, *options, "true"])
        ok(result.returncode == 125 and word in result.stderr.decode() and
           result.stderr.count(b"\n") == 1,
           f"{' '.join(options)} is refused in one line", result.stderr)


def on_terminal(*options, **variables):
    """Standard error as a terminal shows it."""
    master, slave = pty.openpty()
    child = subprocess.Popen([HPMCOUNT, *options], stderr=slave,
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL,
                             env=tap.environment(**variables))
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            piece = b""
        if not piece:
            break
        text += piece
    os.close(master)
    child.wait()
    return text.decode().replace("\r", "")


def test_switches():
    """A process that ends leaves the processor once more, uncounted."""
    text = run([HPMCOUNT, "-v", "-e", "context-switches", "sh", "-c",
                "for i in 1 2 3 4 5 6 7 8 9 10; do (:); done"]).stderr.decode()
    counts = [int(value.replace(",", "")) for value in
              re.findall(r"^  (?:(?:in)?voluntary context |context-)switches +"
                         r"([\d,]+)", text, re.M)]
    if len(counts) < 3:
        tap.skip("switches in getrusage and in counters", "not counted here")
        return
    # of ten subshells: that of the shell itself is counted now and then
    ok(counts[0] + counts[1] - counts[2] >= 10,
       "getrusage has the end of each process more than counters", text)
    ok(re.search(r"^  voluntary .* with the end of each process", text, re.M),
       "and the report says so where both stand", text)


def test_misspelt():
    """An option that is wrong, and those that may be meant."""
    for word, expected in (
            ("--per", "'--per' is ambiguous; expected --per-thread or "
                      "--per-core"),
            ("--form=csv", "expected --format or --formulas"),
            ("--repaet", "'--repaet' is unknown; did you mean '--repeat'?"),
            ("--metircs=IPC", "is unknown; did you mean '--metrics'?"),
            ("--list=x", "option '--list' takes no value; try 'hpmcount "
                         "--help'"),
            ("--per-thread=1", "option '--per-thread' takes no value; try"),
            ("--zebra", "'--zebra' is unknown; try 'hpmcount --help'")):
        result = run([HPMCOUNT, word, "true"])
        ok(result.returncode == 125 and
           expected in result.stderr.decode() and
           result.stderr.count(b"\n") == 1,
           f"{word}: {expected}", result.stderr.decode())


def test_full_disk():
    for option in ("--help", "--version", "-l"):
        with open("/dev/full", "wb") as full:
            result = tap.run_to(full, [HPMCOUNT, option])
        equal((result.returncode, result.stderr.count(b"\n")), (125, 1),
              f"{option} to a full disk is a failure, and it is said")


def lines_on_terminal(columns, *words):
    text = on_terminal(*words, TERM="dumb", COLUMNS=columns)
    return text.strip("\n").split("\n")


def test_narrow():
    """What is most of the time in the kernel, or asleep, has the most to say."""
    copy = "dd if=/dev/zero of=/dev/null bs=1 count=300000 2>&1"
    for words in (["sh", "-c", copy], ["sleep", "0.3"]):
        wide = lines_on_terminal(80, *words)
        narrow = lines_on_terminal(60, *words)
        report = [line for line in narrow if line[:6] not in ("note: ", " " * 6)
                  or line[:19] == " " * 19]
        ok(len(report) <= 12 and max(map(len, narrow)) <= 60 and
           narrow[0] == wide[0] and
           any(line.startswith("  more ") for line in report),
           f"the first screen of {words[0]} has 12 lines at 60 columns", narrow)
    ok(any(" busy" in line and line.startswith("  processor time ")
           for line in narrow),
       "and says in one line how busy the processors were", narrow)
    words = ("-e", "nosuch,page-faults", "true")
    lines = lines_on_terminal(60, *words)
    notes = [i for i, line in enumerate(lines) if line.startswith("note: ")]
    ok(notes and all(len(lines[i]) <= 60 for i in notes) and
       any(lines[i + 1].startswith("      ") for i in notes),
       "notes of counters that were chosen are broken on a terminal", lines)
    notes = [line for line in run([HPMCOUNT, *words]).stderr.decode().split("\n")
             if line.startswith("note: ")]
    ok(any(len(note) > 80 for note in notes),
       "and one line each where a program may read them", notes)


def test_colour():
    if "NO_COLOR" in os.environ:
        del os.environ["NO_COLOR"]
    words = ("-e", "nosuch,page-faults", "true")
    coloured = on_terminal(*words, TERM="xterm")
    ok("\033[1mcounters\033[0m" in coloured and "\033[2m" in coloured and
       "\033[33mnote: " in coloured, "a report on a terminal has colour",
       coloured)
    for variables, sentence in (({"TERM": "xterm", "NO_COLOR": "1"}, "NO_COLOR"),
                                ({"TERM": "dumb"}, "TERM=dumb"),
                                ({"TERM": ""}, "no TERM")):
        ok("\033" not in on_terminal(*words, **variables),
           f"but not with {sentence}")
    ok("\033" not in on_terminal("--format", "json", *words, TERM="xterm"),
       "nor for programs")
    ok(b"\033" not in run([HPMCOUNT, *words], TERM="xterm").stderr,
       "nor where there is no terminal")
    text = on_terminal("-r", "2", "--warmup", "1", "true", TERM="dumb")
    lines = text.splitlines()
    ok(lines[0] == "hpmcount: warm-up 1 of 1" and
       re.fullmatch(r"hpmcount: run 1 of 2: [\d.]+ s", lines[1]),
       "on a terminal a series shows its progress", text)
    ok(b"run 1 of 2" not in run([HPMCOUNT, "-r", "2", "true"]).stderr,
       "and elsewhere it does not")


# ---- launchers ------------------------------------------------------------

def test_launchers():
    with folder() as where:
        for name in ("mpirun", "mpiexec.hydra", "srun", "orterun", "app"):
            path = os.path.join(where, name)
            with open(path, "w") as file:
                file.write("#!/bin/sh\necho started\n")
            os.chmod(path, 0o755)
        here = where + ":" + os.environ["PATH"]
        for words, order in (
                (["-e", "cycles", "mpirun", "-n", "4", "./app", "-n", "5"],
                 "mpirun -n 4 hpmcount -e cycles ./app -n 5"),
                (["--", "srun", "--ntasks=2", "app"],
                 "srun --ntasks=2 hpmcount app"),
                (["mpiexec.hydra", "-f", "hosts", "true", "a b"],
                 "mpiexec.hydra -f hosts hpmcount true 'a b'"),
                (["orterun", "-n", "2", "nosuch"],
                 "orterun ... hpmcount program")):
            result = run([HPMCOUNT, *words], folder=where, PATH=here)
            ok(result.returncode == 125 and result.stdout == b"" and
               result.stderr.count(b"\n") == 1 and
               f": {order} (".encode() in result.stderr,
               f"hpmcount {' '.join(words)}: refused, and the right order shown",
               result.stderr)
        result = run([HPMCOUNT, "-n", "--yes-launcher", "mpirun", "-n", "4",
                      "./app"], folder=where, PATH=here)
        equal((result.returncode, result.stdout), (0, b"started\n"),
              "--yes-launcher counts the launcher")
        result = run([HPMCOUNT, "-n", "sh", "-c", "mpirun x"], folder=where,
                     PATH=here)
        equal(result.stdout, b"started\n", "what starts one is not refused")


test_table()
test_completion()
test_fish()
test_repeat()
test_numbers()
test_messages()
test_mixed_tables()
test_table_problems()
test_repeat_reports()
test_repeat_failures()
test_interrupt()
test_delay()
test_names()
test_log()
test_switches()
test_narrow()
test_colour()
test_launchers()
test_misspelt()
test_full_disk()
tap.done()
