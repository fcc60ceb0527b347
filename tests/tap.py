# SPDX-License-Identifier: BSD-3-Clause
"""Test Anything Protocol and the little that the command-line tests share."""

import contextlib
import fcntl
import hashlib
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree as ET
from shutil import rmtree, which

TOP_BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
TOP_SOURCE = os.path.abspath(os.environ.get("top_srcdir", "."))
HPM = os.path.join(TOP_BUILD, "hpm", "hpm")
HPMCOUNT = os.path.join(TOP_BUILD, "hpmcount", "hpmcount")
FAKE_PMU = os.path.join(TOP_BUILD, "tests", "programs", ".libs", "fakepmu.so")
YIELDING = os.path.join(TOP_BUILD, "tests", "programs", ".libs", "yielding.so")
MODELS = os.path.join(TOP_SOURCE, "metrics", "models")
XSD = os.path.join(TOP_SOURCE, "xsd", "hpm.xsd")

# Another build on this machine runs this test with all of its inputs: what is made by
# counting or by chance is less here, where only the compiler is another one, or a
# sanitizer looks on (runtests).
IS_REPEATED = os.environ.get("HPM_TEST_REPEATED", "") not in ("", "0")

_count = 0
_failed = 0


def ok(is_good, sentence, detail=""):
    """One assertion; `detail` is shown when it fails."""
    global _count, _failed
    _count += 1
    print(f"{'' if is_good else 'not '}ok {_count} - {sentence}")
    if not is_good:
        _failed += 1
        for line in str(detail).splitlines()[:40]:
            print(f"# {line}")
    sys.stdout.flush()
    return is_good


def equal(got, expected, sentence):
    return ok(got == expected, sentence, f"got {got!r}\nexpected {expected!r}")


def skip(sentence, reason):
    global _count
    _count += 1
    print(f"ok {_count} - {sentence} # SKIP {reason}")


def _fail_by_exception(kind, value, trace):
    """What ends a test early is a failed assertion with its place: the log of a
    test that only stops short says nothing."""
    ok(False, f"the test goes on to its end: {kind.__name__}",
       "".join(traceback.format_exception(kind, value, trace)))


sys.excepthook = _fail_by_exception


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)


def undisturbed(measure, is_good, times=20):
    """What `measure` returns, measured again while `is_good` says no of it.  For
    comparisons of two clocks: another virtual machine that takes a processor in
    the middle of a switch between threads, or between two readings, is seen by
    one of them; that is so now and then, a fault of ours is there every time."""
    for _ in range(times):
        found = measure()
        if is_good(found):
            break
    return found


def always_off(measure, off, times=20):
    """What `measure` returns last, and what is off in all of its results: `off` makes
    pairs of a result, of a place and what is seen there.  As `undisturbed`, for many
    places: on a loaded machine each is disturbed in some runs, and hardly a run is
    undisturbed in all places."""
    lasting = None
    for _ in range(times):
        found = measure()
        now = dict(off(found))
        lasting = {place: seen for place, seen in now.items()
                   if lasting is None or place in lasting}
        if not lasting:
            break
    return found, lasting


def program(name):
    """A test program or example, as built."""
    return os.path.join(TOP_BUILD, name)


def environment(**variables):
    """The environment without any HPM_ variable, plus these, and with the models that
    are installed elsewhere."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HPM_")}
    env["HPM_MODELS"] = MODELS
    env.update({k: str(v) for k, v in variables.items()})
    return env


def default_signals():
    """In a child: a test started in the background of a script has SIGINT and
    SIGQUIT ignored, under nohup SIGHUP, which would be handed on."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def run(command, folder=None, stdin=None, timeout=600, **variables):
    """Run it; the finished process with bytes in stdout and stderr."""
    return subprocess.run(command, cwd=folder, env=environment(**variables),
                          stdin=stdin if stdin else subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=timeout, preexec_fn=default_signals)


def limited(command, prepare, **options):
    """Run with `prepare` called in the child, before exec."""
    def before():
        default_signals()
        prepare()
    return subprocess.run(command, preexec_fn=before, env=environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=600, **options)


def run_to(stdout, command, timeout=600, **variables):
    """Run it with its standard output given to an open file."""
    return subprocess.run(command, env=environment(**variables),
                          stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, timeout=timeout)


def no_preload():
    """Why the fake PMU cannot be loaded before a program; None when it can."""
    if os.environ.get("sanitizers"):
        return "a sanitizer's library must be the first loaded"
    if not os.path.exists(FAKE_PMU):
        return "tests/programs/fakepmu.la was not built as a module"
    return None


def fake_pmu(**variables):
    """The variables with which a program has hardware counters
    (tests/programs/fakepmu.c)."""
    return {"LD_PRELOAD": FAKE_PMU, "FAKE_PMU": 1, **variables}


def in_namespace(script):
    """A command that runs another one where `script` has mounted something; None
    where that cannot be done."""
    for options in (["-m"], ["-Urm"]):
        command = ["unshare", *options, "sh", "-ec", script + '; exec "$@"',
                   "sh"]
        try:
            if run([*command, "true"]).returncode == 0:
                return command
        except OSError:
            pass
    return None


def has_libpfm():
    """Does this build know vendors' names of events?"""
    with open(os.path.join(TOP_BUILD, "config.h")) as config:
        return "#define HAVE_LIBPFM 1" in config.read()


def sampled_rarely():
    """Why this kernel gives fewer samples than tests ask for; None where it does not.
    It lowers its rate, until the machine is started again, when interrupts took long:
    those in which a virtual machine stood still."""
    try:
        with open("/proc/sys/kernel/perf_event_max_sample_rate") as file:
            rate = int(file.read())
    except (OSError, ValueError):
        return None
    return None if rate >= 10000 else \
        f"kernel.perf_event_max_sample_rate is {rate}; expected 10000 or more"


def seed():
    """Of a test with inputs by chance: the same at each run, for a failure to tell of
    what was changed; another each time with HPM_TEST_ALL, or HPM_TEST_SEED."""
    return int(os.environ.get("HPM_TEST_SEED", "0")) or (
        random.SystemRandom().getrandbits(32) if os.environ.get("HPM_TEST_ALL")
        else 20261127)


@contextlib.contextmanager
def folder():
    """A new empty folder, removed at the end.  A job's last tasks may still be
    at work when mpirun has ended, and put a file where a removal just was: the
    removal goes on until nothing is left."""
    path = tempfile.mkdtemp(prefix="hpm-test-")
    try:
        yield path
    finally:
        for _ in range(600):
            rmtree(path, ignore_errors=True)
            if not os.path.lexists(path):
                break
            time.sleep(0.1)
        else:
            raise OSError(f"{path} cannot be removed: {os.listdir(path)}")


def files(path):
    """The performance files in a folder, sorted."""
    return sorted(os.path.join(path, name) for name in os.listdir(path)
                  if ".hpm.xml" in name)


def whole_files(path):
    """The same without journals, which tasks of a job leave that do not end well."""
    return [file for file in files(path) if not file.endswith(".journal")]


class Record:
    """One InstrumentationPt: its attributes (open, parent and file may be ""),
    and its data by name."""

    open = parent = file = label = ""

    def __init__(self, element):
        self.__dict__.update(element.attrib)
        self.tid = int(self.tid)
        self.base = os.path.basename(self.file)
        self.data = {d.get("name"): d.attrib for d in element.findall("data")}
        self.count = self.data["Count"].get("value")


def records(path):
    """The records of a performance file."""
    root = ET.parse(path).getroot()
    return [Record(e) for e in root.findall("InstrumentationPt")]


def link_flags():
    """What links a program with the library as built: what pkg-config says of
    an installed one."""
    folder_of_libraries = os.path.join(TOP_BUILD, "lib", ".libs")
    sanitizers = os.environ.get("sanitizers", "")
    flags = ["-fsanitize=" + sanitizers] if sanitizers else []
    if os.path.exists(os.path.join(folder_of_libraries, "libhpm.so")):
        return flags + ["-L" + folder_of_libraries,
                        "-Wl,-rpath," + folder_of_libraries, "-lhpm",
                        "-Wl,-z,now"]
    return (flags + [os.path.join(folder_of_libraries, "libhpm.a")] +
            shlex.split(os.environ.get("PRIVATE_LIBS", "")) + ["-lpthread"])


def validates(paths):
    """None if xmllint accepts all against the schema, else its message."""
    result = subprocess.run(["xmllint", "--noout", "--schema", XSD] +
                            list(paths), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    return None if result.returncode == 0 else result.stdout.decode()


def has_xmllint():
    return which("xmllint") is not None


NO_MPI = ("no mpirun and mpicc (apt-get install mpich libmpich-dev, or "
          "openmpi-bin libopenmpi-dev)")


class Mpi:
    """One MPI: its compilers (fc is None without Fortran) and launcher."""

    def __init__(self, name, suffix):
        self.name = name
        self.launcher = which("mpirun" + suffix)
        self.cc = which("mpicc" + suffix)
        self.fc = which("mpifort" + suffix)
        self.is_yielding = False  # where what is waited for is not measured

    def run(self, n, command, where, **variables):
        """n tasks, more than there are processors, and as root if need be,
        which Open MPI wants to be told (4, then 5).  What it keeps of a job is
        in a folder of its own, which no other job's end can clear away.  hwloc
        asks no X server for graphics cards: one that ends meanwhile would end
        the launcher.  With is_yielding, tasks of MPICH that wait give the processor to
        others, as those of Open MPI do."""
        if (self.is_yielding and self.name == "MPICH" and
                n > len(os.sched_getaffinity(0)) and
                os.path.exists(YIELDING) and not set(YIELDING) & set(" :")):
            variables["LD_PRELOAD"] = " ".join(
                filter(None, [variables.get("LD_PRELOAD"), YIELDING]))
        with folder() as own:
            settings = {"TMPDIR": own, "HWLOC_COMPONENTS": "-gl",
                        "OMPI_ALLOW_RUN_AS_ROOT": 1,
                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1,
                        "PRTE_ALLOW_RUN_AS_ROOT": 1,
                        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": 1,
                        "OMPI_MCA_btl": "^tcp",
                        "OMPI_MCA_rmaps_base_oversubscribe": 1,
                        "OMPI_MCA_hwloc_base_binding_policy": "none",
                        "PRTE_MCA_rmaps_default_mapping_policy":
                            ":oversubscribe",
                        "PRTE_MCA_hwloc_default_binding_policy": "none",
                        **variables}
            return run([self.launcher, "-n", str(n), *command], folder=where,
                       timeout=1200, **settings)


def mpis():
    """All that are installed, as Debian names them; else the one there is."""
    found = [Mpi("MPICH", ".mpich"), Mpi("Open MPI", ".openmpi")]
    found = [m for m in found if m.launcher and m.cc] or [Mpi("MPI", "")]
    return [m for m in found if m.launcher and m.cc]


def merge(names, where, *options):
    """What 'hpm merge' makes of these files of a folder, as bytes, or without
    it its like among the tests; None where nothing here reads files (no
    libxml2).  What went wrong is in it, too."""
    reread = os.path.join(TOP_BUILD, "tests", "programs", "reread")
    names = sorted(names)
    if b"\n  merge " in run([HPM, "help"]).stdout:
        with folder() as other:
            out = os.path.join(other, "merged.hpm.xml")
            made = run([HPM, "merge", *options, "-o", out, *names],
                       folder=where)
            if made.returncode == 0:
                with open(out, "rb") as file:
                    return file.read()
    elif os.path.exists(reread) and not options:
        made = run([reread, "merge", *names], folder=where)
    else:
        return None
    return made.stdout if made.returncode == 0 else made.stdout + made.stderr


def no_libhpm_mpi():
    """Why libhpm_mpi cannot be tried; None when it can."""
    if os.environ.get("sanitizers"):
        return "MPI libraries leak by themselves"
    if not os.path.exists(os.path.join(TOP_BUILD, "lib", ".libs",
                                       "libhpm.so")):
        return "no shared library (configured with --disable-shared)"
    return None if mpis() else NO_MPI


def wrapped_calls(*options):
    """What mpi/wrap.awk makes of the list of calls."""
    return subprocess.run(
        ["awk", *options, "-f", os.path.join(TOP_SOURCE, "mpi", "wrap.awk"),
         os.path.join(TOP_SOURCE, "mpi", "calls.txt")],
        stdout=subprocess.PIPE, check=True).stdout


def _mpi_sources():
    """Those of libhpm_mpi but the generated one."""
    with open(os.path.join(TOP_SOURCE, "mpi", "local.mk")) as makefile:
        listed = re.search(r"^mpi_libhpm_mpi_la_SOURCES =((?:.*\\\n)*.*)",
                           makefile.read(), re.M).group(1)
    return [os.path.join(TOP_SOURCE, name)
            for name in re.findall(r"\S+\.c\b", listed)]


def _write_mpi_inputs(where):
    """The generated source, and the list of what the library exports."""
    calls, script = (os.path.join(where, name) for name in ("calls.c", "exports"))
    with open(calls, "wb") as file:
        file.write(wrapped_calls())
    with open(os.path.join(TOP_SOURCE, "mpi", "libhpm_mpi.sym")) as symbols:
        exported = ";".join((symbols.read() +
                             wrapped_calls("-v", "names=1").decode()).split())
    with open(script, "w") as file:
        file.write("{ global: %s; local: *; };\n" % exported)
    return calls, script


def _state_of(command, paths):
    """Changes when this command would make something else of these files, or of a
    header."""
    headers = [os.path.join(folder, name)
               for top in ("lib", "mpi", "include")
               for folder, _, names in os.walk(os.path.join(TOP_SOURCE, top))
               for name in names if name.endswith(".h")]
    state = hashlib.sha256("\0".join(command).encode())
    for path in sorted(headers) + paths:
        with open(path, "rb") as file:
            state.update(file.read())
    return state.hexdigest()


def _has_text(path, expected):
    try:
        with open(path) as file:
            return file.read() == expected
    except OSError:
        return False


def build_libhpm_mpi(mpi, where):
    """libhpm_mpi.so of that MPI in a folder, as 'make' builds it for the one
    MPI of --with-mpi; true when it works.  Of several tests the first compiles it,
    in the build folder, and the others copy it from there."""
    kept = os.path.join(TOP_BUILD, "tests", "libhpm_mpi", mpi.name.replace(" ", ""))
    os.makedirs(kept, exist_ok=True)
    library, stamp = (os.path.join(kept, name) for name in ("libhpm_mpi.so", "stamp"))
    with open(os.path.join(kept, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        calls, script = _write_mpi_inputs(kept)
        sources = [*_mpi_sources(), calls]
        job = os.path.join(TOP_BUILD, "mpi", ".libs", "libjob.a")
        command = [mpi.cc, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                   "-D_GNU_SOURCE",
                   *("-I" + os.path.join(TOP_SOURCE, *path)
                     for path in ((), ("lib",), ("include",))),
                   *sources, "-o", library, "-Wl,--version-script=" + script,
                   "-Wl,-z,defs", job, *link_flags(), "-lm"]
        state = _state_of(command, [*sources, script, job])
        said = ""
        if not _has_text(stamp, state):
            made = subprocess.run(command, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            said = made.stdout.decode()
            if made.returncode == 0:
                with open(stamp, "w") as file:
                    file.write(state)
            elif os.path.exists(stamp):
                os.unlink(stamp)
        is_good = os.path.exists(stamp)
        if is_good:
            shutil.copy(library, where)
    return ok(is_good, f"{mpi.name}: libhpm_mpi compiles",
              " ".join(command) + "\n" + said)


def unescape(text):
    """A text from an attribute of a performance file, as the program gave it:
    bytes, with \\xHH and \\\\ turned back."""
    data, out, i = text.encode("utf-8"), bytearray(), 0
    while i < len(data):
        if data[i:i + 2] == b"\\\\":
            out += b"\\"
            i += 2
        elif data[i:i + 2] == b"\\x":
            out.append(int(data[i + 2:i + 4], 16))
            i += 4
        else:
            out.append(data[i])
            i += 1
    return bytes(out)
