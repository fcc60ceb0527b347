# SPDX-License-Identifier: BSD-3-Clause
"""A program under hpmcount behaves, towards whoever started it, as without:
each case runs both ways and must show the same."""

import ctypes
import multiprocessing
import os
import pty
import re
import select
import signal
import subprocess
import time

import tap
from tap import HPMCOUNT, equal, folder, ok, program, run

CATCHER = program("tests/programs/catcher")
WITHOUT, WITH = [], [HPMCOUNT, "-n"]
SIGNALS = [n for n in range(1, signal.SIGRTMAX + 1) if n not in (32, 33)]
STOPPING = (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
IGNORED = (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH)
DEADLINE = 120


def both(observe, sentence):
    """The same with and without hpmcount?"""
    equal(observe(WITH), observe(WITHOUT), sentence)


def differences(observe, cases):
    """Cases that are not the same, with what was seen."""
    found = []
    for case in cases:
        seen, expected = observe(WITH, case), observe(WITHOUT, case)
        if seen != expected:
            found.append((case, seen, expected))
    return found


# ---- how it ends ----------------------------------------------------------

def test_status():
    step = 15 if tap.IS_REPEATED else 1
    loop = (f'for i in $(seq 0 {step} 255); do "$@" sh -c "exit $i"; echo $?; '
            "done")
    both(lambda prefix: run(["sh", "-c", loop, "sh"] + (prefix or ["env"])).stdout,
         "exit status 0 to 255")

    def die(prefix, number):
        return run(prefix + ["sh", "-c", f"ulimit -c 0; kill -{number} $$; exit 9"]
                   ).returncode

    deadly = [n for n in SIGNALS if n not in STOPPING]
    equal(differences(die, deadly), [], "death by each signal")


# ---- signals from others --------------------------------------------------

class Program:
    """The catcher, under a prefix."""

    def __init__(self, prefix, *words, preexec=None):
        def prepare():
            tap.default_signals()
            if preexec:
                preexec()
        self.child = subprocess.Popen(prefix + [CATCHER, *words],
                                      env=tap.environment(), text=True,
                                      stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE,
                                      preexec_fn=prepare)
        self.first = self.line()

    def line(self):
        return self.child.stdout.readline()

    def kill(self, number):
        self.child.send_signal(number)

    def own_pid(self):
        """Of the catcher itself, and not of hpmcount."""
        with open(f"/proc/{self.child.pid}/task/{self.child.pid}/children") as f:
            words = f.read().split()
        return int(words[0]) if words else self.child.pid

    def end(self):
        out, err = self.child.communicate(timeout=DEADLINE)
        return self.child.returncode, out, err


def catch(prefix, number):
    target = Program(prefix, "all")
    target.kill(number)
    line = target.line()
    target.kill(signal.SIGTERM)
    return line, target.end()


def queue(prefix, number):
    """A signal with a value."""
    target = Program(prefix, "all")
    ctypes.CDLL(None).sigqueue(target.child.pid, int(number),
                               ctypes.c_void_p(4711))
    line = target.line()
    target.kill(signal.SIGTERM)
    return line, target.end()


def suffer(prefix, number):
    target = Program(prefix, "none")
    target.kill(number)
    if number in IGNORED:
        target.kill(signal.SIGTERM)
    return target.end()


def test_signals():
    catchable = [n for n in SIGNALS if n not in
                 (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)]
    equal(differences(catch, catchable), [],
          "each signal sent to hpmcount reaches the program")
    equal(differences(queue, (signal.SIGUSR1, signal.SIGRTMIN + 3)), [],
          "with the value that was sent along")
    equal(catch(WITH, signal.SIGUSR1), ("10\n", (7, "15\n", "")),
          "and its answer is seen")
    deadly = [n for n in SIGNALS if n not in STOPPING and n != signal.SIGKILL]
    equal(differences(suffer, deadly), [],
          "and does what it does where the program has no handler")


def test_alarm():
    """A timer outlives exec, but not fork: it is hpmcount's."""
    def observe(prefix):
        for seconds in (1, 4, 16, 64):  # more where it was over too early
            target = Program(prefix, "none", preexec=lambda: signal.setitimer(
                signal.ITIMER_REAL, seconds))
            seen = target.first, target.end()
            if target.first == "ready\n":
                break
        return seen
    both(observe, "an alarm set by whoever started hpmcount")


def test_actions():
    def observe(prefix, numbers, how):
        def prepare():
            if how == "ignored":
                for number in numbers:
                    signal.signal(number, signal.SIG_IGN)
            else:
                signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        result = subprocess.run(prefix + [CATCHER, "actions"],
                                preexec_fn=prepare, env=tap.environment(),
                                stdout=subprocess.PIPE, timeout=DEADLINE)
        return result.returncode, result.stdout

    numbers = (signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE,
               signal.SIGRTMIN)
    for how in ("ignored", "blocked"):
        both(lambda prefix: observe(prefix, numbers, how),
             f"signals {how} at the start are {how} in the program")


def test_group():
    script = "trap 'echo caught; exit 6' TERM; kill 0; sleep 5"

    def observe(prefix):
        result = subprocess.run(prefix + ["sh", "-c", script],
                                env=tap.environment(), start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=DEADLINE)
        return result.returncode, result.stdout
    both(observe, "a program that signals its own group gets that once")


def state_of(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


def becomes(pid, state, seconds=DEADLINE):
    """The state in the end: that one, but for a process that never has it."""
    end = time.monotonic() + seconds
    while (now := state_of(pid)) != state and time.monotonic() < end:
        time.sleep(0.02)
    return now


def test_stop():
    """A program stopped by its own number, and let go by it."""
    target = Program(WITH, "none")
    pid = target.own_pid()
    for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGSTOP):
        os.kill(pid, number)
        if number == signal.SIGTSTP and becomes(pid, "T", 2) != "T":
            tap.skip("SIGTSTP stops", "not in an orphaned process group")
            continue
        equal(becomes(target.child.pid, "T"), "T",
              f"signal {int(number)} to the program alone stops hpmcount, too")
        time.sleep(0.2)
        equal(state_of(target.child.pid), "T", "for as long")
        os.kill(pid, signal.SIGCONT)
        equal(becomes(target.child.pid, "S"), "S",
              "which goes on when the program does")
    os.kill(pid, signal.SIGSTOP)
    becomes(target.child.pid, "T")
    os.kill(pid, signal.SIGKILL)
    equal(target.end()[0], -signal.SIGKILL,
          "killed while it is stopped: hpmcount ends like it")
    target = Program(WITH, "none")
    os.kill(target.own_pid(), signal.SIGSTOP)
    becomes(target.child.pid, "T")
    target.kill(signal.SIGCONT)
    target.kill(signal.SIGTERM)
    equal(target.end()[0], -signal.SIGTERM, "and all ends as it should")


def test_deaf():
    """A program that ignores SIGTERM."""
    script = 'trap "" TERM; echo ready; read line; sleep 30'

    def ask_twice():
        """Less than a second apart, if neither of both has stood still between."""
        child = subprocess.Popen([HPMCOUNT, "--log", log, "sh", "-c", script],
                                 env=tap.environment(), stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, start_new_session=True)
        child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        child.send_signal(signal.SIGTERM)
        time.sleep(1.2)
        if child.poll() is not None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        return child

    with folder() as where:
        log = os.path.join(where, "log")
        child = tap.undisturbed(ask_twice, lambda child: child.poll() is None, 5)
        ok(child.poll() is None, "SIGTERM twice at once is one request")
        # "later" is a second after hpmcount took the first one up: it may have
        # been stopped until now
        for pause in (2, 8, 32, DEADLINE):
            child.send_signal(signal.SIGTERM)
            try:
                status = child.wait(pause)
                break
            except subprocess.TimeoutExpired:
                status = None
        equal(status, -signal.SIGTERM,
              "asked again later, hpmcount leaves a program that is deaf")
        os.killpg(child.pid, signal.SIGKILL)
        child.kill()
        child.wait()
        with open(log) as file:
            report = file.read()
        ok("still running" in report and "ignores SIGTERM" in report and
           "wall clock time" in report, "and reports so far", report)
    script = 'trap "echo saving; sleep 2.5; exit 4" TERM; echo ready; ' \
             'while :; do sleep 0.1; done'
    child = subprocess.Popen([HPMCOUNT, "-n", "sh", "-c", script],
                             env=tap.environment(), stdout=subprocess.PIPE)
    child.stdout.readline()
    for _ in range(2):
        child.send_signal(signal.SIGTERM)
        time.sleep(1.3)
    equal((child.wait(DEADLINE), child.stdout.read()[:7]), (4, b"saving\n"),
          "a program that handles SIGTERM has all the time it needs")


def kill_hpmcount(**variables):
    """The program's two lines: it writes the second after hpmcount was killed."""
    child = subprocess.Popen([HPMCOUNT, "-n", "sh", "-c",
                              "echo begin; read x; echo end"],
                             env=tap.environment(**variables), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    begin = child.stdout.readline()
    child.kill()
    child.wait(DEADLINE)
    out, _ = child.communicate(b"\n", timeout=DEADLINE)
    return child.returncode, begin, out


def test_kill():
    equal(kill_hpmcount(), (-9, b"begin\n", b"end\n"),
          "the program survives SIGKILL to hpmcount")
    # a launcher kills what it has started when another task has died, and waits for
    # what that has started
    equal(kill_hpmcount(PMI_RANK=0), (-9, b"begin\n", b""),
          "but a task of a launcher does not")


# ---- on a terminal --------------------------------------------------------

class Terminal:
    """An interactive shell on a terminal, in which $P is the prefix."""

    def __init__(self, prefix, where):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            tap.default_signals()
            os.chdir(where)
            env = tap.environment(PS1="@@ ", PS2="", TERM="dumb", C=CATCHER,
                                  P=" ".join(prefix), LC_ALL="C", HISTFILE="")
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], env)
        self.prefix = " ".join(prefix)
        self.text = self.seen = ""
        self.expect("@@ ")
        self.line("stty -echo; bind 'set enable-bracketed-paste off' 2>/dev/null",
                  "@@ ")
        self.seen = ""

    def expect(self, pattern):
        """Read until the pattern has come; all that came."""
        end = time.monotonic() + DEADLINE
        while not re.search(pattern, self.text):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                self.seen += self.text + "[no answer]"
                self.text = ""
                return
            try:
                self.text += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                self.text += "[closed]"
                break
        self.seen += self.text
        self.text = ""

    def line(self, command, pattern="@@ "):
        self.key(command + "\n", pattern)

    def key(self, keys, pattern="@@ "):
        os.write(self.fd, keys.encode())
        self.expect(pattern)

    def states(self, is_own):
        """Of all processes in the shell's session, or of its own children."""
        found = set()
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{int(name)}/stat") as stat:
                    state, parent, _, session = stat.read().rsplit(
                        ")", 1)[1].split()[:4]
            except (OSError, ValueError):
                continue
            if str(self.pid) == (parent if is_own else session) and \
                    str(self.pid) != name and state != "Z":
                found.add(state)
        return found

    def wait_until(self, what):
        """Until what the shell has started is "stopped", or that and all it
        has started "asleep", or so in the "foreground": at three looks, for
        while a shell starts another program by vfork, it cannot stop."""
        is_stop = what == "stopped"
        end = time.monotonic() + DEADLINE
        n_looks = 0
        while n_looks < 3 and time.monotonic() < end:
            has_terminal = os.tcgetpgrp(self.fd) != self.pid
            is_so = self.states(is_stop) == {"T" if is_stop else "S"} and \
                has_terminal == (what == "foreground")
            n_looks = n_looks + 1 if is_so else 0
            time.sleep(0.1)
        if n_looks < 3:
            self.seen += f"[not {what}: {self.states(is_stop)}, {has_terminal}]"

    def end(self):
        os.write(self.fd, b"\nexit\n")
        time.sleep(0.05)
        os.close(self.fd)
        os.waitpid(self.pid, 0)
        text = self.seen.replace("\r", "")
        # what the shell says of the job after that may come in time or not
        text = re.sub(r"(?s)(status \d+).*", r"\1", text)
        if self.prefix:
            text = text.replace(self.prefix + " ", "")
        # a prompt may come before or after what a job says
        lines = re.sub(r"\d{3,}", "N", text.replace("@@ ", "")).splitlines()
        return "\n".join(line for line in lines if line)


ENDED = r"status \d+\r"
READY = "until grep -qs ready it; do sleep 0.05; done\n"
SESSIONS = {
    "^C ends the program": [
        ("$P $C none", "ready"), ("\x03", "@@ "), ("echo status $?\n", "@@ ")],
    "^\\ ends the program": [
        ("ulimit -c 0; $P $C none", "ready"), ("\x1c", "@@ "),
        ("echo status $?\n", "@@ ")],
    "^C, ^Z and ^\\ reach a handler once": [
        ("$P $C all", "ready"), ("\x03", "2\r"), ("\x1a", "20\r"),
        ("foreground", ""), ("\x1c", "@@ "), ("echo status $?\n", "@@ ")],
    "^C ends a loop of programs": [
        ("for i in 1 2 3; do $P $C none; echo loop; done", "ready"),
        ("\x03", "@@ "), ("echo status $?\n", "@@ ")],
    "^Z stops, jobs shows it, fg goes on": [
        ("$P sh -c 'echo ready; read x; echo got $x; exit 3'", "ready"),
        ("\x1a", "@@ "), ("jobs\n", "@@ "), ("fg\n", "exit 3'"),
        ("word\n", "@@ "), ("echo status $?\n", "@@ ")],
    "^Z and fg many times": [
        ("$P sh -c 'echo ready; read x; exit 3'", "ready")] +
        3 * [("\x1a", "@@ "), ("fg\n", "exit 3'"), ("foreground", "")] +
        [("\n", "@@ "), ("echo status $?\n", "@@ ")],
    "a program that stops itself gives the prompt back": [
        ("$P sh -c 'echo ready; kill -STOP $$; exit 3'", "ready(.|\n)*@@ "),
        ("jobs\n", "@@ "), ("fg\n", "@@ "), ("echo status $?\n", "@@ ")],
    "a program that stops itself by SIGTTIN": [
        ("$P sh -c 'echo ready; kill -TTIN $$; exit 3'", "ready(.|\n)*@@ "),
        ("jobs\n", "@@ "), ("fg\n", "@@ "), ("echo status $?\n", "@@ ")],
    "^Z does nothing to who ignores it": [
        ("$P sh -c 'trap \"\" TSTP; echo ready; read x; echo end'", "ready"),
        ("\x1aword\n", "@@ "), ("jobs\n", "@@ ")],
    "^Z in a program that prepares for it": [
        ("$P sh -c 'trap \"echo preparing; trap - TSTP; kill -TSTP 0\" TSTP; "
         "echo ready; while read x; do exit 2; done; read x; exit 2'", "ready"),
        ("\x1a", "preparing(.|\n)*@@ "), ("jobs\n", "@@ "), ("fg\n", "exit 2'"),
        ("\n", "@@ "), ("echo status $?\n", "@@ ")],
    "in the background it stops when it reads the terminal": [
        ("$P cat &", "@@ "), ("stopped", ""), (":\n", "@@ "),
        ("jobs\n", "@@ "),
        ("fg\n", "cat"), ("typed\n", "typed"), ("\x04", "@@ "),
        ("echo status $?\n", "@@ ")],
    "^Z, bg, and it ends by itself": [
        ("mkfifo go; $P sh -c 'echo ready; read x <go; exit 3'", "ready"),
        ("foreground", ""), ("\x1a", "@@ "),
        ("bg\n", "@@ "), ("echo >go; wait %1; echo status $?\n", ENDED)],
    "kill -STOP and -CONT of the job": [
        ("$P $C none >it &", "@@ "), (READY, "@@ "),
        ("kill -STOP %1\n", "@@ "), ("stopped", ""), (":\n", "@@ "),
        ("jobs\n", "@@ "),
        ("kill -CONT %1\n", "@@ "), ("asleep", ""), (":\n", "@@ "),
        ("jobs\n", "@@ "), ("kill %1; wait %1; echo status $?\n", ENDED)],
    "kill -TSTP of the job": [
        ("$P $C none >it &", "@@ "), (READY, "@@ "),
        ("kill -TSTP %1\n", "@@ "), ("stopped", ""), (":\n", "@@ "),
        ("jobs\n", "@@ "), ("kill -CONT %1; kill %1; wait %1; echo status $?\n",
                            ENDED)],
    "kill -TSTP and -CONT of the one process the shell knows": [
        ("$P $C none >it &", "@@ "), (READY, "@@ "),
        ("kill -TSTP $!\n", "@@ "), ("stopped", ""), (":\n", "@@ "),
        ("jobs\n", "@@ "),
        ("kill -CONT $!\n", "@@ "), ("asleep", ""), (":\n", "@@ "),
        ("jobs\n", "@@ "),
        ("kill $!; wait %1; echo status $?\n", ENDED)],
    "the terminal is the program's": [
        ("$P sh -c 'tty >/dev/null && stty size; test -t 0 && test -t 1 && "
         "test -t 2; echo $?'", "@@ ")],
    "a pipeline": [
        ("yes | $P head -n 2; echo ${PIPESTATUS[@]}", "@@ "),
        ("$P yes | head -n 1; echo ${PIPESTATUS[@]}\n", "@@ ")],
    "a hangup ends the program": [
        ("$P sh -c 'trap \"echo hup >it; exit\" HUP; echo ready; "
         "while :; do sleep 0.1; done'", "ready"), ("hangup", "")],
}


def hang_up(terminal, where):
    """What the program leaves when its terminal goes away."""
    os.close(terminal.fd)
    end = time.monotonic() + DEADLINE
    while not os.listdir(where) and time.monotonic() < end:
        time.sleep(0.02)
    os.waitpid(terminal.pid, 0)
    return os.listdir(where)


def play(prefix, steps):
    with folder() as where:
        terminal = Terminal(prefix, where)
        terminal.line(*steps[0])
        for keys, pattern in steps[1:]:
            if keys == "hangup":
                return hang_up(terminal, where)
            if not pattern:
                terminal.wait_until(keys)
            else:
                terminal.key(keys, pattern)
        return terminal.end()


def test_terminal():
    jobs = [(prefix, steps) for steps in SESSIONS.values()
            for prefix in (WITH, WITHOUT)]
    with multiprocessing.Pool(8) as pool:  # they wait most of the time
        seen = pool.starmap(play, jobs, 1)
    for sentence, with_it, without in zip(SESSIONS, seen[::2], seen[1::2]):
        ok(with_it == without and "[no" not in without and without,
           f"on a terminal: {sentence}", f"{with_it}\n----\n{without}")


test_status()
test_signals()
test_alarm()
test_actions()
test_group()
test_stop()
test_deaf()
test_kill()
test_terminal()
tap.done()
