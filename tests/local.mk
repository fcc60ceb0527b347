# SPDX-License-Identifier: BSD-3-Clause
# Tests speak TAP; each assertion is counted.

# Programs that look inside link the archives, in which nothing is hidden from
# them; programs that are measured link the shared library as users do.
inside_tests = \
	tests/base/env \
	tests/base/launcher \
	tests/base/string \
	tests/base/text \
	tests/base/write \
	tests/file/output \
	tests/file/pattern \
	tests/file/writer \
	tests/model/experiment \
	tests/record/forest \
	tests/report/sections \
	tests/report/table \
	tests/source/clock \
	tests/source/eventset \
	tests/source/generic \
	tests/source/meter

measured_programs = \
	tests/programs/calls \
	tests/programs/hotpath \
	tests/programs/hotpath-fortran \
	tests/programs/labels \
	tests/programs/threads \
	tests/programs/tree \
	tests/programs/ways

# Runs a measured program step by step, and links neither.
stepping_tests = tests/record/hotpath

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
	tests/cli/cplusplus.py \
	tests/cli/examples.py \
	tests/cli/fakepmu.py \
	tests/cli/fortran.py \
	tests/cli/hpmcount.py \
	tests/cli/libhpm.py \
	tests/cli/parallel.py \
	tests/cli/programs.py \
	tests/check-documents.sh \
	tests/check-header.sh \
	tests/check-layers.sh \
	tests/check-symbols.sh

EXTRA_DIST += tests/tap.h tests/tap.py tests/run-python \
	tests/cli/cplusplus.py \
	tests/cli/examples.py \
	tests/cli/fakepmu.py \
	tests/cli/fortran.py \
	tests/cli/hpmcount.py \
	tests/cli/libhpm.py \
	tests/cli/parallel.py \
	tests/cli/programs.py \
	tests/check-documents.sh \
	tests/check-header.sh \
	tests/check-layers.sh \
	tests/check-symbols.sh \
	tests/cplusplus/scopes.cc \
	tests/fortran/column72.F \
	tests/fortran/constants.F90 \
	tests/fortran/ends.F90 \
	tests/fortran/mo_profile.F90 \
	tests/fortran/module.F90 \
	tests/fortran/plain.f \
	tests/fortran/spellings.F90 \
	tests/fortran/threads.F \
	tests/fortran/wide.F90 \
	tests/parallel/leave.c \
	tests/parallel/teams.c

inside_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
inside_LDADD = lib/libmeasure.la lib/libcore.la $(PFM_LIBS)

tests_base_env_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_env_LDADD = $(inside_LDADD)
tests_base_launcher_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_launcher_LDADD = $(inside_LDADD)
tests_base_string_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_string_LDADD = $(inside_LDADD)
tests_base_text_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_text_LDADD = $(inside_LDADD)
tests_base_write_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_write_LDADD = $(inside_LDADD)
tests_file_output_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_output_LDADD = $(inside_LDADD)
tests_file_pattern_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_pattern_LDADD = $(inside_LDADD)
tests_file_writer_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_writer_LDADD = $(inside_LDADD)
tests_model_experiment_CPPFLAGS = $(inside_CPPFLAGS)
tests_model_experiment_LDADD = $(inside_LDADD)
tests_record_forest_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_forest_LDADD = $(inside_LDADD)
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
tests_programs_calls_LDADD = lib/libhpm.la
tests_programs_hotpath_LDADD = lib/libhpm.la -ldl -lpthread
tests_programs_hotpath_LDFLAGS = -Wl,-z,now
tests_programs_hotpath_fortran_SOURCES = tests/programs/hotpath.c
tests_programs_hotpath_fortran_CPPFLAGS = $(AM_CPPFLAGS) -DFORTRAN_DOOR
tests_programs_hotpath_fortran_LDADD = lib/libhpm.la -ldl -lpthread
tests_programs_hotpath_fortran_LDFLAGS = -Wl,-z,now
tests_programs_labels_LDADD = lib/libhpm.la
tests_programs_threads_LDADD = lib/libhpm.la
tests_programs_ways_LDADD = lib/libhpm.la

AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	sanitizers='$(hpm_sanitizers)'; export sanitizers; \
	CC='$(CC)'; export CC; \
	FC='$(FC)'; export FC; \
	OPENMP_CFLAGS='$(OPENMP_CFLAGS)'; export OPENMP_CFLAGS; \
	PRIVATE_LIBS='$(PFM_LIBS) $(LIBS)'; export PRIVATE_LIBS;
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
SH_LOG_DRIVER = $(tap_driver)
SH_LOG_COMPILER = $(SHELL)
PY_LOG_DRIVER = $(tap_driver)
PY_LOG_COMPILER = $(top_srcdir)/tests/run-python
