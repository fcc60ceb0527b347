# SPDX-License-Identifier: BSD-3-Clause
# Real hardware counters, emulated: not part of 'make check', because it wants
# QEMU, a cross compiler and arm64 packages.  No script here may be named as a
# C file beside it: make would build the script from it.

EXTRA_DIST += \
	tests/pmu-lab/README.md \
	tests/pmu-lab/build \
	tests/pmu-lab/check \
	tests/pmu-lab/exact.S \
	tests/pmu-lab/exact.c \
	tests/pmu-lab/guest-init \
	tests/pmu-lab/guest-tests \
	tests/pmu-lab/join.h \
	tests/pmu-lab/judge.py \
	tests/pmu-lab/lives.c \
	tests/pmu-lab/loop.S \
	tests/pmu-lab/pairs.c \
	tests/pmu-lab/rate.c \
	tests/pmu-lab/run \
	tests/pmu-lab/sections.c tests/pmu-lab/shared.c \
	tests/pmu-lab/selftest \
	tests/pmu-lab/selftest-papi.c \
	tests/pmu-lab/tables \
	tests/pmu-lab/work.c

.PHONY: check-pmu
check-pmu:
	$(SHELL) '$(top_srcdir)/tests/pmu-lab/check'
