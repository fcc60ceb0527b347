# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks are built and run by 'make bench' and 'make bench-profile' only;
# their goals are never a test.

bench_programs = bench/pairs bench/launches
bench_anchor =
if BENCH_HAVE_PAPI
bench_programs += bench/anchor
bench_anchor += -a bench/anchor
endif

EXTRA_PROGRAMS += bench/pairs bench/anchor bench/launches bench/coverage \
	bench/noisy
CLEANFILES += bench/pairs$(EXEEXT) bench/anchor$(EXEEXT) bench/noisy$(EXEEXT) \
	bench/launches$(EXEEXT) bench/coverage$(EXEEXT)
EXTRA_DIST += bench/README.md bench/coverage.py bench/hostile.py \
	bench/mpx.py bench/alike.py bench/kinded.py bench/kindless.py bench/page.py bench/reports.py bench/sampling.py \
	bench/verdicts.py bench/mpicalls.c bench/mpicalls.py bench/functions.c \
	bench/functions.py bench/libraries.c bench/libraries.py bench/ompclocks.c bench/regions.c bench/regions.py

bench-mpi: lib/libhpm.la mpi/libjob.la
	$(AM_TESTS_ENVIRONMENT) $(PYTHON3) $(top_srcdir)/bench/mpicalls.py
.PHONY: bench-mpi

bench-openmp: lib/libhpm_openmp.la
	$(AM_TESTS_ENVIRONMENT) $(PYTHON3) $(top_srcdir)/bench/regions.py
.PHONY: bench-openmp

bench-functions: lib/libhpm.la lib/functions/libhpm_functions.la
	$(AM_TESTS_ENVIRONMENT) $(PYTHON3) $(top_srcdir)/bench/functions.py
.PHONY: bench-functions

bench-libraries: lib/libhpm.la lib/libraries/libhpm_libraries.la \
		lib/libraries/hpmwrap
	$(AM_TESTS_ENVIRONMENT) $(PYTHON3) $(top_srcdir)/bench/libraries.py
.PHONY: bench-libraries

# The end of a job of 100,000 tasks: with the limit of memory, and in one file.
EXTRA_PROGRAMS += bench/jobtree
CLEANFILES += bench/jobtree$(EXEEXT)
bench_jobtree_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
bench_jobtree_SOURCES = bench/jobtree.c
bench_jobtree_LDADD = mpi/libjob.la -lpthread -lm
bench-job: bench/jobtree
	bench/jobtree 100000 10 64
	bench/jobtree 100000 10 1000000
.PHONY: bench-job

# As users do: through the header, from the shared library.
bench_pairs_SOURCES = \
	bench/child.c bench/child.h \
	bench/counters.c bench/counters.h \
	bench/job.h \
	bench/jobs.c \
	bench/machine.c bench/machine.h \
	bench/off.c \
	bench/pairs.c \
	bench/plan.c bench/plan.h \
	bench/results.c bench/results.h \
	bench/statistic.c bench/statistic.h \
	bench/tables.c bench/tables.h \
	bench/timing.c bench/timing.h
bench_pairs_LDADD = lib/libhpm.la study/libalgebra.la $(BENCH_SDE_LIBS) \
	-lpthread -lm

bench_anchor_SOURCES = \
	bench/anchor.c \
	bench/counters.c bench/counters.h \
	bench/statistic.c bench/statistic.h \
	bench/timing.c bench/timing.h
bench_anchor_LDADD = study/libalgebra.la $(BENCH_PAPI_LIBS) $(BENCH_SDE_LIBS) \
	-lpthread -lm

if HAVE_SDE
EXTRA_PROGRAMS += bench/mpx
CLEANFILES += bench/mpx$(EXEEXT) bench/mpx.svg
bench_mpx_SOURCES = bench/mpx.c
bench_mpx_LDADD = lib/libhpm.la $(SDE_LIBS) -lpthread
MPX_RUNS = 3
bench-mpx: bench/mpx
	$(PYTHON3) $(top_srcdir)/bench/mpx.py bench/mpx bench/mpx.svg $(MPX_RUNS)
endif

bench_launches_SOURCES = \
	bench/launches.c \
	bench/statistic.c bench/statistic.h
bench_launches_LDADD = study/libalgebra.la -lm

# The example's work is always the same.
PAIRS = 20
bench-sampling: doc/examples/matmul
	$(PYTHON3) $(top_srcdir)/bench/sampling.py "$(abs_builddir)/doc/examples/matmul" \
		$(PAIRS)

# Statistics of points beside other packages.
EXTRA_PROGRAMS += bench/alike
CLEANFILES += bench/alike$(EXEEXT)
bench_alike_SOURCES = bench/alike.c
bench_alike_LDADD = study/libmultivariate.la study/libalgebra.la lib/libcore.la -lm
bench-alike: bench/alike
	$(PYTHON3) $(top_srcdir)/bench/alike.py bench/alike $(RUNS_OF_ALIKE)
RUNS_OF_ALIKE = 3

# Is anything said of runs that have no kinds?
bench-kindless: hpm/hpm hpmcount/hpmcount tests/programs/threads tests/programs/kindred
	HPM_MODELS=$(abs_top_srcdir)/metrics/models $(PYTHON3) $(top_srcdir)/bench/kindless.py

# Is it said, and true, of runs that have?
EXTRA_PROGRAMS += bench/kinds
CLEANFILES += bench/kinds$(EXEEXT)
bench_kinds_SOURCES = bench/kinds.c
bench_kinds_LDADD = lib/libhpm.la -lpthread
bench-kinded: hpm/hpm bench/kinds
	HPM_MODELS=$(abs_top_srcdir)/metrics/models $(PYTHON3) $(top_srcdir)/bench/kinded.py

bench_noisy_SOURCES = bench/noisy.c
bench_noisy_LDADD =

bench_coverage_SOURCES = bench/coverage.c
bench_coverage_LDADD = lib/libhpm.la -lpthread

# Reads what only the programs over libstudy read.
if HAVE_STUDY
EXTRA_PROGRAMS += bench/reading
CLEANFILES += bench/reading$(EXEEXT)
bench_reading_SOURCES = bench/reading.c \
	bench/statistic.c bench/statistic.h
bench_reading_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
bench_reading_LDADD = study/libstudy.la lib/libcore.la $(XML_LIBS) \
	-lpthread -lm

bench/tasks/made: $(top_srcdir)/tests/data/tasks.py
	rm -rf bench/tasks && mkdir -p bench/tasks
	$(PYTHON3) $(top_srcdir)/tests/data/tasks.py bench/tasks >bench/made
	mv bench/made $@
bench-reading: bench/reading bench/tasks/made
	bench/reading -r 5 bench/tasks/*.xml
bench-hostile: tests/programs/reread
	$(PYTHON3) $(top_srcdir)/bench/hostile.py tests/programs/reread \
		$(top_srcdir)/tests/data
bench-reports: hpm/hpm
	$(PYTHON3) $(top_srcdir)/bench/reports.py hpm/hpm \
		$(top_srcdir)/tests/data
COMPARISONS = 400
SLOWDOWNS = 40
bench-verdicts: hpm/hpm bench/noisy
	$(PYTHON3) $(top_srcdir)/bench/verdicts.py hpm/hpm bench/noisy \
		$(COMPARISONS) $(SLOWDOWNS)
bench-page: hpm/hpm
	/usr/bin/python3 $(top_srcdir)/bench/page.py hpm/hpm \
		$(top_srcdir)/tests/data
clean-local:
	rm -rf bench/tasks bench/records

# Two runs of 1,000,000 records each: 1000 tasks of 10 threads with 100 sections (1.4
# GB).
if HAVE_GTK
EXTRA_PROGRAMS += bench/viewer
CLEANFILES += bench/viewer$(EXEEXT)
bench_viewer_SOURCES = bench/viewer.c \
	bench/viewerloop.c bench/viewerloop.h \
	bench/statistic.c bench/statistic.h
nodist_bench_viewer_SOURCES = hpmviz/resources.c
bench_viewer_CPPFLAGS = $(hpmviz_CPPFLAGS)
bench_viewer_CFLAGS = $(hpmviz_CFLAGS)
bench_viewer_LDADD = hpmviz/libviz.la -lpthread -lm

bench/records/made: $(top_srcdir)/tests/data/tasks.py
	rm -rf bench/records && mkdir -p bench/records/0 bench/records/1
	for run in 0 1; do \
		$(PYTHON3) $(top_srcdir)/tests/data/tasks.py --plain \
			bench/records/$$run 1000 100 10 $$run || exit; \
	done >bench/made
	mv bench/made $@
bench-viewer: bench/viewer bench/records/made
	$(SHELL) $(top_srcdir)/tests/viz/desktop bench/viewer -r 3 \
		'bench/records/0/*.xml'
	$(SHELL) $(top_srcdir)/tests/viz/desktop bench/viewer -c -r 3 \
		'bench/records/0/*.xml' 'bench/records/1/*.xml'
endif
endif

ROUNDS = 15
RUNS = 40

bench: $(bench_programs) hpmcount/hpmcount$(EXEEXT)
	bench/pairs -r $(ROUNDS) $(bench_anchor)
	bench/launches hpmcount/hpmcount$(EXEEXT) $(ROUNDS)
bench-profile: $(bench_programs)
	bench/pairs -p -r $(ROUNDS) $(bench_anchor)
bench-coverage: bench/coverage
	$(PYTHON3) $(top_srcdir)/bench/coverage.py bench/coverage $(RUNS)
.PHONY: bench bench-coverage bench-sampling bench-mpx bench-alike bench-profile \
	bench-kinded bench-kindless bench-reading bench-hostile \
	bench-page bench-reports bench-verdicts bench-viewer
