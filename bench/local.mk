# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks are built when asked for; their goals are never a test.

EXTRA_PROGRAMS += bench/anchor
CLEANFILES += bench/anchor$(EXEEXT)

bench_anchor_SOURCES = \
	bench/anchor.c \
	bench/counters.c bench/counters.h \
	bench/statistic.c bench/statistic.h \
	bench/timing.c bench/timing.h
bench_anchor_LDADD = $(BENCH_PAPI_LIBS) $(BENCH_SDE_LIBS) -lpthread
