# SPDX-License-Identifier: BSD-3-Clause
"""Programs that take the counters away from an ordinary user of hpmcount, and what
such a user may count."""

import os
import re
import shutil
import struct
import threading
import time

import tap
from tap import HPMCOUNT, TOP_SOURCE, folder, limited, ok, run

NOBODY = 65534


def burn(path):
    return [path, "if=/dev/zero", "of=/dev/null", "bs=1M", "count=6000",
            "status=none"]


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


# cap_net_raw, permitted and effective, as setcap writes it
CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0)


def prepare_privileged(where):
    """Copies of dd by name, and of hpmcount, for who cannot get to the folder
    of the build."""
    os.chmod(where, 0o755)
    names = ["plain", "unreadable", "setuid", "setgid", "capable"]
    for mode, name in zip((0o755, 0o711, 0o4755, 0o2755, 0o755), names):
        path = os.path.join(where, name)
        shutil.copy(shutil.which("dd"), path)
        os.chmod(path, mode)
    try:
        os.setxattr(path, "security.capability", CAPABILITY)
    except OSError as error:
        tap.skip("a file with capabilities", error.strerror)
        names.remove("capable")
    shutil.copy(HPMCOUNT, os.path.join(where, "hpmcount"))
    return names


def check_german(where, path):
    """The note on it is one sentence in one language."""
    if shutil.which("msgfmt") is None:
        tap.skip("the note in German", "gettext is missing")
        return
    words = os.path.join(where, "de", "LC_MESSAGES")
    os.makedirs(words)
    run(["msgfmt", "-o", os.path.join(words, "hpm-toolkit.mo"),
         os.path.join(TOP_SOURCE, "po", "de.po")])
    said = limited(["env", "TEXTDOMAINDIR=" + where, "LC_ALL=C.UTF-8",
                    "LANGUAGE=de", os.path.join(where, "hpmcount"), "-e",
                    "page-faults:u", path, "count=0", "status=none"],
                   become_nobody).stderr.decode()
    if "Laufzeit" not in said:
        tap.skip("the note in German", "there is no locale C.UTF-8")
        return
    ok(re.search(r"von [\d.]+ s Prozessorzeit sahen sie [\d.]+ s \([\d.]+ %\); "
                 rf"'{path}' ist set-user-ID; hpmcount als der Benutzer starten,", " ".join(said.split())),
       "the note in German is so to its end", said)


def count_as_nobody(where, *command):
    result = limited([os.path.join(where, "hpmcount"), "-v", "-e",
                      "task-clock,page-faults:u", *command], become_nobody)
    said = result.stderr.decode()
    return result.returncode, said, bool(re.search(r"page-faults:u +- +lost",
                                                   said))


def test_privileged():
    """Programs that take the counters away, started by an ordinary user."""
    if os.geteuid() != 0:
        tap.skip("privileged programs", "only root can prepare them")
        return
    with folder() as where:
        if os.statvfs(where).f_flag & os.ST_NOSUID:
            tap.skip("privileged programs",
                     "no program gains privileges in this folder")
            return
        names = prepare_privileged(where)
        if limited([os.path.join(where, "hpmcount"), "--version"],
                   become_nobody).returncode != 0:
            tap.skip("privileged programs", "nobody may not run hpmcount")
            return
        if "hpmcount: not counted" in count_as_nobody(where, "true")[1]:
            tap.skip("privileged programs", "no permission to count")
            return
        for name in names:
            check_privileged(where, name)
        check_german(where, os.path.join(where, "setuid"))
        check_lost_part(where)


def test_default():
    """Nobody asked for what an ordinary user may not count."""
    if os.geteuid() != 0:
        tap.skip("an ordinary user", "only root can become one")
        return
    with folder() as where:
        prepare_privileged(where)
        asked = limited([os.path.join(where, "hpmcount"), "-e",
                         "context-switches", "true"], become_nobody)
        if asked.returncode != 0 or b"sysctl" not in asked.stderr:
            tap.skip("an ordinary user", "everybody may count the kernel here, "
                                         "or nothing")
            return
        said = asked.stderr.decode()
        ok(all("SELinux" not in line and "paranoid=1" in line and
               len(line) < 180 for line in said.splitlines()
               if "not permitted" in line),
           "what may not be counted: the level, and the command", said)
        said = limited([os.path.join(where, "hpmcount"), "true"],
                       become_nobody).stderr.decode()
        lines = [line for line in said.splitlines()
                 if line.startswith(("hpmcount: not", "note:"))]
        ok(len(lines) <= 1 and "not permitted" not in said,
           "the default is what may be counted: at most one line", lines)


def check_privileged(where, name):
    path = os.path.join(where, name)
    for prefix, what in (([], ""),
                         (["sh", "-c", '"$@"; exit 3', "sh"], " in a shell"),
                         (["sh", "-c", 'exec "$@"', "sh"], " after a shell")):
        status, said, is_lost = count_as_nobody(where, *prefix, *burn(path))
        ok(status == (3 if "exit" in str(prefix) else 0) and
           is_lost == (name != "plain") and
           ("taken away" in said) == is_lost and
           re.search(r"system time +\d", said),
           f"{name}{what}: counts are "
           f"{'lost, and it is said' if name != 'plain' else 'kept'}", said)
    status, said, is_lost = count_as_nobody(where, path, "count=0",
                                            "status=none")
    why = {"plain": None, "unreadable": "' is not readable",
           "setuid": "' is set-user-ID", "setgid": "' is set-group-ID",
           "capable": "' has capabilities"}[name]
    ok(status == 0 and is_lost == (name != "plain") and
       (why is None or why in said),
       f"{name}, less than a millisecond: the same, with the cause", said)


def hold_open(pipe):
    """Let a reader of the pipe wait for eight times what came before."""
    began = time.monotonic()
    end = os.open(pipe, os.O_WRONLY)
    time.sleep(8 * (time.monotonic() - began) + 0.1)
    os.close(end)


def check_lost_late(where, whole):
    """All processor time was counted, and then the shell becomes a program that
    takes the counters away, which only waits: no time tells of it."""
    pipe = os.path.join(where, "pipe")
    os.mkfifo(pipe)
    os.chmod(pipe, 0o666)
    holder = threading.Thread(target=hold_open, args=(pipe,), daemon=True)
    holder.start()
    last = f"{os.path.join(where, 'setuid')} if={pipe} of=/dev/null status=none"
    _, said, is_lost = count_as_nobody(where, "sh", "-c",
                                       f"{whole}; exec {last}")
    ok(is_lost and "taken away" in said,
       "counted, then in a program that takes the counters away: they are lost",
       said)


def check_lost_part(where):
    """Of a part nobody can be sure, so it is said."""
    part = " ".join(burn(os.path.join(where, "setuid")))
    whole = " ".join(burn(os.path.join(where, "plain")))
    # what is stolen from the machine makes another part of the whole
    _, said, is_lost = tap.undisturbed(
        lambda: count_as_nobody(where, "sh", "-c", f"{whole}; {whole}; {part}"),
        lambda found: not found[2] and "may have missed a part" in found[1] and
        "more than a tenth" in found[1])
    ok(not is_lost and "may have missed a part" in said,
       "a third of the time was not counted: it is said", said)
    ok(re.search(r"task-clock +- +lost", said) and
       "missed more than a tenth of the processor time" in said,
       "and the clock that missed it is no processor time", said)
    check_lost_late(where, whole)
    _, said, is_lost = tap.undisturbed(
        lambda: count_as_nobody(where, "sh", "-c",
                                f"{whole}; {whole}; {whole}"),
        lambda found: "may have missed" not in found[1])
    ok(not is_lost and "may have missed" not in said,
       "all was counted: nothing is said", said)
    forks = ("import os; x = b'x' * (100 << 20)\n"
             "for i in range(200):\n"
             "    if os.fork() == 0: os._exit(0)\n"
             "    os.wait()")
    status, said, is_lost = tap.undisturbed(
        lambda: count_as_nobody(where, "python3", "-c", forks),
        lambda found: not found[2])
    ok(status == 0 and not is_lost,
       "ends of large processes, which no counter sees, are no loss", said)


def test_waits():
    """What thousands of short waits cost the kernel no counter sees: no program has
    gained privileges, and the processor is as busy as the first lines say."""
    code = "import time\nfor i in range(6000): time.sleep(1e-4)"
    said = tap.undisturbed(
        lambda: run([HPMCOUNT, "-v", "python3", "-c", code]).stderr.decode(),
        lambda said: "privileges" not in said)
    ok("privileges" not in said or "may have missed" in said,
       "6,000 waits are no program that gains privileges", said)
    times = [float(re.search(rf"{name} +([\d.]+)", said)[1]) for name in
             ("user time", "system time", "wall clock time", "UTILISATION")]
    ok(abs(times[3] - 100 * sum(times[:2]) / times[2]) < 0.11 * times[3] + 0.01,
       "UTILISATION is of the processor time that the report begins with", said)


def test_ends():
    """A default run has no note that its user did not cause."""
    count = "i=0; while [ $i -lt 1000 ]; do (true); i=$((i + 1)); done"
    # what is stolen while a process dies no counter sees
    said = tap.undisturbed(
        lambda: run([HPMCOUNT, "sh", "-c", count]).stderr.decode(),
        lambda said: "may have missed" not in said)
    if not re.search(r"context-switches +[1-9]", run(
            [HPMCOUNT, "-v", "sh", "-c", "sleep 0.01"]).stderr.decode()):
        tap.skip("the ends of 1,000 subshells are no note",
                 "switches cannot be counted here")
        return
    ok("may have missed" not in said, "the ends of 1,000 subshells are no note",
       said)


test_privileged()
test_default()
test_waits()
test_ends()
tap.done()
