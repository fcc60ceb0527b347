# SPDX-License-Identifier: BSD-3-Clause
"""A machine whose kernel lists the PMUs that a test says.  The list is a folder
mounted over the machine's; tests/programs/fakepmu.c writes down what is opened."""

import os

import tap

DEVICES = "/sys/bus/event_source/devices"


class Machine:
    """A machine whose /sys lists these PMUs; its programs run in the folder
    `where`, with these variables."""

    def __init__(self, where, variables, **pmus):
        self.where = where
        self.variables = {"FAKE_OPENED": self.path("opened"), **variables}
        for pmu, files in pmus.items():
            for name, text in files.items():
                self.list(f"{pmu}/{name}", text)
        self.mount = tap.in_namespace(
            f"mount --bind '{where}/devices' {DEVICES}")

    def path(self, name):
        return os.path.join(self.where, name)

    def list(self, name, text):
        path = self.path(os.path.join("devices", name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text + "\n")

    def run(self, *command, **variables):
        return tap.run([*self.mount, *command], folder=self.where,
                       HPM_FSYNC="no",
                       **tap.fake_pmu(**{**self.variables, **variables}))

    def opened(self):
        """What has been opened since the last time: type, config, ... each."""
        with open(self.path("opened")) as file:
            lines = [tuple(int(word, 0) for word in line.split())
                     for line in file]
        os.remove(self.path("opened"))
        return lines
