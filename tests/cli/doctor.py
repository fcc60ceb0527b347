# SPDX-License-Identifier: BSD-3-Clause
"""hpm doctor: what can be counted here, and what measuring costs."""

import errno
import json
import os
import re
import shutil
import sys

import tap
from tap import HPM, TOP_BUILD, equal, folder, ok, program, run

REFUSE = program("tests/programs/refuse")
HELPER = os.path.join(TOP_BUILD, "hpm", "hpm-empty-sections")
SCENARIOS = [("thread", "empty"), ("thread", "around an empty one"),
             ("thread", "the clock read twice"),
             ("thread", "empty, first call"), ("thread", "around a first call"),
             ("process", "empty"), ("process", "around an empty one")]
PAPER_EVENTS = ["cycles", "instructions", "L1-dcache-loads",
                "L1-dcache-stores", "L1-icache-load-misses",
                "L1-dcache-load-misses", "dTLB-load-misses"]


# ---- what can be counted ----------------------------------------------------

class Diagnosis:
    """One hpm doctor, by --json."""

    def __init__(self, *before, **variables):
        self.result = run([*before, HPM, "doctor", "--json"], **variables)
        try:
            self.report = json.loads(self.result.stdout)
        except ValueError:
            self.report = {}
        self.findings = {row["check"]: row
                         for row in self.report.get("findings", [])}

    def state(self, check):
        return self.findings.get(check, {}).get("state")

    def detail(self):
        return "\n".join(map(str, (self.result, self.report)))


def names(diagnosis, sentence, usable, check, cause, remedy):
    """The one cause and its remedy, with the words wanted."""
    report = diagnosis.report
    faults = [row["check"] for row in diagnosis.findings.values()
              if row["state"] == "fault"]
    ok(diagnosis.result.returncode == 1 and not diagnosis.result.stderr and
       report.get("usable") == usable and report.get("check") == check and
       faults[:1] == [check] and
       all(word in report["cause"] for word in cause) and
       all(word in report["remedy"] for word in remedy),
       sentence, diagnosis.detail())


def test_refused():
    for number, word in ((errno.EPERM, "refuses"), (errno.ENOSYS, "hides")):
        name = errno.errorcode[number]
        diagnosis = Diagnosis(REFUSE, str(number))
        names(diagnosis, f"seccomp, {name}: the filter, and how to open it",
              "none", "kernel",
              ["seccomp filter", word, os.strerror(number)],
              ["PERFMON", "seccomp profile"])
        equal((diagnosis.state("seccomp"), diagnosis.state("hardware")),
              ("note", None), f"seccomp, {name}: the processor is not blamed")


def test_paranoid():
    sentence = "paranoid 4 and EACCES: the level, and the command that lowers it"
    reason = tap.no_preload()
    with folder() as where:
        level = os.path.join(where, "level")
        with open(level, "w") as file:
            file.write("4\n")
        command = tap.in_namespace(f"mount --bind '{level}' "
                               "/proc/sys/kernel/perf_event_paranoid")
        if reason or not command:
            tap.skip(sentence, reason or "no file can be mounted here")
            return
        always = {"FAKE_FAIL_AT": 1, "FAKE_FAIL_FOREVER": 1}
        names(Diagnosis(*command, **tap.fake_pmu(FAKE_ERRNO=errno.EACCES,
                                                 **always)),
              sentence, "none", "kernel", ["perf_event_paranoid is 4"],
              ["sysctl kernel.perf_event_paranoid=2", "CAP_PERFMON"])
        diagnosis = Diagnosis(*command)
        ok(diagnosis.state("paranoid") == "note" and
           diagnosis.report["check"] != "kernel",
           "paranoid 4 without EACCES (a capability): not the cause",
           diagnosis.detail())


def test_namespace():
    """A capability of a user namespace is worth nothing for counting."""
    sentence = "unshare -Ur: the capability is not called in effect"
    command = ["unshare", "-Ur"]
    if not shutil.which("unshare") or run([*command, "true"]).returncode != 0:
        tap.skip(sentence, "no user namespace can be made here")
        return
    with open("/proc/sys/kernel/perf_event_paranoid") as file:
        level = int(file.read())
    diagnosis = Diagnosis(*command)
    if level < 2 or diagnosis.state("kernel") != "ok":
        tap.skip(sentence, "everybody may count the kernel here, or nothing")
        return
    row = diagnosis.findings["capability"]
    ok(row["state"] == "note" and "user namespace" in row["finding"] and
       diagnosis.state("paranoid") in ("note", "ok" if level > 2 else "note"),
       sentence, diagnosis.detail())
    outside = Diagnosis()
    if os.geteuid() == 0 and "not" not in \
            outside.findings["capability"]["finding"]:
        equal((outside.findings["capability"]["finding"],
               level == 2 and outside.findings["paranoid"]["remedy"]),
              ("CAP_PERFMON is in effect", None if level == 2 else False),
              "outside it is, and the level needs no remedy")
    said = run([*command, tap.HPMCOUNT, "-e", "context-switches",
                "true"]).stderr.decode()
    ok("SELinux" not in said and
       "sysctl kernel.perf_event_paranoid=1" in said and
       "user namespace" in said,
       "and hpmcount names the level, and the namespace", said)


def test_no_pmu():
    sentence = "no PMU: this is said, and where to get one"
    diagnosis = Diagnosis()
    if diagnosis.state("hardware") != "fault":
        tap.skip(sentence, "this machine's counters can be used")
        return
    if diagnosis.state("hypervisor") == "note":
        names(diagnosis, sentence, "none", "hardware",
              ["virtual machine has no PMU"], ["pmu=on", "metal"])
    else:
        names(diagnosis, sentence, "none", "hardware", [], [])
    equal((diagnosis.state("kernel"), diagnosis.state("libpfm4") == "fault",
           diagnosis.state("PAPI") == "fault"), ("ok", False, False),
          "no PMU: neither the kernel nor libraries are blamed")
    ok("counts hardware events" not in diagnosis.findings["PAPI"]["finding"],
       "and PAPI is not said to count what is not there", diagnosis.detail())


def is_emerald_rapids():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        text = file.read()
    return all(re.search(rf"^{key}\s*: {value}$", text, re.M)
               for key, value in (("vendor_id", "GenuineIntel"),
                                  ("cpu family", 6), ("model", 207)))


def test_counting():
    sentence = "counters that can be used: 0"
    reason = tap.no_preload()
    if reason or not tap.has_libpfm():
        tap.skip(sentence, reason or "built without libpfm4")
        return
    all_well = tap.fake_pmu(LIBPFM_FORCE_PMU="skx")
    diagnosis = Diagnosis(**all_well)
    report = diagnosis.report
    ok(diagnosis.result.returncode == 0 and report["usable"] == "all" and
       report["check"] is report["cause"] is report["remedy"] is None and
       "fault" not in map(diagnosis.state, diagnosis.findings),
       sentence, diagnosis.detail())
    ok(diagnosis.findings["libpfm4"]["finding"].endswith("skx"),
       "libpfm4 names the PMU", diagnosis.detail())
    text = run([HPM, "doctor"], **all_well).stdout.decode()
    ok(text.startswith("hardware counters usable: all\n\nok ") and
       "cause" not in text, "and no cause is printed", text)
    names(Diagnosis(**tap.fake_pmu(LIBPFM_FORCE_PMU="perf")),
          "a PMU libpfm4 does not know: its version, and what counts meanwhile",
          "in part", "libpfm4", ["libpfm4 4", "does not know this processor"],
          ["newer libpfm4", "hpmcount -l"] +
          ["LIBPFM_FORCE_PMU=spr"] * is_emerald_rapids())
    names(Diagnosis(**{**all_well, "FAKE_ZERO": 1}),
          "counters that read 0: a partial PMU, and whom to ask",
          "none", "hardware", ["read 0", "partial"], ["provider"])


def test_no_sys():
    sentence = "no /sys: that it is not mounted, and the command that does it"
    hide = tap.in_namespace("umount -l /sys || mount -t tmpfs none /sys")
    if not hide:
        tap.skip(sentence, "nothing can be unmounted here")
        return
    diagnosis = Diagnosis(*hide)
    if diagnosis.state("hardware") == "fault":
        names(diagnosis, sentence, "none", "hardware",
              ["/sys", "not mounted"], ["mount -t sysfs"])
    else:
        names(diagnosis, sentence, "in part", "sysfs",
              ["/sys is not mounted"], ["mount -t sysfs"])
    if not tap.no_preload():
        names(Diagnosis(*hide, **tap.fake_pmu(LIBPFM_FORCE_PMU="skx")),
              "no /sys, but counters: their names are missed",
              "in part", "sysfs", ["/sys is not mounted"], ["mount -t sysfs"])


def test_no_proc():
    # there may be another one below it
    hide = tap.in_namespace("umount -l /proc; "
                            "while umount -l /proc 2>/dev/null; do :; done")
    if not hide:
        tap.skip("no /proc: said", "nothing can be unmounted here")
        return
    diagnosis = Diagnosis(*hide)
    ok(diagnosis.result.returncode in (0, 1) and
       diagnosis.findings["paranoid"]["remedy"] == "mount /proc" and
       diagnosis.findings["seccomp"]["remedy"] == "mount /proc",
       "no /proc: what cannot be read is said", diagnosis.detail())


def test_machine():
    container = Diagnosis(KUBERNETES_SERVICE_HOST="10.0.0.1")
    equal(container.state("container"), "note", "a container is seen")
    sentences = ["the NMI watchdog: it keeps a counter, and how to stop it",
                 "cores of several kinds: which, and how to keep to one"]
    with folder() as where:
        with open(os.path.join(where, "one"), "w") as file:
            file.write("1\n")
        for pmu in ("cpu_core", "cpu_atom", "power"):
            os.makedirs(os.path.join(where, "devices", pmu))
        for pmu in ("cpu_core", "cpu_atom"):
            with open(os.path.join(where, "devices", pmu, "cpus"), "w") as file:
                file.write("0-7\n")
        mounted = tap.in_namespace(
            f"mount --bind '{where}/one' /proc/sys/kernel/nmi_watchdog; "
            f"mount --bind '{where}/devices' /sys/bus/event_source/devices")
        reason = tap.no_preload()
        if reason or not mounted:
            for sentence in sentences:
                tap.skip(sentence, reason or "no file can be mounted here")
            return
        hybrid = Diagnosis(*mounted, **tap.fake_pmu())
        watchdog, cores = (hybrid.findings.get(check, {})
                           for check in ("watchdog", "cores"))
        ok(watchdog.get("state") == "note" and
           "nmi_watchdog=0" in watchdog["remedy"], sentences[0],
           hybrid.detail())
        ok(cores.get("state") == "note" and "cpu_core" in cores["finding"] and
           "cpu_atom" in cores["finding"] and "power" not in cores["finding"]
           and "taskset" in cores["remedy"], sentences[1], hybrid.detail())
        names(Diagnosis(*mounted, **tap.fake_pmu(
                  FAKE_FAIL_AT=2, FAKE_FAIL_FOREVER=1, FAKE_ERRNO=errno.EBUSY)),
              "EBUSY: the counters are taken, and by whom", "none", "hardware",
              ["taken"], ["nmi_watchdog=0", "profilers"])


def test_limits():
    few = Diagnosis("sh", "-c", 'ulimit -n 100; exec "$@"', "sh")
    ok(few.state("descriptors") == "note" and
       "100 file descriptors" in few.findings["descriptors"]["finding"] and
       "ulimit -n" in few.findings["descriptors"]["remedy"],
       "few file descriptors: how many threads they are enough for",
       few.detail())
    names(Diagnosis("sh", "-c", 'ulimit -n 5; exec "$@"', "sh"),
          "hardly any: nothing is counted, and how to raise the limit",
          "none", "kernel", ["too few file descriptors"], ["ulimit -n"])
    locked = Diagnosis("sh", "-c", 'ulimit -l 64; exec "$@"', "sh")
    ok("64 kB" in locked.findings["locked memory"]["finding"],
       "how much memory can be locked", locked.detail())


def test_report():
    report = Diagnosis().report
    result = run([HPM, "doctor"])
    lines = result.stdout.decode().splitlines()
    ok(lines[0] == f"hardware counters usable: {report['usable']}" and
       (report["cause"] is None or
        lines[1:3] == [f"cause:  {report['cause']}",
                       f"remedy: {report['remedy']}"]),
       "text begins with what can be used, the cause and the remedy", lines)
    rows = [f"{row['state']:5}  {row['check']:13}  {row['finding']}" +
            (f"; {row['remedy']}" if row["remedy"] else "")
            for row in report["findings"]]
    equal(lines[lines.index("") + 1:], rows,
          "then a line for each finding, with its remedy")
    checks = [row["check"] for row in report["findings"]]
    ok(len(set(checks)) == len(checks) and
       {"kernel", "sysfs", "libpfm4", "PAPI", "paranoid", "capability",
        "seccomp", "container", "hypervisor", "descriptors", "locked memory"} <=
       set(checks), "all is looked at once", checks)


# ---- what measuring costs ---------------------------------------------------

def overhead(*options, preload={}, **variables):
    """The tables of --json, and the result."""
    result = run([HPM, "doctor", "--overhead", "--json", *options], **preload,
                 **variables)
    try:
        return json.loads(result.stdout), result
    except ValueError:
        return {"costs": [], "before": [], "after": []}, result


def key(row):
    return row["scope"], row["section"], row["what"]


def test_tables():
    with folder() as where:
        report, result = overhead(TMPDIR=where)
        equal((result.returncode, result.stderr, os.listdir(where)),
              (0, b"", []), "it is measured, and nothing is left behind")
    before = {key(row): row for row in report["before"]}
    after = {key(row): row for row in report["after"]}
    equal([k[:2] for k in before if k[2] == "time"], SCENARIOS,
          "sections empty, around others, for the first time, of the process")
    equal({row["calls"] for row in [*before.values(), *after.values()]},
          {1000}, "of 1,000 calls each")
    ok(all(row["min"] <= row["median"] <= row["max"] and
           row["min"] <= row["mean"] <= row["max"]
           for row in [*before.values(), *after.values()]
           if row["min"] is not None),
       "spread from the smallest to the largest")
    equal({key(row)[:2] for row in before.values() if row["min"] is None},
          {s for s in SCENARIOS if s[1] == "around an empty one"},
          "unknown is null: single calls around a known section")
    ok(after.keys() <= before.keys() and
       all(after[k]["mean"] <= before[k]["mean"] for k in after) and
       all(after[k]["mean"] < before[k]["mean"] for k in after
           if k[1].startswith("around") and k[2] == "time"),
       "what is left is less than what was read", (before, after))
    return report


def test_costs(report):
    rows = [row for row in report["costs"] if row["what"] == "time"]
    equal([(row["scope"], row["where"], row["when"], row["calls"])
           for row in rows],
          [("thread", "in the section", "init", 100),
           ("thread", "around it", "init", 100),
           ("thread", "in the section", "end", 100),
           ("thread", "around it", "end", 100),
           ("process", "in the section", "init", 30),
           ("process", "around it", "init", 30)],
          "the calibrations of a run, in both scopes")
    ok(all(row["min"] <= row["median"] <= row["max"] for row in rows),
       "with their spread", rows)
    taken = min(row["min"] for row in rows
                if (row["scope"], row["where"]) == ("thread", "in the section"))
    read, left = (next(row for row in report[name]
                       if key(row) == ("thread", "empty", "time"))
                  for name in ("before", "after"))
    ok(abs(read["max"] - left["max"] - taken) <= 1,
       "the smaller of both is what an empty section's time is less by",
       (read, left, taken))


def test_text():
    result = run([HPM, "doctor", "--overhead"])
    text = result.stdout.decode()
    ok(result.returncode == 0 and "\nTable 2. " in text and
       "\nTable 3. " in text and "\nTable 3, continued. " in text,
       "the paper's Tables 2 and 3", text)
    report, _ = overhead()
    line = next(line for line in text.splitlines()
                if line.startswith("counters: "))
    if report["counters"] == "hardware":
        equal((line, report["reason"]), ("counters: hardware", None),
              "hardware counters, it is said")
    else:
        equal(line, "counters: software only; " + report["reason"],
              "no hardware counters: one line says why")


def test_events():
    report, result = overhead("-e", "page-faults,no-such-event")
    equal({row["what"] for row in report["before"]}, {"time", "page-faults"},
          "-e: what is counted")
    equal(result.stderr.count(b"no-such-event"), 1,
          "what cannot be counted is said once")
    report, result = overhead(HPM_EVENTS="page-faults", HPM_DISABLE=1,
                              HPM_ONLY="nothing", HPM_SKIP=7,
                              HPM_REPORT="stderr", HPM_OUTPUT_NAME="/nosuch/x",
                              HPM_MAX_THREADS=1)
    equal((result.returncode, result.stderr), (0, b""),
          "what the user has set for programs does not disturb it")
    equal({row["what"] for row in report["before"]}, {"time", "page-faults"},
          "but for the events")


def test_hardware():
    sentence = "with hardware counters the events of the paper"
    reason = tap.no_preload()
    if reason:
        tap.skip(sentence, reason)
        return
    report, result = overhead(preload=tap.fake_pmu())
    equal((result.returncode, report["counters"]), (0, "hardware"),
          "hardware counters are used where there are some")
    for scope, section in SCENARIOS:
        equal([row["what"] for row in report["before"]
               if (row["scope"], row["section"]) == (scope, section)],
              ["time"] + PAPER_EVENTS, f"{sentence}: {scope}, {section}")
    report, result = overhead("-e", "cycles,instructions",
                              preload=tap.fake_pmu(FAKE_RUNNING=50))
    ok(result.returncode == 0 and
       {row["what"] for row in report["before"]} == {"time"} and
       "note: cycles (thread, empty): shared" in
       run([HPM, "doctor", "--overhead", "-e", "cycles"],
           **tap.fake_pmu(FAKE_RUNNING=50)).stdout.decode(),
       "estimates of shared counters are left out, which is said", result)


def test_helper():
    with folder() as where:
        program = os.path.join(where, "bin", "hpm")
        helpers = os.path.join(where, "libexec", "hpm-toolkit")
        os.makedirs(os.path.dirname(program))
        shutil.copy(HPM, program)
        result = run([program, "doctor", "--overhead"])
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 3 and not result.stdout and
           len(lines) == 1 and "hpm-empty-sections" in lines[0],
           "without its helper: 3, and one line names it", result)
        os.makedirs(helpers)
        os.symlink(HELPER, os.path.join(helpers, "hpm-empty-sections"))
        result = run([program, "doctor", "--overhead"])
        equal((result.returncode, result.stderr), (0, b""),
              "installed elsewhere it finds its helper")
        os.unlink(os.path.join(helpers, "hpm-empty-sections"))
        os.symlink(shutil.which("false"),
                   os.path.join(helpers, "hpm-empty-sections"))
        result = run([program, "doctor", "--overhead"], TMPDIR=where)
        ok(result.returncode == 3 and b"exit status 1" in result.stderr and
           sorted(os.listdir(where)) == ["bin", "libexec"],
           "a helper that fails: 3, said, and nothing is left behind", result)


# ---- the command line -------------------------------------------------------

def test_usage():
    for arguments, word in ((["--nosuch"], "'--nosuch'"), (["-q"], "'-q'"),
                            (["--overhead", "-e"], "'-e'"),
                            (["-e", "cycles"], "--overhead"),
                            (["--overhead", "more"], "'more'")):
        result = run([HPM, "doctor"] + arguments)
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 2 and len(lines) == 1 and word in lines[0] and
           lines[0].startswith("hpm doctor: ") and not result.stdout,
           f"hpm doctor {' '.join(arguments)}: 2 and one line naming it",
           result)
    with open("/dev/full", "wb") as full:
        result = tap.run_to(full, [HPM, "doctor", "--overhead"])
    ok(result.returncode == 4 and result.stderr.startswith(b"hpm doctor: "),
       "a full disk: 4, and it is said", result)


test_report()
test_refused()
test_paranoid()
test_namespace()
test_no_pmu()
test_counting()
test_no_sys()
test_no_proc()
test_machine()
test_limits()
test_costs(test_tables())
test_text()
test_events()
test_hardware()
test_helper()
test_usage()
tap.done()
