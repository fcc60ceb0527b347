# SPDX-License-Identifier: BSD-3-Clause
"""make coverage: which part of the lines of each room the tests execute.

Given a build made with --coverage in which tests have run, reads what gcov says
of it and prints a table.  A line is executed when it is in any of the objects
that are made of its file."""

import collections
import json
import os
import subprocess
import sys


def notes_of(build):
    """The compiler's notes of each object with lines, relative to `build`."""
    for folder, _, names in os.walk(build):
        for name in sorted(names):
            if name.endswith(".gcno"):
                yield os.path.relpath(os.path.join(folder, name), build)


def read_notes(build, notes):
    """What gcov says of one object: [(file, {line: times})]."""
    got = subprocess.run(["gcov", "--json-format", "--stdout", notes],
                         cwd=build, capture_output=True, text=True,
                         check=False)
    for line in got.stdout.splitlines():
        for file in json.loads(line)["files"]:
            yield file["file"], {part["line_number"]: part["count"]
                                 for part in file["lines"]}


def read_all(build, source):
    """{file: {line: times}} for all files of the source tree but the tests."""
    lines = collections.defaultdict(collections.Counter)
    for notes in notes_of(build):
        for name, counts in read_notes(build, notes):
            path = os.path.relpath(os.path.join(build, name), source)
            if path.startswith(("..", "tests", "bench", "doc")) \
                    or not os.path.exists(os.path.join(source, path)):
                continue
            lines[path].update(counts)
    return lines


def show(lines):
    rooms = collections.defaultdict(lambda: [0, 0, 0])
    for path, counts in lines.items():
        for room in (os.path.dirname(path), "in all"):
            rooms[room][0] += 1
            rooms[room][1] += len(counts)
            rooms[room][2] += sum(1 for times in counts.values() if times)
    print(f"{'room':20} files   lines executed")
    for room in sorted(rooms, key=lambda name: (name == "in all", name)):
        files, total, executed = rooms[room]
        print(f"{room:20} {files:5} {total:7} {100.0 * executed / total:6.1f} %")


def main():
    build, source = (os.path.abspath(name) for name in sys.argv[1:3])
    lines = read_all(build, source)
    if not any(any(counts.values()) for counts in lines.values()):
        print(f"make coverage: no object in {build} was executed; expected a "
              f"build with --coverage in which tests have run",
              file=sys.stderr)
        return 2
    show(lines)
    if len(sys.argv) > 3:
        for path in sorted(lines):
            if path.startswith(sys.argv[3]):
                missed = sorted(line for line, times in lines[path].items()
                                if not times)
                print(f"{path}: not executed: "
                      f"{' '.join(map(str, missed)) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
