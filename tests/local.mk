# SPDX-License-Identifier: BSD-3-Clause
# Tests speak TAP; each assertion is counted.

# Programs that look inside link the archives, in which nothing is hidden from
# them; programs that are measured link the shared library as users do.
inside_tests = \
	tests/base/env \
	tests/base/launcher \
	tests/base/string \
	tests/base/write \
	tests/file/output \
	tests/file/pattern \
	tests/file/writer \
	tests/hpmcount/spread \
	tests/model/experiment \
	tests/record/forest \
	tests/record/harvest \
	tests/report/sections \
	tests/report/table \
	tests/source/clock \
	tests/source/eventset \
	tests/source/generic \
	tests/source/meter \
	tests/source/replay \
	tests/source/replayfile

measured_programs = \
	tests/programs/calls \
	tests/programs/catcher \
	tests/programs/hotpath \
	tests/programs/edges \
	tests/programs/labels \
	tests/programs/papi \
	tests/programs/threads \
	tests/programs/tree \
	tests/programs/ways

# Runs a measured program step by step, and links neither.
stepping_tests = tests/record/hotpath

if HAVE_PAPI
measured_programs += tests/programs/papiuser
tests_programs_papiuser_LDADD = lib/libhpm.la -lpapi
endif

if HAVE_SDE
inside_tests += tests/source/papi
tests_source_papi_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_papi_LDADD = $(inside_LDADD) -lsde
measured_programs += tests/programs/sde
tests_programs_sde_LDADD = lib/libhpm.la -lsde
endif

# Loaded before a program (LD_PRELOAD), which sanitizers do not allow; -rpath
# makes libtool build the .so.
if !SANITIZED
check_LTLIBRARIES += tests/programs/fakepmu.la
tests_programs_fakepmu_la_SOURCES = tests/programs/fakepmu.c
tests_programs_fakepmu_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_fakepmu_la_LIBADD = -ldl -lpthread
endif

check_PROGRAMS += $(inside_tests) $(stepping_tests) $(measured_programs)
TESTS += $(inside_tests) $(stepping_tests) \
	tests/cli/examples.py \
	tests/cli/fakepmu.py \
	tests/cli/hpmcount.py \
	tests/cli/libhpm.py \
	tests/cli/options.py \
	tests/cli/papi.py \
	tests/cli/process.py \
	tests/cli/replay.py \
	tests/cli/trouble.py \
	tests/check-documents.sh \
	tests/check-header.sh \
	tests/check-layers.sh \
	tests/check-symbols.sh

EXTRA_DIST += tests/FAULTS-COUNT.md tests/tap.h tests/tap.py tests/run-python \
	tests/cli/examples.py \
	tests/cli/fakepmu.py \
	tests/cli/hpmcount.py \
	tests/cli/libhpm.py \
	tests/cli/options.py \
	tests/cli/papi.py \
	tests/cli/process.py \
	tests/cli/replay.py \
	tests/cli/trouble.py \
	tests/check-documents.sh \
	tests/check-header.sh \
	tests/check-layers.sh \
	tests/check-symbols.sh

inside_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
inside_LDADD = lib/libmeasure.la lib/libcore.la $(PFM_LIBS)

tests_base_env_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_env_LDADD = $(inside_LDADD)
tests_base_launcher_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_launcher_LDADD = $(inside_LDADD)
tests_base_string_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_string_LDADD = $(inside_LDADD)
tests_base_write_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_write_LDADD = $(inside_LDADD)
tests_file_output_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_output_LDADD = $(inside_LDADD)
tests_file_pattern_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_pattern_LDADD = $(inside_LDADD)
tests_file_writer_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_writer_LDADD = $(inside_LDADD)
tests_hpmcount_spread_SOURCES = tests/hpmcount/spread.c hpmcount/spread.c
tests_hpmcount_spread_CPPFLAGS = $(inside_CPPFLAGS) -I$(top_srcdir)
tests_hpmcount_spread_LDADD = $(inside_LDADD)
tests_model_experiment_CPPFLAGS = $(inside_CPPFLAGS)
tests_model_experiment_LDADD = $(inside_LDADD)
tests_record_forest_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_forest_LDADD = $(inside_LDADD)
tests_record_harvest_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_harvest_LDADD = $(inside_LDADD)
tests_report_sections_CPPFLAGS = $(inside_CPPFLAGS)
tests_report_sections_LDADD = $(inside_LDADD)
tests_report_table_CPPFLAGS = $(inside_CPPFLAGS)
tests_report_table_LDADD = $(inside_LDADD)
tests_source_clock_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_clock_LDADD = $(inside_LDADD)
tests_source_eventset_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_eventset_LDADD = $(inside_LDADD)
tests_source_generic_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_generic_LDADD = $(inside_LDADD)
tests_source_meter_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_meter_LDADD = $(inside_LDADD)
tests_record_hotpath_SOURCES = tests/record/hotpath.c \
	tests/record/stepper.c tests/record/stepper.h \
	tests/record/symbol.c tests/record/symbol.h
tests_record_hotpath_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_source_replay_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_replay_LDADD = $(inside_LDADD)
tests_source_replayfile_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_replayfile_LDADD = $(inside_LDADD)
tests_programs_calls_LDADD = lib/libhpm.la
tests_programs_hotpath_LDADD = lib/libhpm.la -ldl -lpthread
tests_programs_hotpath_LDFLAGS = -Wl,-z,now
tests_programs_edges_LDADD = lib/libhpm.la
tests_programs_labels_LDADD = lib/libhpm.la
tests_programs_papi_LDADD = lib/libhpm.la
tests_programs_threads_LDADD = lib/libhpm.la
tests_programs_ways_LDADD = lib/libhpm.la

AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	sanitizers='$(hpm_sanitizers)'; export sanitizers; \
	CC='$(CC)'; export CC;
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
SH_LOG_DRIVER = $(tap_driver)
SH_LOG_COMPILER = $(SHELL)
PY_LOG_DRIVER = $(tap_driver)
PY_LOG_COMPILER = $(top_srcdir)/tests/run-python
