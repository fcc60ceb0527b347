# SPDX-License-Identifier: BSD-3-Clause
"""The reader from outside: what programs wrote, and what is made of it, comes
back byte for byte."""

import os
import subprocess

import tap
from tap import equal, files, folder, ok, program, run

REREAD = program("tests/programs/reread")


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
                 b"</HPMPerformanceFile>"),
                ("several", figure.replace(b"775", b"700") + figure)):
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
test_paper()
tap.done()
