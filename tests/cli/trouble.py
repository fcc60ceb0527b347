# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount in trouble: tests/FAULTS-COUNT.md says which fault each test is
about."""

import csv
import ctypes
import errno
import fcntl
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import time
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, equal, files, folder, limited, ok, program, run

WAYS = tap.program("tests/programs/ways")
SANITIZED = bool(os.environ.get("sanitizers"))
NOBODY = 65534


def own_world(script, *words, where=None):
    """A shell with mounts of its own; None where that is not allowed."""
    flags = "-m" if os.geteuid() == 0 else "-Urm"
    if not shutil.which("unshare") or subprocess.run(
            ["unshare", flags, "true"], stderr=subprocess.DEVNULL).returncode:
        return None
    return run(["unshare", flags, "sh", "-c", script, "sh", HPMCOUNT, *words],
               folder=where)


def injected(what, *command, where=None, **variables):
    """hpmcount with system calls that fail; None without strace."""
    if not shutil.which("strace") or SANITIZED:
        return None
    syscall = what.split(":")[0]
    return run(["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                f"trace={syscall}", "-e", f"inject={what}", HPMCOUNT, *command],
               folder=where, **variables)


# ---- C: environment and permissions ----------------------------------------

SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO = 0x80000000, 0x00050000


def forbid_perf(action):
    """A seccomp filter on perf_event_open, as a container has one."""
    number = {"x86_64": 298, "aarch64": 241}.get(os.uname().machine)

    class Filter(ctypes.Structure):
        _fields_ = [("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte),
                    ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint)]

    class Program(ctypes.Structure):
        _fields_ = [("len", ctypes.c_ushort), ("filter",
                                               ctypes.POINTER(Filter))]

    code = (Filter * 4)((0x20, 0, 0, 0), (0x15, 0, 1, number),
                        (0x06, 0, 0, action), (0x06, 0, 0, 0x7fff0000))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    libc.prctl(22, 2, ctypes.byref(Program(4, code)), 0, 0)


def test_seccomp():
    if os.uname().machine not in ("x86_64", "aarch64"):
        tap.skip("seccomp", "the number of perf_event_open is not known here")
        return
    for error, word in ((1, "not permitted"), (38, "seccomp profile")):
        result = limited([HPMCOUNT, "-v", "-e", "task-clock", "sh", "-c",
                          "exit 3"],
                         lambda: forbid_perf(SECCOMP_RET_ERRNO | error))
        said = result.stderr.decode()
        ok(result.returncode == 3 and word in said.splitlines()[0] and
           "wall clock time" in said and "user time" in said,
           f"perf_event_open forbidden with errno {error}: the cause is named, "
           "times are reported", said)
    command = ["env", "HPM_SOURCE=none", HPMCOUNT, "sh", "-c", "exit 3"]
    equal(limited(command, lambda: forbid_perf(SECCOMP_RET_KILL_PROCESS)
                  ).returncode, 3,
          "where perf_event_open is deadly, HPM_SOURCE=none calls it nowhere")


def test_no_proc():
    script = ('mount -t tmpfs none /proc && mount -t tmpfs none /sys && '
              'exec "$1" sh -c "exit 3"')
    result = own_world(script) if not SANITIZED else None
    if result is None:
        tap.skip("no /proc and no /sys",
                 "unshare -m is not allowed, or sanitizers need /proc")
        return
    ok(result.returncode == 3 and b"wall clock time" in result.stderr and
       not re.search(rb"\b(nan|inf)\b", result.stderr), "no /proc and no /sys: a report all the same",
       result.stderr)


def test_limits():
    def limit(what, value):
        return lambda: resource.setrlimit(what, (value, value))

    result = limited([HPMCOUNT, "sh", "-c", "ulimit -n; exit 3"],
                     limit(resource.RLIMIT_NOFILE, 12))
    ok(result.returncode == 3 and result.stdout == b"12\n" and
       b"wall clock time" in result.stderr, "twelve descriptors", result)
    result = limited([HPMCOUNT, "sh", "-c", "ls /proc/self/fd | wc -l"],
                     lambda: None)
    equal(result.stdout, limited(["sh", "-c", "ls /proc/self/fd | wc -l"],
                                 lambda: None).stdout,
          "the program has no descriptor of ours")
    script = ("i=0; while [ $i -lt 10000000 ]; do i=$((i+1)); done")
    result = limited([HPMCOUNT, "sh", "-c", script],
                     lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 2)))
    ok(result.returncode == -signal.SIGXCPU and
       b"wall clock time" in result.stderr,
       "the limit of processor time ends the program as ever", result)
    if not SANITIZED:
        result = limited([HPMCOUNT, "sh", "-c", "exit 3"],
                         limit(resource.RLIMIT_AS, 40 << 20))
        equal(result.returncode, 3, "40 MB of address space")
    if os.geteuid() == 0 and not SANITIZED:
        def no_process():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        with folder() as where:  # for the build's may be out of reach
            os.chmod(where, 0o755)
            copy = shutil.copy(HPMCOUNT, os.path.join(where, "hpmcount"))
            result = limited([copy, "true"], no_process)
        ok(result.returncode == 125 and
           result.stderr.splitlines()[-1].startswith(
               b"hpmcount: cannot start a process:"),
           "no process left: 125 and one line", result)
    else:
        tap.skip("no process left", "the limit is the user's own, and sanitizers need one")
    result = limited([HPMCOUNT, "sh", "-c", "exit 3"],
                     limit(resource.RLIMIT_MEMLOCK, 0))
    equal(result.returncode, 3, "no memory may be locked")


def test_environment():
    odd = {"HPM_EVENTS": "x" * 5000, "HPM_SET": "\xff\x01", "HPM_JOB": "a/b",
           "HPM_EVNETS": "1"}
    for name, value in odd.items():
        result = run([HPMCOUNT, "sh", "-c", "exit 3"], **{name: value})
        ok(result.returncode in (3, 125) and
           all(len(line) < 1000 for line in result.stderr.splitlines()),
           f"{name} of strange content", result.stderr[:500])
    ok(b"HPM_EVENTS" in run([HPMCOUNT, "true"], HPM_EVNETS="1").stderr,
       "an unknown variable is told from the nearest known one")


def test_locale():
    """A decimal comma nowhere."""
    with folder() as where:
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8",
             os.path.join(where, "de_DE.UTF-8")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not made or not os.path.exists(os.path.join(where, "de_DE.UTF-8")):
            tap.skip("numbers have a decimal point in any locale",
                     "localedef cannot make de_DE here")
            return
        for form in ("text", "csv", "json"):
            for more in ([], ["-r", "2"]):
                result = run([HPMCOUNT, "--format", form, *more, "true"],
                             LOCPATH=where, LC_ALL="de_DE.UTF-8")
                has_comma = (re.search(rb"\d,\d{6}\b", result.stderr)
                             if form != "csv" else
                             len({len(row) for row in csv.reader(
                                 result.stderr.decode().splitlines())
                                  if len(row) > 6}) != 1)
                ok(not has_comma and re.search(rb"0\.\d+", result.stderr),
                   f"a decimal point in any locale: {form} {' '.join(more)}",
                   result.stderr[-500:])


def test_clock():
    """The day's clock is set while a program is measured: every reading of it
    is a day late or early."""
    clock = os.path.join(tap.TOP_BUILD, "tests", "programs", ".libs",
                         "wildclock.so")
    if SANITIZED or not os.path.exists(clock):
        tap.skip("the clock is set", "sanitizers, or no modules")
        return
    with folder() as where:
        stamps = run(["date", "+%s"], LD_PRELOAD=clock).stdout.split()
        stamps += run(["date", "+%s"]).stdout.split()
        ok(abs(int(stamps[0]) - int(stamps[1])) > 80000,
           "the day's clock is another one", stamps)
        for name, command in (("hpmcount", [HPMCOUNT, "-n", "true"]),
                              ("libhpm", [WAYS, "return"])):
            result = run(command, folder=where, LD_PRELOAD=clock,
                         HPM_OUTPUT_NAME=f"{name}.hpm.xml")
            root = ET.parse(os.path.join(where, f"{name}.hpm.xml")).getroot()
            seconds = [float(root.find("Run").get("seconds"))] + [
                float(data.get("value")) for data in root.iter("data")
                if data.get("name") in ("ExcSec", "IncSec")]
            ok(result.returncode == 0 and len(seconds) > 2 and
               all(0 <= s < 3600 for s in seconds),
               f"the clock is set: durations are right ({name})", seconds)


def test_umask():
    for mask, mode in ((0, 0o666), (0o027, 0o640), (0o777, 0)):
        with folder() as where:
            def prepare():
                os.umask(mask)
            limited([HPMCOUNT, "-o", "x", "--log", "y", "true"], prepare,
                    cwd=where)
            limited([HPMCOUNT, "--log", "z", "--append", "true"], prepare,
                    cwd=where)
            modes = {name: os.stat(os.path.join(where, name)).st_mode & 0o777
                     for name in os.listdir(where)}
            equal(modes, {"x": mode, "y": mode, "z": mode},
                  f"umask {mask:03o} is heeded")


def test_tracer():
    for tool in (["strace", "-f", "-qq", "-o", "/dev/null"],
                 ["valgrind", "-q", "--trace-children=no"]):
        if not shutil.which(tool[0]) or SANITIZED:
            tap.skip(f"under {tool[0]}", f"no {tool[0]}, or sanitizers")
            continue
        result = run(tool + [HPMCOUNT, "sh", "-c", "exit 3"])
        ok(result.returncode == 3 and b"wall clock time" in result.stderr,
           f"under {tool[0]}", result)


# ---- E: output -----------------------------------------------------------

def check_disk(size, sentence):
    """Both files on a file system that is full, now or soon; the report of the
    full one comes to standard error."""
    script = ('mkdir d && mount -t tmpfs -o "$2" none d && cd d && '
              'dd if=/dev/zero of=filler bs=1k 2>/dev/null; H=$1; '
              '"$H" -o x --log y sh -c "exit 3"; echo $?; '
              'echo old 2>/dev/null >z; '
              '"$H" --log z --append sh -c "exit 4"; echo $?; ls -A')
    with folder() as where:
        result = own_world(script, size, where=where)
    if result is None:
        tap.skip(sentence, "unshare -m is not allowed")
        return
    words = result.stdout.decode().split()
    said = result.stderr.decode()
    ok(words[:2] == ["3", "4"] and
       set(words[2:]) <= {"filler", "z"} and
       said.count("wall clock time") == 2 and
       ("No space left" in said or "Disk quota" in said), sentence,
       f"{words}\n{said[:2000]}")


def test_disk():
    check_disk("size=64k", "disk full: status kept, no torn file, the reports "
               "on standard error, the cause named")
    check_disk("size=64k,nr_inodes=2", "no inode left: the same")
    script = ('mkdir d && mount -t tmpfs none d && cd d && echo 1 >log && '
              'mount -o remount,ro none . && "$1" -o x sh -c "exit 3"; '
              'echo $?; "$1" --log log --append true; echo $?')
    with folder() as where:
        result = own_world(script, where=where)
    if result is None:
        tap.skip("read-only", "unshare -m is not allowed")
    else:
        ok(result.stdout == b"125\n125\n" and b"Read-only" in result.stderr and
           b"wall clock" not in result.stderr,
           "a read-only folder is refused before the program starts", result)
    # full only while the last bytes are written: there is room for one report
    report = run([HPMCOUNT, "--format", "json", "true"]).stderr
    script = ('mkdir d && mount -t tmpfs -o '
              f'size={len(report) * 3 // 2 // 1024 + 5}k none d && cd d && '
              'echo first >log; "$1" --log log --append --format json true; '
              '"$1" --log log --append --format json true; '
              '"$1" --log log --append --format json true; '
              'grep -c "\\"program\\"" log; tail -c 2 log')
    with folder() as where:
        result = own_world(script, where=where)
    if result is not None:
        text = result.stdout.decode().split()
        total = int(text[0]) + result.stderr.count(b'"program"')
        ok(total == 3 and text[-1].endswith("}"),
           "what does not fit into the log is taken back whole, and shown",
           (result.stdout, result.stderr[:500]))


def test_file_limit():
    """SIGXFSZ is for our file only."""
    def prepare():
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
    with folder() as where:
        result = limited([HPMCOUNT, "-v", "-o", "x", "--log", "y", "--append",
                          "sh", "-c", "exit 3"], prepare, cwd=where)
        sizes = [os.stat(os.path.join(where, n)).st_size
                 for n in os.listdir(where)]
        ok(result.returncode == 3 and b"wall clock time" in result.stderr and
           sizes in ([], [0]), "a limit on the size of files", (result, sizes))


def test_calls():
    """Calls that fail while files are written."""
    for what, is_written, sentence in (
            ("fsync:error=EIO", False, "fsync fails"),
            ("renameat2:error=EINVAL", True, "no renameat2"),
            ("renameat2:error=EIO", False, "renaming fails"),
            ("write:error=EINTR:when=2..3", True, "writing is interrupted")):
        with folder() as where:
            result = injected(what, "-o", "x", "sh", "-c", "exit 3",
                              where=where)
            if result is None:
                tap.skip(sentence, "no strace, or sanitizers")
                continue
            names = os.listdir(where)
            whole = "x" in names and tap.has_xmllint() and \
                tap.validates([os.path.join(where, "x")]) is None
            ok(result.returncode == 3 and b"wall clock time" in result.stderr
               and ("x" in names) == is_written and
               (whole or not is_written or not tap.has_xmllint()) and
               (is_written or b"cannot " in result.stderr), sentence,
               f"{names} {result.stderr.decode()[:800]}")
            if what.startswith("renameat2:error=EIO"):
                ok(len(names) == 1 and names[0].encode() in result.stderr,
                   "and the file is kept under a name that is told",
                   (names, result.stderr[:300]))


def test_hanging():
    """Who waits for a file system whose server is gone waits for ever: here
    whoever comes to the last call before a file gets its name is stopped."""
    if not shutil.which("strace") or SANITIZED:
        tap.skip("file systems that hang", "no strace, or sanitizers")
        return
    with folder() as where:
        result = injected("fsync:signal=STOP", "-o", "x", "--log", "log", "sh",
                          "-c", "echo out; exit 3", where=where,
                          HPM_TIMEOUT="1")
        said = result.stderr.decode()
        equal((result.returncode, result.stdout), (3, b"out\n"),
              "a file system hangs: status and output are the program's")
        ok(all(said.count(f"hpmcount: cannot write '{name}': nothing was "
                          "written in 1 s; given up (HPM_TIMEOUT") == 1
               for name in ("x", "log")),
           "and each file that is given up is named", said)
        ok("wall clock time" in said and
           not {"x", "log"} & set(os.listdir(where)),
           "the report goes to standard error", (said, os.listdir(where)))
    # with time enough, or no limit, it is written all the same
    for seconds in ("0", "600"):
        with folder() as where:
            result = run([HPMCOUNT, "-o", "x", "-n", "true"], folder=where,
                         HPM_TIMEOUT=seconds)
            equal((result.returncode, result.stderr, os.listdir(where)),
                  (0, b"", ["x"]), f"HPM_TIMEOUT={seconds}: written")


def test_many():
    n = 100
    with folder() as where:
        children = [subprocess.Popen([HPMCOUNT, "-o", "one", "--log", "log",
                                      "--append", "sh", "-c", "exit 0"],
                                     cwd=where, env=tap.environment(),
                                     stderr=subprocess.PIPE) for _ in range(n)]
        said = b"".join(child.communicate()[1] for child in children)
        statuses = {child.wait() for child in children}
        names = sorted(os.listdir(where))
        equal((statuses, names),
              ({0}, sorted(["log", "one"] + [f"one.{i}" for i in range(1, n)])),
              f"{n} at once with one name: {n} files")
        with open(os.path.join(where, "log")) as log:
            text = log.read()
        reports = text.split("\nhpmcount: sh\n")
        shapes = {tuple(re.sub(r"[\d.,]+", "N", line).split()[0]
                        for line in r.splitlines() if line.startswith("  "))
                  for r in reports[1:]}
        ok(len(reports) == n + 1 and reports[0] == "" and
           all(r.count("wall clock time") == 1 for r in reports[1:]) and
           b"wall clock" not in said,
           f"and one log with {n} whole reports", (len(reports), said[:300]))


def test_lock():
    """Who appends waits for the one before, and reports all the same."""
    with folder() as where:
        path = os.path.join(where, "log")
        with open(path, "w") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            child = subprocess.Popen([HPMCOUNT, "--log", "log", "--append",
                                      "true"], cwd=where, env=tap.environment(),
                                     stderr=subprocess.PIPE)
            time.sleep(0.5)
            ok(child.poll() is None and os.path.getsize(path) == 0,
               "a log that another process writes is waited for")
        said = child.communicate(timeout=300)[1]
        with open(path) as log:
            ok(child.returncode == 0 and said == b"" and
               log.read().count("wall clock time") == 1,
               "and added to afterwards", said)


def test_targets():
    with folder() as where:
        victim = os.path.join(where, "victim")
        with open(victim, "w") as file:
            file.write("untouched")
        os.symlink("victim", os.path.join(where, "link"))
        os.symlink("nowhere", os.path.join(where, "dangling"))
        os.link(victim, os.path.join(where, "hard"))
        os.mkfifo(os.path.join(where, "pipe"))
        os.symlink("pipe", os.path.join(where, "to-pipe"))
        os.mkdir(os.path.join(where, "folder"))
        plug = socket.socket(socket.AF_UNIX)
        plug.bind(os.path.join(where, "socket"))
        for name in ("link", "dangling", "to-pipe", "folder", "socket",
                     "/dev/null", "/dev/full"):
            for option in (["-o", name], ["--log", name],
                           ["--log", name, "--append"]):
                result = run([HPMCOUNT, *option, "true"], folder=where)
                if not (result.returncode == 125 and
                        b"not a regular file" in result.stderr):
                    ok(False, f"{option} is refused", result)
        result = run([HPMCOUNT, "--log", "hard", "--append", "sh", "-c",
                      "exit 3"], folder=where)
        ok(result.returncode == 3 and b"several names" in result.stderr and
           b"wall clock time" in result.stderr,
           "nothing is added to a file with two names", result)
        run([HPMCOUNT, "-o", "hard", "--log", "victim", "true"], folder=where)
        with open(victim) as file:
            equal(file.read(), "untouched", "and the victim is untouched")
        ok({"hard.1", "victim.1"} <= set(os.listdir(where)) and
           "nowhere" not in os.listdir(where),
           "what exists is never replaced, and no link is followed",
           os.listdir(where))
        # the program exchanges the target while it runs
        result = run([HPMCOUNT, "--log", "late", "--append", "sh", "-c",
                      "ln -s victim late; exit 3"], folder=where)
        with open(victim) as file:
            equal((result.returncode, file.read()), (3, "untouched"),
                  "nor one that appears while the program runs")


def test_killed_writer():
    """Killed at each of its last calls: a whole file or none."""
    torn = []
    if not shutil.which("strace") or SANITIZED or not tap.has_xmllint():
        tap.skip("killed while it writes", "no strace or xmllint, or sanitizers")
        return
    for call in ("openat", "write", "fsync", "renameat2"):
        for k in (1, 2, 3, 30):
            with folder() as where:
                injected(f"{call}:signal=KILL:when={k}", "-o", "x.hpm.xml",
                         "true", where=where)
                if files(where) and tap.validates(files(where)):
                    torn.append((call, k))
    equal(torn, [], "killed while it writes: a whole file or none")


def test_contents():
    with folder() as where:
        name = 'a\n"<&\x01\xff'.encode("utf-8", "surrogateescape")
        path = os.path.join(where.encode(), b'p\n"<&\x01\xff')
        shutil.copy(shutil.which("true"), path)
        result = run([HPMCOUNT, "-o", "%n.hpm.xml", path, "secret-word"],
                     folder=where, HPM_TEST_SECRET="secret-value")
        names = [n for n in os.listdir(where.encode()) if b".hpm.xml" in n]
        with open(os.path.join(where.encode(), names[0]), "rb") as file:
            text = file.read()
        root = ET.fromstring(text)
        equal(tap.unescape(root.find("Run").get("program")),
              os.path.basename(path), "any name of a program can be had back")
        ok(b"secret" not in text and b"secret" not in result.stderr,
           "neither arguments nor environment are in the file")


# ---- G: hpmcount itself ----------------------------------------------------

def test_cannot_run():
    with folder() as where:
        def write(name, text, mode=0o755):
            path = os.path.join(where, name)
            with open(path, "wb") as file:
                file.write(text)
            os.chmod(path, mode)
            return path

        cases = [
            ("not found", ["nosuch"], 127), ("a path", ["./nosuch/x"], 127),
            ("through a file", ["/etc/passwd/x"], 127),
            ("a folder", [where], 126),
            ("not executable", [write("plain", b"echo", 0o644)], 126),
            ("another architecture",
             [write("foreign", b"\x7fELF\x02\x01\x01" + b"\0" * 9 +
                    b"\x02\0\xf3\xfe" + b"\0" * 44)], None),
            ("no such interpreter", [write("lost", b"#!/nosuch/sh\n")], 127),
            ("the empty name", [""], 127)]
        for sentence, command, status in cases:
            result = run([HPMCOUNT, *command], folder=where)
            lines = result.stderr.decode(errors="replace").splitlines()
            if status is None:  # a shell tries it, as any shell would
                ok(result.returncode in (126, 127, 2), sentence, result)
                continue
            ok(result.returncode == status and len(lines) == 1 and
               lines[0].startswith("hpmcount: cannot run '"),
               f"cannot be run: {sentence}", (result.returncode, lines))
        result = injected("execve:error=E2BIG:when=2", "true", where=where)
        if result is None:
            tap.skip("cannot be run: too many arguments",
                     "no strace, or sanitizers")
        else:
            equal((result.returncode, result.stderr),
                  (126, b"hpmcount: cannot run 'true': Argument list too "
                   b"long\n"), "cannot be run: too many arguments")
        check_arguments(where, write)
        result = run([HPMCOUNT, "-n", write("script", b"echo shell; exit 5")])
        equal((result.returncode, result.stdout), (5, b"shell\n"),
              "a script without #! is run by the shell")


def fits_for(command, n):
    """Does this machine start the command with n bytes of arguments more?"""
    words = ["x" * 1000] * (n // 1001) + ["x" * (n % 1001)]
    try:
        subprocess.run([*command, *words], check=False, env=tap.environment(),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        return False
    return True


def check_arguments(where, write):
    """As many arguments as hpmcount itself may have, for a script whose first
    line adds more than hpmcount's own name takes, which the kernel counts
    twice: it is a short one here."""
    script = write("s", b"#!/bin/sh -" + b"u" * 200 + b"\nexit 0\n")
    short = os.path.join(where, "h")
    os.symlink(os.path.abspath(HPMCOUNT), short)
    command = [short, script]
    low, high = 0, 64 << 20
    while high - low > 1:
        middle = (low + high) // 2
        if fits_for([short, "--help"], middle):
            low = middle
        else:
            high = middle
    room = low - len(script) - 100
    ok(fits_for(command, room), "so many are not too many for hpmcount")
    words = ["x" * 1000] * (room // 1001) + ["x" * (room % 1001)]
    result = run([*command, *words], folder=where)
    equal((result.returncode, result.stderr.decode().splitlines()),
          (126, [f"hpmcount: cannot run '{script}': Argument list too long"]),
          "more arguments than a script can have: said in one line")


def test_others_left():
    """What the program leaves behind waits to be told to end, and holds nothing
    of its output: hpmcount has ended before."""
    script = "head -c 1 {} >/dev/null 2>&1 & exit 3"
    results = []
    for prefix in ("", "setsid "):
        with folder() as where:
            pipe = os.path.join(where, "pipe")
            os.mkfifo(pipe)
            results.append(run([HPMCOUNT, "sh", "-c",
                                prefix + script.format(pipe)]))
            with open(pipe, "wb") as file:  # waits until somebody reads
                file.write(b"x")
    equal([r.returncode for r in results], [3, 3],
          "hpmcount does not wait for what the program leaves behind")
    result = results[1]
    quiet = run([HPMCOUNT, "sh", "-c", "sleep 0.01 & wait; (true; true)"])
    if b"not counted" in quiet.stderr:
        tap.skip("what still runs is noticed", "nothing can be counted here")
        return
    ok(b"still run" in result.stderr and b"still run" not in quiet.stderr,
       "what still runs is noticed, a daemon too, and only that",
       (result.stderr[-400:], quiet.stderr[-400:]))


def test_memory_killed():
    script = "import signal,os; os.kill(os.getpid(), signal.SIGKILL)"
    result = run([HPMCOUNT, "-v", "python3", "-c",
                  "x = b'x' * 50000000\n" + script])
    said = result.stderr.decode()
    peak = re.search(r"maximum resident set +([\d,]+) kB", said)
    ok(result.returncode == -9 and "ended by signal 9" in said and
       int(peak.group(1).replace(",", "")) > 48000,
       "killed for its memory: signal and peak are in the report", said)


def test_traced():
    """Stopped for long: wall clock time goes on, processor time does not."""
    child = subprocess.Popen([HPMCOUNT, "-v", "sh", "-c",
                              "echo ready; read x; exit 3"],
                             env=tap.environment(), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    with open(f"/proc/{child.pid}/task/{child.pid}/children") as file:
        pid = int(file.read())
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.6)
    os.kill(pid, signal.SIGCONT)
    _, said = child.communicate(b"\n", timeout=300)
    wall, user = (float(re.search(rf"{what} time +([\d.]+)".encode(),
                                  said).group(1))
                  for what in ("wall clock", "user"))
    ok(child.returncode == 3 and wall > 0.6 and user < 0.3,
       "stopped for long: wall clock time goes on alone", (wall, user))


def test_nested():
    with folder() as where:
        result = run([HPMCOUNT, "-o", "%n.hpm.xml", HPMCOUNT, "-o",
                      "%n.hpm.xml", "sh", "-c", "exit 3"], folder=where)
        equal((result.returncode, sorted(os.listdir(where))),
              (3, ["hpmcount.hpm.xml", "sh.hpm.xml"]),
              "hpmcount under hpmcount: a file each")
        ok(b"still run" not in result.stderr, "and both see all of it",
           result.stderr)
    if SANITIZED:
        return
    with folder() as where:
        run([HPMCOUNT, program("tests/programs/ways"), "return"], folder=where,
            HPM_OUTPUT_NAME="%n_%p.hpm.xml")
        equal(len(files(where)), 2, "a program with libhpm: a file each")


test_seccomp()
test_no_proc()
test_limits()
test_environment()
test_locale()
test_umask()
test_clock()
test_tracer()
test_disk()
test_file_limit()
test_calls()
test_hanging()
test_many()
test_lock()
test_targets()
test_killed_writer()
test_contents()
test_cannot_run()
test_others_left()
test_memory_killed()
test_traced()
test_nested()
tap.done()
