# SPDX-License-Identifier: BSD-3-Clause

dist_man_MANS += \
	doc/man/f_hpm.3 \
	doc/man/hpm.1 \
	doc/man/hpm.7 \
	doc/man/hpm-environment.7 \
	doc/man/hpm-events.7 \
	doc/man/hpm-file.5 \
	doc/man/hpm-messages.7 \
	doc/man/hpm-metrics.5 \
	doc/man/hpm-replay.5 \
	doc/man/hpmGetCounters.3 \
	doc/man/hpmGetTimeAndCounters.3 \
	doc/man/hpmInit.3 \
	doc/man/hpmStart.3 \
	doc/man/hpmStartAt.3 \
	doc/man/hpmStartx.3 \
	doc/man/hpmStartxAt.3 \
	doc/man/hpmStop.3 \
	doc/man/hpmStopAt.3 \
	doc/man/hpmTerminate.3 \
	doc/man/hpmTstart.3 \
	doc/man/hpmTstartAt.3 \
	doc/man/hpmTstartSite.3 \
	doc/man/hpmTstartx.3 \
	doc/man/hpmTstartxAt.3 \
	doc/man/hpmTstop.3 \
	doc/man/hpmTstopAt.3 \
	doc/man/hpmVersion.3 \
	doc/man/hpmWork.3 \
	doc/man/hpmcount.1 \
	doc/man/hpmviz-instrument.1 \
	doc/man/hpmviz.1 \
	doc/man/libhpm.hpp.3 \
	doc/man/hpm-functions.7 \
	doc/man/hpm-libraries.7 \
	doc/man/hpmwrap.1 \
	doc/man/hpm-probes.7 \
	doc/man/libhpm_mpi.3 \
	doc/man/libhpm_openmp.3

dist_doc_DATA = README.md CHANGES.md LICENSE \
	doc/ARCHITECTURE.md doc/HACKING.md doc/cpu-models.md doc/viewer-matrix.md \
	doc/hpmviz.png doc/hpmviz-dark.png doc/hpmviz-scale2.png \
	doc/hpmviz-trees.png doc/hpmviz-trees-dark.png \
	doc/distribution.png doc/distribution-dark.png \
	doc/page.png doc/page-dark.png

EXTRA_DIST += \
	doc/pictures/comparison-dark.png doc/pictures/comparison-light.png \
	doc/pictures/comparison-scale2.png doc/pictures/comparison-small.png \
	doc/pictures/measure-dark.png doc/pictures/measure-light.png \
	doc/pictures/measure-scale2.png doc/pictures/measure-small.png \
	doc/pictures/distribution-dark.png doc/pictures/distribution-light.png \
	doc/pictures/distribution-scale2.png doc/pictures/distribution-small.png \
	doc/pictures/main-dark.png doc/pictures/main-light.png \
	doc/pictures/main-scale2.png doc/pictures/main-small.png \
	doc/pictures/trees-dark.png doc/pictures/trees-light.png \
	doc/pictures/trees-scale2.png doc/pictures/trees-small.png

# Beside the page that links to them.
designdir = $(docdir)/design
dist_design_DATA = \
	doc/design/checkpoint.md \
	doc/design/facts.md \
	doc/design/file.md \
	doc/design/fortran.md \
	doc/design/functions.md \
	doc/design/hints.md \
	doc/design/hpm.md \
	doc/design/hpmcount.md \
	doc/design/libraries.md \
	doc/design/metrics.md \
	doc/design/mpi.md \
	doc/design/openmp.md \
	doc/design/overhead.md \
	doc/design/papi.md \
	doc/design/processes.md \
	doc/design/probes.md \
	doc/design/recording.md \
	doc/design/sampling.md \
	doc/design/reports.md \
	doc/design/slices.md doc/design/slices.svg \
	doc/design/sources.md \
	doc/design/statistics.md \
	doc/design/studies.md \
	doc/design/viewer.md

# The examples are built by 'make examples' and 'make check', as a user would
# build them, and installed as source.
example_programs = \
	doc/examples/matmul \
	doc/examples/nested \
	doc/examples/pthreads \
	doc/examples/triad
if HAVE_OPENMP
example_programs += doc/examples/openmp
endif

examplesdir = $(docdir)/examples
dist_examples_DATA = \
	doc/examples/README.md \
	doc/examples/matmul.c \
	doc/examples/matmul.replay \
	doc/examples/nested.c \
	doc/examples/openmp.c \
	doc/examples/pthreads.c \
	doc/examples/read_npz.R \
	doc/examples/newcomers.md \
	doc/examples/screens.md \
	doc/examples/unmodified.md \
	doc/examples/triad.c

# These are built by their users' means, against an installed library
# (tests/cli/programs.py).
swimdir = $(examplesdir)/swim
dist_swim_DATA = \
	doc/examples/swim/CMakeLists.txt \
	doc/examples/swim/Makefile \
	doc/examples/swim/README.md \
	doc/examples/swim/swim.F
sppmdir = $(examplesdir)/sppm-like
dist_sppm_DATA = \
	doc/examples/sppm-like/CMakeLists.txt \
	doc/examples/sppm-like/Makefile \
	doc/examples/sppm-like/README.md \
	doc/examples/sppm-like/pencil.c \
	doc/examples/sppm-like/sppm.F90
gatedir = $(examplesdir)/gate
dist_gate_DATA = doc/examples/gate/README.md
dist_gate_SCRIPTS = doc/examples/gate/gate
sweepdir = $(examplesdir)/sweep
dist_sweep_DATA = \
	doc/examples/sweep/CMakeLists.txt \
	doc/examples/sweep/Makefile \
	doc/examples/sweep/README.md \
	doc/examples/sweep/sweep.c

check_PROGRAMS += $(example_programs)
examples: $(example_programs)
.PHONY: examples

doc_examples_matmul_LDADD = lib/libhpm.la
doc_examples_nested_LDADD = lib/libhpm.la
doc_examples_pthreads_LDADD = lib/libhpm.la
doc_examples_triad_LDADD = lib/libhpm.la
doc_examples_openmp_LDADD = lib/libhpm.la
doc_examples_openmp_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
