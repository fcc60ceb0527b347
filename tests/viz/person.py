# SPDX-License-Identifier: BSD-3-Clause
"""A person at a desktop who uses the viewer: sees what a screen reader is told
and single pixels, has a mouse and a keyboard.

Importing this starts the test anew on a desktop of its own (tests/viz/desktop)
in a Python that can ask the accessibility bus; where there is none the test is
skipped and says why.

Nothing is ever expected at once: all is asked for again until it is so.  It is
wrong when everything on the desktop has slept for IDLE seconds each time it was
looked at, so that nothing is to come, or after LIMIT seconds.  Objects vanish
between two questions, so a question that fails is asked again, too."""

import os
import re
import subprocess
import sys
import tempfile
import time
import traceback

import tap

DESKTOP = os.path.join(tap.TOP_SOURCE, "tests", "viz", "desktop")


def _skip_all(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def _go_to_desktop():
    question = ("import gi, pyatspi; gi.require_version('Gtk', '3.0'); "
                "from gi.repository import Gtk")
    pythons = [p for p in ("python3", "/usr/bin/python3") if subprocess.run(
        [p, "-c", question], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0]
    if not pythons:
        _skip_all("no python3 with pyatspi and GTK (apt-get install "
                  "python3-pyatspi gir1.2-gtk-3.0)")
    looked = subprocess.run(["sh", DESKTOP], stdout=subprocess.PIPE)
    if looked.returncode != 0:
        _skip_all(looked.stdout.decode().strip())
    sys.stdout.flush()
    os.execvp("sh", ["sh", DESKTOP, pythons[0], *sys.argv])


if "DESKTOP_SERVER" not in os.environ:
    _go_to_desktop()

import gi  # noqa: E402
gi.require_version("Gdk", "3.0")
import pyatspi  # noqa: E402
from gi.repository import Gdk  # noqa: E402

HPMVIZ = os.path.join(tap.TOP_BUILD, "hpmviz", "hpmviz")
# Of the screen when a journey failed (often.py has a folder for each run).
PICTURES = os.environ.get("HPM_TEST_PICTURES",
                          os.path.join(tap.TOP_BUILD, "tests", "viz"))

# Seconds; only what is busy all the time and wrong, or hangs, takes so long.
LIMIT = 300
# Seconds; no timer of the viewer is as long.  What waits for a processor of a slow
# machine does not sleep.
IDLE = 60
# Seconds in which a window has its last layout, though programs go on to work.
BUSY = 10
PAUSE = 0.03

registry = pyatspi.Registry
registry.getDesktop(0).childCount  # wakes the bus before a program is there


class Lost(AssertionError):
    """What was waited for did not come."""


class Vanished(Exception):
    """An object is not there any more: it has to be found again."""


# Answers in a row that are errors: an object that is only just being moved answers
# again before.
MOST_ERRORS = 20


def _pause(asked):
    """Wait as long as the question took that was asked then, within limits: so the
    viewer has time for more than answers, and the processor is not busy with these."""
    time.sleep(min(max(PAUSE, time.monotonic() - asked), 20 * PAUSE))


def _processes():
    """Number: the parent's, of all processes there are."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:  # it has just ended
            pass
    return found


def _is_of_desktop(process, parents):
    while process not in (0, None):
        if process == os.getppid():
            return True
        process = parents.get(process)
    return False


def _sleeps(process):
    """Does each of its threads wait for something to happen?"""
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/stat", "rb") as file:
                if file.read().rpartition(b")")[2].split()[0] in (b"R", b"D"):
                    return False
    except OSError:
        return False  # something ends just now
    return True


def _of_desktop():
    """The programs of this desktop, but for this test."""
    parents = _processes()
    return [process for process in parents
            if process not in (os.getpid(), os.getppid()) and
            _is_of_desktop(process, parents)]


def _is_idle():
    """Do all programs of this desktop sleep, but for this test?"""
    return all(map(_sleeps, _of_desktop()))


class Patience:
    """Ends when nothing more is to come."""

    def __init__(self):
        self.begin = self.busy = self.looked = time.monotonic()

    def is_at_end(self):
        now = time.monotonic()
        if now - self.looked >= 1:  # looking takes time, too
            self.looked = now
            if not _is_idle():
                self.busy = now
        return now - self.busy >= IDLE or now - self.begin >= LIMIT

    def waited(self):
        return round(time.monotonic() - self.begin)


def wait(question, what, is_over=lambda: None):
    """Ask until the answer is neither None nor False; the answer.  `is_over`
    says why there is no more to wait for."""
    patience = Patience()
    answer = last = None
    while not patience.is_at_end():
        asked = time.monotonic()
        reason = is_over()
        try:
            answer = question()
        except Exception as error:  # GLib.GError: it is just vanishing
            answer = None
            last = error
        else:
            last = None
        if answer is not None and answer is not False:
            return answer
        if reason:
            raise Lost(f"{what}: {reason}")
        _pause(asked)
    raise Lost(f"{what}: not within {patience.waited()} s ({last})")


def comes(question):
    """Is it so within a tenth of the limit?"""
    end = time.monotonic() + LIMIT / 10
    while time.monotonic() < end:
        asked = time.monotonic()
        try:
            if question():
                return True
        except Exception:  # as above
            pass
        _pause(asked)
    return False


def walk(at):
    """All objects below one, but for the cells of tables.  A box that wraps
    its buttons calls itself a table, too, but has no rows and columns."""
    yield at
    if at.getRoleName() not in ("table", "tree table") or \
            "Table" not in at.get_interfaces():
        for i in range(at.childCount):
            child = at.getChildAtIndex(i)
            if child is not None:
                yield from walk(child)


def role_of(at):
    """The name of its role, as older accessibility buses have it: since 2.56
    they say "button"."""
    role = at.getRoleName()
    return "push button" if role == "button" else role


def application_of(pid):
    desktop = registry.getDesktop(0)
    for i in range(desktop.childCount):
        at = desktop.getChildAtIndex(i)
        if at is not None and at.get_process_id() == pid:
            return at
    return None


def states(at):
    return at.getState()


def is_showing(at):
    return states(at).contains(pyatspi.STATE_SHOWING)


MODIFIERS = {"Ctrl": Gdk.KEY_Control_L, "Shift": Gdk.KEY_Shift_L,
             "Alt": Gdk.KEY_Alt_L}


def _keycode(keyval):
    keymap = Gdk.Keymap.get_for_display(Gdk.Display.get_default())
    return keymap.get_entries_for_keyval(keyval)[1][0].keycode


def press(keys):
    """Such as "Ctrl+Shift+z", "Escape", "F8": names as Gdk has them."""
    *modifiers, key = keys.split("+")
    held = [_keycode(MODIFIERS[name]) for name in modifiers]
    for code in held:
        registry.generateKeyboardEvent(code, None, pyatspi.KEY_PRESS)
    code = _keycode(Gdk.keyval_from_name(key))
    registry.generateKeyboardEvent(code, None, pyatspi.KEY_PRESSRELEASE)
    for code in reversed(held):
        registry.generateKeyboardEvent(code, None, pyatspi.KEY_RELEASE)


def type_text(text):
    for character in text:
        registry.generateKeyboardEvent(
            Gdk.unicode_to_keyval(ord(character)), None, pyatspi.KEY_SYM)


def pixel(x, y):
    """The colour of a place on the screen, in pixels, as "#rrggbb"."""
    root = Gdk.get_default_root_window()
    picture = Gdk.pixbuf_get_from_window(root, x, y, 1, 1)
    return "#%02x%02x%02x" % tuple(picture.get_pixels()[:3])


def picture(path):
    root = Gdk.get_default_root_window()
    Gdk.pixbuf_get_from_window(root, 0, 0, root.get_width(),
                               root.get_height()).savev(path, "png", [], [])


# What GTK says by itself where a file chooser closes; it is not ours.
CHOOSER = re.compile(r"Gtk-CRITICAL.*gtk_widget_event: assertion "
                     r"'WIDGET_REALIZED_FOR_EVENT")


class Viewer:
    """hpmviz, running."""

    def __init__(self, *arguments, scale=1, **variables):
        variables.setdefault("G_DEBUG", "fatal-warnings")
        if os.environ.get("sanitizers"):  # GTK and Pango keep what they have
            variables.setdefault("ASAN_OPTIONS", "detect_leaks=0")
        if scale != 1:
            variables["GDK_SCALE"] = scale
        self.scale = scale
        self.actions = 0  # clicks and keys so far
        self.expected = []  # lines it is to write
        self.said = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [HPMVIZ, *arguments], env=tap.environment(**variables),
            stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said,
            preexec_fn=tap.default_signals)
        self.application = self.wait(self._find_application, "the application")

    def _find_application(self):
        return application_of(self.process.pid)

    # ---- its end ---------------------------------------------------------

    def _is_over(self):
        status = self.process.poll()
        return None if status is None else (f"the viewer has ended ({status})\n"
                                            + self.words())

    def words(self):
        """What it has written to standard output and error."""
        self.said.seek(0)
        return self.said.read().decode("utf-8", "replace")

    def complaints(self):
        return [line for line in self.words().splitlines()
                if line and line not in self.expected and
                not CHOOSER.search(line)]

    def end(self):
        """Its exit status once it has ended by itself."""
        wait(lambda: self.process.poll() is not None, "the viewer's end")
        return self.process.returncode

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    # ---- seeing ----------------------------------------------------------

    def wait(self, question, what):
        return wait(question, what, self._is_over)

    def see(self, question, expected, sentence):
        """An assertion: what is seen becomes what is expected."""
        seen = [None]

        def is_so():
            seen[0] = question()
            return seen[0] == expected

        try:
            self.wait(is_so, sentence)
        except Lost as lost:
            raise Lost(f"{lost}\ngot {seen[0]!r}\nexpected {expected!r}")
        tap.ok(True, sentence)

    def windows(self):
        """The names of its windows; asked again where one is just going."""
        return self.wait(lambda: [self.application.getChildAtIndex(i).name
                                  for i in range(self.application.childCount)],
                         "its windows")

    def window(self, name):
        """A window whose name has this in it."""
        def look():
            for i in range(self.application.childCount):
                at = self.application.getChildAtIndex(i)
                if name in at.name and is_showing(at):
                    return at
            return None

        return self.wait(look, f"a window '{name}'")

    def look(self, name, role=None, within=None):
        """What has that accessible name and is shown; None for nothing."""
        for at in walk(within or self.application):
            if at.name == name and role in (None, role_of(at)) and \
                    is_showing(at):
                return at
        return None

    def find(self, name, role=None, within=None):
        return self.wait(lambda: self.look(name, role, within),
                         f"'{name}' ({role or 'any role'})")

    def find_elsewhere(self, pid, name):
        """The same in another process."""
        return self.wait(lambda: self.look(name, None, application_of(pid)),
                         f"'{name}' of process {pid}")

    def table(self, name, within=None):
        return Table(self, lambda: self.look(name, None, within), name)

    def texts(self, within=None):
        """All that is to be read: names, and what labels and texts have."""
        return [text for at in walk(within or self.application)
                if is_showing(at) for text in (at.name, _text_of(at)) if text]

    def active(self):
        """The name of the window that has the keyboard."""
        for i in range(self.application.childCount):
            at = self.application.getChildAtIndex(i)
            if states(at).contains(pyatspi.STATE_ACTIVE):
                return at.name
        return None

    def focused(self):
        """The name of what has the focus; its role where it has none."""
        for at in walk(self.application):
            if states(at).contains(pyatspi.STATE_FOCUSED):
                return at.name or role_of(at)
        return None

    # ---- doing -----------------------------------------------------------

    def extents(self, at):
        """Where an object is, once it stays there and no program of the desktop is at
        work: a window manager moves new windows, and on a busy machine a window has
        its last layout late.  What is at work for long does not lay it out."""
        processes, begin = _of_desktop(), time.monotonic()

        def is_still():
            before = _place_of(at)
            time.sleep(2 * PAUSE)
            if not all(_sleeps(process) for process in processes
                       if os.path.exists(f"/proc/{process}")) and \
                    time.monotonic() - begin < BUSY:
                return None
            return before if before and before == _place_of(at) else None

        return self.wait_at(at, is_still, "something that stays in its place")

    def wait_at(self, at, question, what):
        """Ask about an object.  Vanished is raised for one that was none, or is not
        there any more: what asks for it finds it again, and does not wait in vain."""
        n_errors = 0

        def ask():
            nonlocal n_errors
            try:
                answer = question()
            except Exception:
                n_errors += 1
                return Vanished if at is None or n_errors == MOST_ERRORS else None
            n_errors = 0
            return answer

        found = self.wait(ask, what)
        if found is Vanished:
            raise Vanished(f"{what}: {at} is not there any more")
        return found

    def mouse(self, x, y, what):
        """Extents are in the application's pixels, the mouse moves in the
        screen's."""
        registry.generateMouseEvent(x * self.scale, y * self.scale, what)

    def turn(self, x, y, way):
        """The wheel, sideways."""
        shift = _keycode(MODIFIERS["Shift"])
        registry.generateKeyboardEvent(shift, None, pyatspi.KEY_PRESS)
        self.mouse(x, y, "b4c" if way == "left" else "b5c")
        registry.generateKeyboardEvent(shift, None, pyatspi.KEY_RELEASE)

    def click(self, at, button=1, times="c"):
        """In the window that has the keyboard: until it has, the frame of one
        that is going may still be before it."""
        self.wait_at(at, lambda: _is_active(_window_of(at)),
                     "the window to be active")
        x, y, width, height = self.extents(at)
        self.mouse(x + width // 2, y + height // 2, f"b{button}{times}")
        self.actions += 1

    def drag(self, at, x, y):
        """Press on an object, move, and let go at a place.  The target has to
        say in time that it takes what comes; if it has not, nothing happens."""
        left, top, width, height = self.extents(at)
        from_x, from_y = left + width // 2, top + height // 2
        self.mouse(from_x, from_y, "b1p")
        for i in range(1, 11):
            self.mouse(from_x + (x - from_x) * i // 10,
                       from_y + (y - from_y) * i // 10, "abs")
            time.sleep(PAUSE)
        self.mouse(x + 1, y, "abs")
        time.sleep(10 * PAUSE)
        self.mouse(x + 1, y, "b1r")

    def colour(self, at):
        """What a cell is filled with, beside its text."""
        x, y, _, height = self.extents(at)
        return pixel((x + 2) * self.scale, (y + height // 2) * self.scale)

    def keys(self, keys, window):
        """Press keys in the window with this in its name."""
        self.wait(lambda: window in (self.active() or ""),
                  f"'{window}' to be active")
        press(keys)
        self.actions += 1

    def escape(self, window):
        """Close a window by Escape, and see it go: another one may have part of
        its name, and would not get the next key."""
        self.keys("Escape", window)
        self.wait(lambda: window not in (self.active() or window),
                  f"'{window}' to be left")

    def menu(self, window, *names):
        """Choose from the menu bar of a window: the names on the way."""
        within = window
        for name in names:
            within = self._item(within, name)
            self.click(within)

    def _item(self, within, name):
        def look():
            for at in walk(within):
                if at.name == name and "menu" in at.getRoleName() and \
                        is_showing(at):
                    return at
            return None

        return self.wait(look, f"'{name}' in a menu")

    def answer_chooser(self, title, path):
        """Give a file chooser a path; again where it was still reading its
        folder, after which it puts its own name there.  It may complete the name
        of a folder by a slash."""
        window = self.window(title)

        def has_path():
            return any(_text_of(at) in (path, path + "/")
                       for at in walk(window) if states(at).contains(pyatspi.STATE_FOCUSED))

        def is_gone():
            return not any(title in name for name in self.windows())

        for _ in range(10):
            self.wait(lambda: is_gone() or title in (self.active() or ""),
                      f"'{title}' to be active, or gone")
            if is_gone():
                break
            press("Ctrl+a")
            type_text(path)
            if comes(has_path):
                press("Return")
                comes(is_gone)
        self.actions += 1

    def text(self, name, within=None):
        return Text(self, lambda: self.look(name, "text", within), name)

    # ---- what went wrong -------------------------------------------------

    def describe(self):
        lines = [f"viewer: {self.process.poll()}"] + self.words().splitlines()
        try:
            lines += [f"{role_of(at)} '{at.name}'"
                      for at in walk(self.application) if is_showing(at)]
        except Exception as error:
            lines.append(f"its widgets cannot be asked: {error}")
        return lines


def _place_of(at):
    """x, y, width and height; None for what is out of sight."""
    e = at.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    return (e.x, e.y, e.width, e.height) if e.width > 0 and e.x > -100000 \
        else None


def _window_of(at):
    while at.parent.getRoleName() != "application":
        at = at.parent
    return at


def _is_active(window):
    """Menus are windows that never are."""
    return window.getRoleName() not in ("frame", "dialog", "alert") or \
        states(window).contains(pyatspi.STATE_ACTIVE)


def _text_of(at):
    try:
        return at.queryText().getText(0, -1)
    except NotImplementedError:
        return ""


def _index(table, title):
    return [table.getColumnDescription(i)
            for i in range(table.nColumns)].index(title)


class Table:
    """A list; rows and columns as they are shown, columns by their titles."""

    def __init__(self, viewer, find, name):
        self.viewer, self.find, self.name = viewer, find, name

    def ask(self, question):
        def answer():
            at = self.find()
            return None if at is None else question(at.queryTable())

        return self.viewer.wait(answer, f"the table '{self.name}'")

    def titles(self):
        return self.ask(lambda t: [t.getColumnDescription(i)
                                   for i in range(t.nColumns)])

    def n_rows(self):
        return self.ask(lambda t: t.nRows)

    def cell(self, row, title):
        """The object of a cell."""
        return self.ask(lambda t: t.getAccessibleAt(row, _index(t, title)))

    def text(self, row, title):
        return self.cell(row, title).name

    def column(self, title):
        return self.ask(lambda t: [
            t.getAccessibleAt(i, _index(t, title)).name
            for i in range(t.nRows)])

    def header(self, title):
        return self.ask(lambda t: t.getColumnHeader(_index(t, title)))

    def bring(self, title):
        """Turn the wheel until a column is in sight: again when it has moved,
        or has not for long."""
        seen = []

        def turn(table):
            left, top, width, height = self.viewer.extents(self.find())
            x, _, length, _ = _place_of(
                table.getColumnHeader(_index(table, title)))
            if left <= x and x + length <= left + width:
                return True
            seen.append(x)
            if seen.count(x) % 20 == 1:
                self.viewer.turn(left + width // 2, top + height // 2,
                                 "left" if x < left else "right")
            return None

        self.ask(turn)

    def selected(self):
        """The row, counted from 0; None for none."""
        def look(table):
            rows = table.getSelectedRows()
            return list(rows)[:1]

        rows = self.ask(look)
        return rows[0] if rows else None

    def click(self, row, title, button=1, times="c"):
        self._once_found(lambda: self.viewer.click(self.cell(row, title), button,
                                                   times), title)

    def click_header(self, title):
        self._once_found(lambda: self.viewer.click(self.header(title)), title)

    def colour(self, row, title):
        return self._once_found(
            lambda: self.viewer.colour(self.cell(row, title)), title)

    def _once_found(self, act, title):
        """Do something with a part of the column in sight.  A list that is filled
        anew has other parts: no mouse has been moved then, so that it is done again
        with these."""
        for _ in range(MOST_ERRORS):
            self.bring(title)
            try:
                return act()
            except Vanished:
                pass
        raise Lost(f"the table '{self.name}' has other cells each time")


class Text:
    """Some text that can be edited."""

    def __init__(self, viewer, find, name):
        self.viewer, self.find, self.name = viewer, find, name

    def ask(self, question):
        def answer():
            at = self.find()
            return None if at is None else question(at.queryText())

        return self.viewer.wait(answer, f"the text '{self.name}'")

    def content(self):
        return self.ask(lambda t: t.getText(0, -1))

    def caret(self):
        return self.ask(lambda t: t.caretOffset)

    def line(self):
        """The line of the caret, from 1, and what stands there."""
        def look(text):
            content, at = text.getText(0, -1), text.caretOffset
            number = content.count("\n", 0, at)
            return number + 1, content.split("\n")[number]

        return self.ask(look)

    def insert(self, text):
        """At the caret, as a screen reader does: where no keyboard is."""
        at = self.caret()
        self.viewer.wait(lambda: self.find().queryEditableText().insertText(
            at, text, len(text)), f"to insert '{text}'")

    def is_in_sight(self):
        """Can the caret be seen?"""
        def look(text):
            x, y, width, height = text.getCharacterExtents(
                text.caretOffset, pyatspi.DESKTOP_COORDS)
            e = self.find().queryComponent().getExtents(
                pyatspi.DESKTOP_COORDS)
            return e.y <= y and y + height <= e.y + e.height

        return self.ask(look)


# ---- journeys ---------------------------------------------------------------

_viewers = []


def start(*arguments, **variables):
    """A viewer that is gone when the journey is over."""
    viewer = Viewer.__new__(Viewer)
    _viewers.append(viewer)
    viewer.__init__(*arguments, **variables)
    return viewer


def journey(name, way, *arguments):
    """Go a way, a function; what goes wrong there ends it, is told, and is one
    failed assertion."""
    try:
        way(*arguments)
    except Exception:
        tap.ok(False, name, traceback.format_exc())
        path = os.path.join(PICTURES, re.sub(r"\W+", "-", name) + ".png")
        try:
            picture(path)
            print(f"# the screen: {path}")
        except Exception as error:
            print(f"# no picture of the screen: {error}")
        for viewer in _viewers:
            if hasattr(viewer, "application"):
                for line in viewer.describe():
                    print("# " + line)
    else:
        for viewer in _viewers:
            if hasattr(viewer, "process"):
                tap.equal(viewer.complaints(), [], f"{name}: no warnings")
    for viewer in _viewers:
        if hasattr(viewer, "process"):
            viewer.kill()
    _viewers.clear()
    sys.stdout.flush()
