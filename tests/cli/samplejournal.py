# SPDX-License-Identifier: BSD-3-Clause
"""Samples in the journal: a program that is killed loses none that a checkpoint had,
and a run that ended has the same samples by its journal as in its file."""

import atexit
import os
import subprocess
import xml.etree.ElementTree as ET

import journal
import tap
from tap import HPM, TOP_SOURCE, done, equal, files, folder, ok, program, run, skip

SAMPLED = program("tests/programs/sampled")
OUTSIDE = "(outside sections)"
MANY = 300  # samples


def content(path):
    with open(path, "rb") as file:
        return file.read()


def start(where, n_threads, n_rounds, what="cpu-clock@499us", **variables):
    """The program, and its journal once it is there."""
    path = os.path.join(where, "s.hpm.xml")
    process = subprocess.Popen(
        [SAMPLED, str(n_threads), str(n_rounds)], cwd=where,
        stderr=subprocess.PIPE, env=tap.environment(
            HPM_SAMPLE=what, HPM_OUTPUT_NAME=path, HPM_CHECKPOINT=0, HPM_FSYNC=0,
            **variables))
    atexit.register(process.kill)  # a test that goes wrong must not wait for it
    while not os.path.exists(path + ".journal") and process.poll() is None:
        pass
    return process, path


def sums(path):
    """Samples of a file: by scope and section, and all."""
    root = ET.parse(path).getroot()
    found = {}
    for point in root.iter():
        if point.tag in ("InstrumentationPt", "Outside"):
            key = (point.get("scope"), point.get("label"))
            for at in point.findall("samples/at"):
                found[key] = found.get(key, 0) + int(at.get("n"))
    return found, [sampled.attrib for sampled in root.iter("Sampled")]


def label(table, number):
    return table.sections[number - 1].label if number > 0 else OUTSIDE


def sums_of_journal(read):
    """The same of a journal; samples of process sections it does not have apart."""
    found, n_elsewhere = {}, 0
    for thread in read.threads:
        for section, within, address, _, _, n in thread.samples:
            if address == journal.MASK:
                continue
            key = ("thread", label(thread, section))
            found[key] = found.get(key, 0) + n
            if within > len(read.process.sections):
                n_elsewhere += n
                continue
            key = ("process", label(read.process, within))
            found[key] = found.get(key, 0) + n
    return found, n_elsewhere


def profile(path):
    """All that the file says of samples, whatever the numbers of modules."""
    root = ET.parse(path).getroot()
    modules = {m.get("id"): (m.get("path"), m.get("build_id"))
               for m in root.iter("Module")}
    hits = [(point.get("scope"), point.get("tid"), point.get("label"),
             point.get("linestart"), samples.get("name"), samples.get("taken"),
             samples.get("lost"), sorted(
                 (modules.get(at.get("module")), at.get("offset"), at.get("n"))
                 for at in samples.findall("at")))
            for point in root.iter() for samples in point.findall("samples")]
    return [[s.attrib for s in root.iter("Sampled")], sorted(modules.values()), hits]


def check_end(name, **variables):
    """The journal goes when the file is there: here under a second name."""
    with folder() as where:
        process, path = start(where, 3, 60, **variables)
        kept = os.path.join(where, "kept.hpm.xml.journal")
        os.link(path + ".journal", kept)
        process.communicate()
        equal(process.returncode, 3, f"{name}: the program ends")
        result = run([HPM, "recover", kept])
        made = kept[:-len(".journal")]
        ok(result.returncode == 0 and os.path.exists(made),
           f"{name}: its journal is recovered", result)
        ok(profile(made) == profile(path), f"{name}: with all samples of the file")
        if tap.which("xmllint"):
            checked = run(["xmllint", "--noout", "--schema",
                           os.path.join(TOP_SOURCE, "xsd", "hpm.xsd"), made])
            equal(checked.returncode, 0, f"{name}: as the schema wants it")


def count_samples(path):
    return sum(sample[5] for thread in journal.Journal(path).threads
               for sample in thread.samples)


def check_killed():
    with folder() as where:
        process, path = start(where, 2, 10**6)
        while count_samples(path + ".journal") < MANY and process.poll() is None:
            pass
        process.kill()
        process.communicate()
        equal(process.returncode, -9, "a program is killed")
        expected, n_elsewhere = sums_of_journal(journal.Journal(path + ".journal"))
        result = run([HPM, "recover", path + ".journal"])
        equal(result.returncode, 0, "its journal is recovered")
        found, (sampled,) = sums(path)
        equal(found, expected, "each section has the samples of the last checkpoint")
        taken = int(sampled["taken"])
        equal(sum(n for key, n in found.items() if key[0] == "thread"), taken,
              "and all of them are in the sections of threads")
        equal(sum(n for key, n in found.items() if key[0] == "process") + n_elsewhere,
              taken, "and of the process, or a line says how many are not")
        equal(b"its journal does not have" in content(path), n_elsewhere > 0,
              "where there are such")
        ok(taken >= MANY, "many", taken)
        ok(int(sampled["count"]) >= (taken - 1) * int(sampled["period"]) // 2,
           "how much of the event there was is known", sampled)
        text = run([HPM, "report", "--by", "symbol", path]).stdout.decode()
        ok("in_outer" in text and "in_recursive" in text,
           "functions have their names", text)


def check_wrong():
    """What somebody has damaged is left out and said."""
    with folder() as where:
        process, path = start(where, 1, 10**6)
        while count_samples(path + ".journal") < 20 and process.poll() is None:
            pass
        process.kill()
        process.communicate()
        data = content(path + ".journal")
        last = max((c for c in journal.copies(data) if c.table != 1),
                   key=lambda c: (c.table, c.sequence))
        n, wrong = len(last.bytes), []
        for offset in range(n - 8 * 80, n, 8):
            with open(path + ".journal", "wb") as file:
                file.write(journal.damaged(data, offset))
            result = run([HPM, "recover", path + ".journal"])
            if result.returncode not in (0, 1, 3) or \
                    result.returncode == 0 and not files(where):
                wrong.append((offset, result))
            for made in files(where):
                os.unlink(made)
        equal(wrong, [], "samples that say nonsense are left out with their table")
        check_many(path, data, last)


def check_many(path, data, copy):
    """No file is made that cannot be read again; a sample's last word is how many."""
    n, wrong = len(copy.bytes), []
    for value in ((1 << 40) + 1, 1 << 63, journal.MASK):
        with open(path + ".journal", "wb") as file:
            file.write(journal.damaged(data, n - 8, value=value))
        run([HPM, "recover", path + ".journal"])
        result = run([HPM, "report", "--by", "symbol", path])
        if result.returncode not in (0, 3) or b"'" in result.stderr:
            wrong.append((value, result))
        os.unlink(path)
    equal(wrong, [], "also those that are more than a file can say")


def problem():
    with folder() as where:
        process, path = start(where, 1, 1)
        said = process.communicate()[1]
        if b"not sampled" in said:
            return said.decode().splitlines()[0]
        return None if os.path.exists(path) else "there is no file"


why = problem()
if why is not None:
    skip("samples in the journal", why)
else:
    check_end("threads")
    check_end("threads folded into one", HPM_MAX_THREADS=1)
    check_end("two events", what="cpu-clock@499us,page-faults@1")
    check_killed()
    check_wrong()
done()
