# SPDX-License-Identifier: BSD-3-Clause
"""The program hpm and its table of subcommands."""

import tap
from tap import HPM, equal, ok, run


def test_help():
    for arguments in (["help"], ["--help"], ["-h"], ["help", "help"]):
        result = run([HPM] + arguments)
        ok(result.returncode == 0 and not result.stderr and
           b"\n  doctor " in result.stdout,
           f"hpm {' '.join(arguments)}: the list of subcommands", result)
    texts = {run([HPM] + arguments).stdout
             for arguments in (["help", "doctor"], ["doctor", "--help"],
                               ["doctor", "-h"])}
    ok(len(texts) == 1 and texts.pop().startswith(b"Usage: hpm doctor"),
       "three ways to the same help of a subcommand")
    for option in ("--version", "-V"):
        result = run([HPM, option])
        ok(result.returncode == 0 and result.stdout.startswith(b"hpm ("),
           f"hpm {option}: the version", result)


def test_usage():
    for arguments, words in (([], ["hpm help"]), (["docter"], ["'doctor'"]),
                             (["dcotor"], ["'doctor'"]),
                             (["help", "docto"], ["'docto'", "'doctor'"]),
                             (["nothing-like-it"], ["'nothing-like-it'",
                                                    "hpm help"]),
                             (["--nosuch"], ["'--nosuch'"]),
                             ([""], ["''"])):
        result = run([HPM] + arguments)
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 2 and not result.stdout and
           len(lines) == 1 and lines[0].startswith("hpm: ") and
           all(word in lines[0] for word in words),
           f"hpm {' '.join(arguments)}: 2 and one line that helps", result)


def test_output():
    with open("/dev/full", "wb") as full:
        result = tap.run_to(full, [HPM, "help"])
    equal((result.returncode, result.stderr),
          (4, b"hpm: cannot write to standard output: No space left on device"
              b"\n"), "a full disk: 4, and it is said")


test_help()
test_usage()
test_output()
tap.done()
