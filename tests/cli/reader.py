# SPDX-License-Identifier: BSD-3-Clause
"""The reader from outside: what programs wrote comes back byte for byte, and
hostile files take neither time nor memory nor anything else."""

import os
import re
import resource
import shutil
import subprocess
import sys

import tap
from tap import equal, files, folder, ok, program, run

sys.path.insert(0, os.path.join(tap.TOP_SOURCE, "tests", "data"))
import hostile  # noqa: E402

REREAD = program("tests/programs/reread")
STATUS = {"good": 0, "noted": 1, "cut": 1, "refused": 3}
IS_SANITIZED = bool(os.environ.get("sanitizers"))


def measured(command, where):
    """Status, output and messages of a finished process, its processor seconds
    and its largest memory in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run(command, folder=where, REREAD_PEAK=1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    err, _, peak = result.stderr.rpartition(b"peak ")
    return (result.returncode, result.stdout, err,
            after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime, int(peak) / 1024)


def comes_back(path):
    result = run([REREAD, path])
    with open(path, "rb") as file:
        content = file.read()
    if result.returncode != 0 or result.stderr:
        return result.stderr.decode(errors="replace")
    return None if result.stdout == content else "other bytes"


def test_programs():
    commands = [[program("doc/examples/" + name)]
                for name in ("matmul", "triad", "nested", "pthreads",
                             "openmp")]
    commands += [[program("tests/programs/calls")],
                 [program("tests/programs/threads")],
                 [program("tests/programs/labels"), "<&>\"'\\x41\\",
                  b"\xff\x01\n\t\r\x7f", "Größe μ 漢字", "a" * 1024, ""],
                 [tap.HPMCOUNT, "-o", "ls.hpm.xml", "ls"]]
    for command in commands:
        name = os.path.basename(command[0])
        if not os.path.exists(command[0]):
            tap.skip(f"the files of {name} come back", "not built")
            continue
        with folder() as where:
            run(command, folder=where, HPM_PROCESS=1)
            paths = files(where)
            problems = [comes_back(path) for path in paths]
            ok(paths and not any(problems),
               f"the files of {name} come back byte for byte", problems)


def check_hostile(where, name):
    outcome, word, _ = hostile.INPUTS[name]
    status, out, err, seconds, mebibytes = measured(
        [REREAD, name + ".xml"], where)
    ok(status == STATUS[outcome] and word.encode() in err,
       f"{name}: {outcome}", f"status {status}\n{err.decode(errors='replace')}")
    if outcome == "refused":
        equal(out, b"", f"{name}: nothing of it is used")
    if status != 0:
        ok(re.match(rb"%b\.xml:(\d+:\d+: |)" % name.encode(), err),
           f"{name}: the file is named, and the place", err)
    # These break the moment something grows with the square of the input: what
    # is looked for takes tens of seconds and hundreds of MiB.
    if not IS_SANITIZED:
        ok(seconds < 1 and mebibytes < 16,
           f"{name}: neither time nor memory",
           f"{seconds} s, {mebibytes} MiB")


def test_hostile():
    with folder() as where:
        hostile.write(where)
        for name in hostile.INPUTS:
            check_hostile(where, name)


def opened(where, name):
    """What reading the file opens once the program runs, and its sockets."""
    trace = os.path.join(where, "trace")
    subprocess.run(["strace", "-f", "-o", trace, "-e",
                    "trace=open,openat,openat2,socket,connect,execve", REREAD,
                    name], cwd=where, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=tap.environment())
    with open(trace) as file:
        lines = file.read().splitlines()
    start = [i for i, line in enumerate(lines) if ".so" in line]
    return lines[max(start, default=0) + 1:]


def test_nothing_opened():
    names = ["xxe-file", "xxe-http", "xxe-parameter", "external-dtd",
             "xinclude", "stylesheet", "catalog", "good"]
    if shutil.which("strace") is None or IS_SANITIZED:
        tap.skip("reading opens nothing else",
                 "strace is missing or the build is sanitized")
        return
    with folder() as where:
        hostile.write(where)
        for name in names:
            lines = [line for line in opened(where, name + ".xml")
                     if "+++" not in line]
            ok(len(lines) == 1 and name + ".xml" in lines[0],
               f"{name}: that file is opened and nothing else",
               "\n".join(lines))


def test_names():
    """Row 72 of the catalogue: names are taken as they are."""
    with folder() as where:
        for name in ("-", "a%62.xml", "file:x.xml"):
            with open(os.path.join(where, name), "wb") as file:
                file.write(hostile.PLAIN)
            equal(run([REREAD, name], folder=where).returncode, 0,
                  f"'{name}' is the file of that name")
        os.mkfifo(os.path.join(where, "pipe"))
        os.symlink("/dev/zero", os.path.join(where, "zero"))
        with open(os.path.join(where, "sparse"), "wb") as file:
            file.truncate(1 << 40)
        for name, word in (("pipe", b"a pipe"), ("zero", b"device"),
                           (".", b"folder"), ("missing", b"cannot be opened"),
                           ("file:///etc/passwd", b"cannot be opened"),
                           ("sparse", b"zero")):
            status, _, err, seconds, _ = measured([REREAD, name], where)
            ok(status == 3 and word in err and seconds < 1,
               f"'{name}' is refused at once", err)


def test_paper():
    """Figure 3 of the HPM Toolkit paper, as printed."""
    figure = b"""
<InstrumentationPt lid="swim.f775" disp="true" tid="37" task="0"
  label="Loop 300" file="swim.f" linestart="775" lineend="786" >
  <data name="Count" value="1198" />
  <data name="ExcSec" value=" 2.918" />
  <data name="IncSec" value=" 2.918" />
  <data name="PM_CYC" value=" 169719339" disp="false" />
  <data name="PM_INST_CMPL" value=" 135603862" disp="false" />
  <data name="PM_ST_CMPL" value=" 8255773" disp="false" />
  <data name="PM_LD_CMPL" value=" 56883532" disp="false" />
  <data name="PM_FPU0_CMPL" value=" 6463248" disp="false" />
  <data name="PM_FPU1_CMPL" value=" 5122784" disp="false" />
  <data name="PM_EXEC_FMA" value=" 7697521" disp="false" />
  <data name="User time" value=" 0.764" />
  <data name="Use rate" value=" 0.262" />
  <data name="Total LS" value=" 65.139" />
  <data name="Instr/LS" value=" 2.082" sbad="-1.0" sgood="2.5" dbad="-1.0" dgood="2.5" />
  <data name="MIPS" value=" 46.476" />
  <data name="Ipc" value=" 0.799" sbad="-1.0" sgood="2.0" dbad="-1.0" dgood="2.0" />
  <data name="HW FP/Cyc" value=" 0.068" />
  <data name="FPI+FMA" value=" 19.284" />
  <data name="Mflip/s" value=" 6.609" />
  <data name="FMA %" value=" 79.835" sbad="-40.0" sgood="70.0" dbad="-40.0" dgood="70.0" />
  <data name="Comp Int." value=" 0.296" sbad="-0.7" sgood="1.4" dbad="-0.7" dgood="1.4" />
</InstrumentationPt>
"""
    with folder() as where:
        for name, content in (
                ("bare", figure),
                ("rooted", b"<HPMPerformanceFile>" + figure +
                 b"</HPMPerformanceFile>")):
            path = os.path.join(where, name + ".xml")
            with open(path, "wb") as file:
                file.write(content.strip())
            result = run([REREAD, path])
            equal((result.returncode, result.stderr), (0, b""),
                  f"the paper's record is read ({name})")
            for line in (b'lid="swim.f775" disp="true" tid="37" task="0" '
                         b'label="Loop 300" file="swim.f" linestart="775" '
                         b'lineend="786"',
                         b'name="PM_CYC" value="169719339" disp="false"',
                         b'name="IncSec" value="2.918" kind="time"',
                         b'name="FMA %" value="79.835" kind="metric" '
                         b'sbad="-40" sgood="70" dbad="-40" dgood="70"'):
                ok(line in result.stdout, f"it keeps {line.decode()}",
                   result.stdout.decode())


def written(where, name, *arguments):
    """The result of an operation, in a file of that name."""
    result = run([REREAD, *arguments], folder=where)
    with open(os.path.join(where, name), "wb") as file:
        file.write(result.stdout)
    return result


def test_results():
    """Four tasks of one run, three runs of one task: every result is valid and
    comes back."""
    with folder() as where:
        tasks = [f"t{i}.hpm.xml" for i in range(4)]
        running = [subprocess.Popen(
            [program("doc/examples/pthreads"), "2"], cwd=where,
            stdout=subprocess.DEVNULL,
            env=tap.environment(HPM_JOB="j", PMI_RANK=i,
                                HPM_OUTPUT_NAME=tasks[i]))
            for i in range(4)]
        equal([process.wait() for process in running], [0] * 4,
              "four tasks run together")
        runs = [f"r{i}.hpm.xml" for i in range(3)]
        for name in runs:
            run([program("doc/examples/nested")], folder=where,
                HPM_OUTPUT_NAME=name)
        for name, arguments in (("merged", ["merge"] + tasks),
                                ("mean", ["mean"] + runs),
                                ("integrated", ["integrate"] + runs),
                                ("diff", ["diff"] + runs[:2]),
                                ("root", ["root", "smooth", runs[0]]),
                                ("removed", ["remove", "smooth", runs[0]])):
            result = written(where, name, *arguments)
            path = os.path.join(where, name)
            equal((result.returncode, result.stderr), (0, b""),
                  f"{name}: nothing is wrong")
            problem = comes_back(path)
            ok(problem is None, f"{name}: comes back byte for byte", problem)
            if tap.has_xmllint():
                message = tap.validates([path])
                ok(message is None, f"{name}: is valid", message)
            else:
                tap.skip(f"{name}: is valid", "xmllint is missing")
        # of real files, through files
        written(where, "left", "merge", tasks[2], tasks[0])
        written(where, "right", "merge", tasks[3], tasks[1])
        both = run([REREAD, "merge", "right", "left"], folder=where)
        with open(os.path.join(where, "merged"), "rb") as file:
            ok(both.stdout == file.read(),
               "merged in steps and another order, the bytes are the same")


test_programs()
test_results()
test_hostile()
test_nothing_opened()
test_names()
test_paper()
tap.done()
