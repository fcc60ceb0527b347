# SPDX-License-Identifier: BSD-3-Clause

dist_man_MANS += \
	doc/man/hpm.7 \
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
	doc/man/hpmTstartx.3 \
	doc/man/hpmTstartxAt.3 \
	doc/man/hpmTstop.3 \
	doc/man/hpmTstopAt.3 \
	doc/man/hpmVersion.3 \
	doc/man/hpmWork.3 \
	doc/man/hpmcount.1

dist_doc_DATA = README.md CHANGES.md LICENSE \
	doc/ARCHITECTURE.md doc/HACKING.md

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
	doc/examples/triad.c

check_PROGRAMS += $(example_programs)
examples: $(example_programs)
.PHONY: examples

doc_examples_matmul_LDADD = lib/libhpm.la
doc_examples_nested_LDADD = lib/libhpm.la
doc_examples_pthreads_LDADD = lib/libhpm.la
doc_examples_triad_LDADD = lib/libhpm.la
doc_examples_openmp_LDADD = lib/libhpm.la
doc_examples_openmp_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
