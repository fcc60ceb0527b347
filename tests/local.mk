# SPDX-License-Identifier: BSD-3-Clause
# Tests speak TAP; each assertion is counted.

# Programs that look inside link the archives, in which nothing is hidden from
# them; programs that are measured link the shared library as users do.
inside_tests = \
	tests/host/descriptor \
	tests/base/env \
	tests/host/folder \
	tests/host/others \
	tests/base/launcher \
	tests/base/sort \
	tests/base/string \
	tests/base/text \
	tests/brought/items \
	tests/brought/parts \
	tests/brought/tickscale \
	tests/elf/elffile \
	tests/elf/linetable \
	tests/elf/wanted \
	tests/host/write \
	tests/file/append \
	tests/file/figure \
	tests/file/journal \
	tests/file/output \
	tests/file/pattern \
	tests/study/file/plainreader \
	tests/file/writer \
	tests/functions/label \
	tests/hpmcount/callers \
	tests/hpmcount/crossings \
	tests/hpmcount/intervals \
	tests/hpmcount/probecosts \
	tests/hpmcount/probethreads \
	tests/hpmcount/spread \
	tests/hpmcount/watch \
	tests/libraries/choice \
	tests/metric/binding \
	tests/metric/cpus \
	tests/metric/definitions \
	tests/metric/evaluate \
	tests/metric/exact \
	tests/metric/tally \
	tests/metric/codes \
	tests/metric/events \
	tests/metric/fuzz \
	tests/metric/identities \
	tests/metric/peek \
	tests/metric/hints \
	tests/metric/kojak \
	tests/metric/papers \
	tests/metric/spec \
	tests/metric/tables \
	tests/metric/threshold \
	tests/model/chains \
	tests/model/estimate \
	tests/model/experiment \
	tests/model/profile \
	tests/mpi/calltime \
	tests/mpi/jobfile \
	tests/openmp/ompthread \
	tests/record/callsite \
	tests/record/calltree \
	tests/record/checkpoint \
	tests/record/changing \
	tests/record/drainer \
	tests/record/filter \
	tests/record/harvest \
	tests/record/oracle \
	tests/record/problems \
	tests/record/process \
	tests/record/profiling \
	tests/record/recorder \
	tests/record/records \
	tests/record/run \
	tests/record/sampler \
	tests/record/snapshot \
	tests/record/calibration \
	tests/record/reservoir \
	tests/record/shares \
	tests/record/sharing \
	tests/record/thread \
	tests/record/threads \
	tests/record/shortclock \
	tests/record/timecost \
	tests/report/sections \
	tests/report/table \
	tests/study/metric/definednames tests/study/metric/possible \
	tests/study/report/human tests/study/report/tree \
	tests/source/clock tests/source/phase tests/source/ring \
	tests/source/affinity tests/source/cpuinfo tests/source/devices \
	tests/source/kept tests/source/procfile tests/source/tasks \
	tests/source/event \
	tests/source/eventset \
	tests/source/format \
	tests/source/generic \
	tests/source/kernelnames \
	tests/source/meter \
	tests/source/modules \
	tests/source/obstacle \
	tests/source/page \
	tests/source/pfm \
	tests/source/replay \
	tests/source/replayfile \
	tests/source/sampling \
	tests/source/usage

measured_programs = \
	tests/programs/asitis \
	tests/programs/beside \
	tests/programs/calls \
	tests/programs/cancelled \
	tests/programs/catcher \
	tests/programs/hotpath \
	tests/programs/comings \
	tests/programs/edges \
	tests/programs/hotpath-fortran \
	tests/programs/hotpath-plain \
	tests/programs/killed \
	tests/programs/labels \
	tests/programs/lives \
	tests/programs/misuse \
	tests/programs/papi \
	tests/programs/refuse \
	tests/programs/crowd \
	tests/programs/situations \
	tests/programs/surroundings \
	tests/programs/sampled tests/programs/shares \
	tests/programs/unchanged \
	tests/programs/threads \
	tests/programs/tree \
	tests/programs/ways

# These link libstudy as well, and with it libxml2.
if HAVE_STUDY
study_tests = \
	tests/study/statistics/statistics \
	tests/study/multivariate/multivariate \
	tests/study/inference/permutation \
	tests/study/compare/stopping \
	tests/study/plan/packing \
	tests/study/store/names \
	tests/study/store/number \
	tests/study/words/pattern \
	tests/study/file/changing \
	tests/study/file/collect \
	tests/study/file/fuzz \
	tests/study/file/next \
	tests/study/file/reader \
	tests/study/columns/algebra \
	tests/study/columns/roundtrip \
	tests/study/columns/spread tests/study/columns/standarderror \
	tests/study/columns/statistics \
	tests/study/columns/sums \
	tests/study/html/block \
	tests/study/html/page \
	tests/study/survey/rowstotal \
	tests/study/survey/survey
study_programs = tests/programs/inject tests/programs/lackingmemory \
	tests/programs/reread
study_scripts = \
	tests/cli/aggregate.py \
	tests/cli/algebra.py \
	tests/cli/audit.py \
	tests/cli/cluster.py \
	tests/cli/compare.py \
	tests/cli/differentruns.py \
	tests/cli/factors.py \
	tests/cli/faulty.py \
	tests/cli/htmlbrowser.py \
	tests/cli/htmldrawing.py \
	tests/cli/htmllint.py \
	tests/cli/htmlpage.py \
	tests/cli/htmlscript.py \
	tests/cli/importdefinitions.py \
	tests/cli/keeping.py \
	tests/cli/keptcalls.py \
	tests/cli/kindred.py \
	tests/cli/kindsentence.py \
	tests/cli/lacking.py \
	tests/cli/linear.py \
	tests/cli/means.py \
	tests/cli/reader.py \
	tests/cli/outliers.py \
	tests/cli/points.py \
	tests/cli/recover.py \
	tests/cli/summary.py \
	tests/cli/toldgrid.py \
	tests/cli/report.py \
	tests/cli/reportonce.py \
	tests/cli/reportpapers.py \
	tests/cli/roofs.py \
	tests/cli/sums.py \
	tests/cli/callers.py \
	tests/cli/samplefiles.py \
	tests/cli/samplejournal.py \
	tests/cli/sampling.py \
	tests/cli/besideperf.py \
	tests/cli/samplecount.py \
	tests/cli/shares.py \
	tests/cli/sharing.py \
	tests/cli/together.py \
	tests/cli/evaluated.py \
	tests/cli/listings.py \
	tests/cli/ownreports.py \
	tests/cli/verdicts.py \
	tests/cli/watched.py \
	tests/cli/webpage.py \
	tests/cli/verify.py \
	tests/hints.py
endif

# They build with sanitizers of their own.
if !SANITIZED
fuzzers = tests/metric/libfuzzer.sh
if HAVE_STUDY
fuzzers += tests/study/file/libfuzzer.sh
endif
endif

# The viewer's models, which need no display.
if HAVE_GTK
viz_tests = \
	tests/viz/hints \
	tests/viz/changes \
	tests/viz/document \
	tests/viz/editor \
	tests/viz/errorline \
	tests/viz/functionat \
	tests/viz/heat \
	tests/viz/history \
	tests/viz/instrument \
	tests/viz/instrumentodd \
	tests/viz/remembered \
	tests/viz/paging \
	tests/viz/palette \
	tests/viz/places \
	tests/viz/plots \
	tests/viz/picture \
	tests/viz/preferences \
	tests/viz/recent \
	tests/viz/rowmodel \
	tests/viz/runs \
	tests/viz/saving \
	tests/viz/session \
	tests/viz/sheet \
	tests/viz/sourcelines \
	tests/viz/sources \
	tests/viz/sourcetext \
	tests/viz/swapping \
	tests/viz/trees
# People who use the viewer.  The first tell something in each build, or try more
# where all inputs are tried; what the others see is the same in each: runtests takes
# them where the sanitizers look on, too.
viz_journeys = \
	tests/viz/calls.py \
	tests/viz/comeback.py \
	tests/viz/comparing.py \
	tests/viz/contrast.py \
	tests/viz/distribution.py \
	tests/viz/hybrid.py \
	tests/viz/instrumented.py \
	tests/viz/instrumenting.py \
	tests/viz/keyboard.py \
	tests/viz/measuring.py \
	tests/viz/measurefunction.py \
	tests/viz/kinds.py \
	tests/viz/linkedtrees.py \
	tests/viz/metrics.py \
	tests/viz/oddsource.py \
	tests/viz/opening.py \
	tests/viz/printing.py \
	tests/viz/samples.py \
	tests/viz/slowdisk.py \
	tests/viz/sourcepane.py \
	tests/viz/treesvalues.py \
	tests/viz/tworuns.py \
	tests/viz/worst.py
viz_scripts = \
	tests/viz/display.py \
	tests/viz/documents.py \
	tests/viz/headless.py \
	tests/viz/journey.py \
	tests/viz/journeys.py \
	tests/viz/races.py \
	$(viz_journeys)
CLEANFILES += tests/viz/*.png
endif

# Runs a measured program step by step, and links neither.
stepping_tests = tests/record/hotpath

# Is measured itself, in forked processes.
measured_tests = tests/record/programs

if HAVE_OPENMP
measured_programs += tests/programs/teams
tests_programs_teams_LDADD = lib/libhpm.la
tests_programs_teams_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
endif

if HAVE_PAPI
measured_programs += tests/programs/papiuser
tests_programs_papiuser_LDADD = lib/libhpm.la $(PAPI_LIBS)
endif

if HAVE_PAPI
inside_tests += tests/source/papilib tests/source/slices
tests_source_papilib_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_papilib_LDADD = $(inside_LDADD)
tests_source_slices_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_slices_LDADD = $(inside_LDADD) -lm
endif
if HAVE_SDE
inside_tests += tests/source/papi tests/source/papislices
tests_source_papislices_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_papislices_LDADD = $(inside_LDADD) $(SDE_LIBS) -lm
tests_source_papi_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_papi_LDADD = $(inside_LDADD) $(SDE_LIBS)
measured_programs += tests/programs/sde tests/programs/kindred
tests_programs_kindred_LDADD = lib/libhpm.la $(SDE_LIBS) -lpthread
tests_programs_sde_LDADD = lib/libhpm.la $(SDE_LIBS)
ticks_CPPFLAGS = -DHAVE_SDE
ticks_LIBS = $(SDE_LIBS)
endif

# Loaded before a program (LD_PRELOAD), which sanitizers do not allow; -rpath
# makes libtool build the .so.
if !SANITIZED
check_LTLIBRARIES += tests/programs/fakepmu.la
tests_programs_fakepmu_la_SOURCES = tests/programs/fakepmu.c
tests_programs_fakepmu_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_fakepmu_la_LIBADD = -ldl -lpthread
check_LTLIBRARIES += tests/programs/steppmu.la
tests_programs_steppmu_la_SOURCES = tests/programs/steppmu.c
tests_programs_steppmu_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_steppmu_la_LIBADD = -ldl
check_LTLIBRARIES += tests/programs/slowdisk.la
tests_programs_slowdisk_la_SOURCES = tests/programs/slowdisk.c
tests_programs_slowdisk_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_slowdisk_la_LIBADD = -ldl
check_LTLIBRARIES += tests/programs/yielding.la
tests_programs_yielding_la_SOURCES = tests/programs/yielding.c
tests_programs_yielding_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_yielding_la_LIBADD = -ldl
check_LTLIBRARIES += tests/programs/wildclock.la
tests_programs_wildclock_la_SOURCES = tests/programs/wildclock.c
tests_programs_wildclock_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
check_LTLIBRARIES += tests/programs/alpha.la tests/programs/bravo.la
tests_programs_alpha_la_SOURCES = tests/programs/turn.c
tests_programs_alpha_la_CPPFLAGS = $(AM_CPPFLAGS) -DLABEL='"alpha work"'
tests_programs_alpha_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_alpha_la_LIBADD = lib/libhpm.la
tests_programs_bravo_la_SOURCES = tests/programs/turn.c
tests_programs_bravo_la_CPPFLAGS = $(AM_CPPFLAGS) -DLABEL='"bravo work"'
tests_programs_bravo_la_LDFLAGS = $(tests_programs_alpha_la_LDFLAGS)
tests_programs_bravo_la_LIBADD = lib/libhpm.la
check_LTLIBRARIES += tests/programs/plugin.la tests/programs/unchangedplugin.la
tests_programs_unchangedplugin_la_SOURCES = tests/programs/unchangedplugin.c
tests_programs_unchangedplugin_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_unchangedplugin_la_LIBADD =
tests_programs_plugin_la_SOURCES = tests/programs/plugin.c
tests_programs_plugin_la_LDFLAGS = -module -avoid-version -shared \
	-rpath /nowhere
tests_programs_plugin_la_LIBADD = lib/libhpm.la
# Its own malloc, in place of which a sanitizer has another.
measured_programs += tests/programs/mallocless
tests_programs_mallocless_LDADD = lib/libhpm.la
endif

check_PROGRAMS += $(inside_tests) $(stepping_tests) $(measured_tests) \
	$(measured_programs) \
	$(study_tests) $(study_programs) $(viz_tests)
TESTS += $(inside_tests) $(stepping_tests) $(measured_tests) \
	$(study_tests) $(study_scripts) \
	$(viz_tests) $(viz_scripts) \
	tests/cli/attach.py \
	tests/cli/cplusplus.py \
	tests/cli/definedevents.py \
	tests/cli/doctor.py \
	tests/cli/examples.py \
	tests/cli/encodings.py \
	tests/cli/fakepmu.py \
	tests/cli/foreign-events.py \
	tests/cli/functions.py \
	tests/cli/fortran.py \
	tests/cli/german.py \
	tests/cli/hpm.py \
	tests/cli/hybrid.py \
	tests/cli/models.py \
	tests/cli/hpmcount.py \
	tests/cli/probeable.py \
	tests/cli/probes.py \
	tests/cli/standing.py \
	tests/cli/interposers.py \
	tests/cli/libraries.py \
	tests/cli/languages.py \
	tests/cli/launch.py \
	tests/cli/checkpoint.py \
	tests/cli/libhpm.py \
	tests/cli/options.py tests/cli/outside.py tests/cli/ownreads.py \
	tests/cli/digits.py \
	tests/cli/schemas.py \
	tests/cli/planted.py \
	tests/cli/comings.py \
	tests/cli/lives.py \
	tests/cli/misuse.py \
	tests/cli/papi.py \
	tests/cli/process.py \
	tests/cli/slices.py \
	tests/cli/mpi.py \
	tests/cli/mpihints.py tests/cli/mpitimes.py tests/cli/mpiwaits.py \
	tests/cli/openmpexits.py tests/cli/openmplast.py tests/cli/openmptimes.py \
	tests/cli/parallel.py \
	tests/cli/programs.py \
	tests/cli/replay.py \
	tests/cli/privileged.py \
	tests/cli/trouble.py \
	tests/cli/campaign.py tests/cli/metrics.py tests/cli/plan.py \
	tests/cli/explain.py tests/cli/checkdefinitions.py \
	tests/cli/surroundings.py \
	tests/cli/node.py \
	tests/cli/rawevents.py \
	tests/cli/topdown.py \
	tests/cli/wrongcodes.py \
	tests/check-objects.py \
	tests/check-symbols.sh

# Look at the sources, or build more than what is here: a build with sanitizers
# has nothing to add.
tree_tests = \
	tests/check-configure.sh \
	tests/check-documents.sh \
	tests/check-fast-math.sh \
	tests/check-format.sh \
	tests/check-hacking.py \
	tests/check-header.sh \
	tests/check-layers.py \
	tests/check-names.py \
	tests/check-pages.py \
	tests/check-times.sh \
	$(fuzzers)
# Ask R, too, for the numbers that cluster.py and factors.py ask of the same code.
if HAVE_STUDY
tree_tests += tests/cli/clusteroracle.py tests/cli/factororacle.py
endif
if !SANITIZED
TESTS += $(tree_tests)
endif

EXTRA_DIST += tests/FAULTS.md tests/FAULTS-COUNT.md tests/FAULTS-READ.md \
	tests/FAULTS-VIEW.md \
	tests/viz/runfiles.h tests/viz/settling.h \
	tests/viz/scratch.h tests/viz/study.h tests/tap.h tests/tap.py tests/journal.py \
	tests/coverage.py tests/faults.py tests/mutants.py tests/reached.py \
	tests/mutants-known.txt tests/mutants-tests.txt tests/cli/planted.py \
	tests/mutants-rules.py tests/mutants-rules.txt \
	tests/author.py tests/cmssw.py tests/doors.py tests/evaluator.py tests/htmlpages.py \
	tests/browsers.py tests/htmlsamples.py tests/htmlscripts.py \
	tests/columnfiles.py tests/mpiopenmp.py tests/mpiprograms.py tests/mpiwaves.py tests/pagepictures.py tests/reports.py tests/vendors.py \
	tests/hints.py tests/hints.table tests/intelmodels.py tests/listedpmus.py \
	tests/environment.sh tests/run-python tests/timed-driver \
	tests/cli/attach.py \
	tests/cli/cplusplus.py \
	tests/cli/definedevents.py \
	tests/cli/doctor.py \
	tests/cli/examples.py \
	tests/cli/encodings.py \
	tests/cli/fakepmu.py \
	tests/cli/foreign-events.py \
	tests/cli/functions.py \
	tests/cli/fortran.py \
	tests/cli/german.py \
	tests/cli/hpm.py \
	tests/cli/hybrid.py \
	tests/cli/models.py \
	tests/cli/hpmcount.py \
	tests/cli/probeable.py \
	tests/cli/probes.py \
	tests/cli/standing.py \
	tests/cli/interposers.py \
	tests/cli/libraries.py \
	tests/cli/languages.py \
	tests/cli/launch.py \
	tests/cli/checkpoint.py \
	tests/cli/libhpm.py \
	tests/cli/options.py tests/cli/outside.py tests/cli/ownreads.py \
	tests/cli/digits.py \
	tests/cli/schemas.py \
	tests/cli/comings.py \
	tests/cli/lives.py \
	tests/cli/misuse.py \
	tests/cli/papi.py \
	tests/cli/process.py \
	tests/cli/slices.py \
	tests/cli/mpi.py \
	tests/cli/mpihints.py tests/cli/mpitimes.py tests/cli/mpiwaits.py \
	tests/cli/openmpexits.py tests/cli/openmplast.py tests/cli/openmptimes.py \
	tests/cli/parallel.py \
	tests/cli/programs.py \
	tests/cli/aggregate.py \
	tests/cli/algebra.py \
	tests/cli/audit.py \
	tests/cli/compare.py \
	tests/cli/cluster.py tests/cli/clusteroracle.py \
	tests/cli/factors.py tests/cli/factororacle.py \
	tests/cli/keptcalls.py \
	tests/cli/kindred.py tests/cli/kindsentence.py tests/cli/toldgrid.py \
	tests/cli/summary.py \
	tests/cli/outliers.py tests/cli/points.py \
	tests/cli/differentruns.py \
	tests/cli/faulty.py \
	tests/cli/htmlbrowser.py \
	tests/cli/htmldrawing.py \
	tests/cli/htmllint.py \
	tests/cli/htmlpage.py \
	tests/cli/htmlscript.py \
	tests/cli/importdefinitions.py \
	tests/cli/keeping.py \
	tests/cli/lacking.py \
	tests/cli/linear.py \
	tests/cli/means.py \
	tests/cli/reader.py \
	tests/cli/recover.py \
	tests/cli/replay.py \
	tests/cli/report.py \
	tests/cli/reportonce.py \
	tests/cli/reportpapers.py \
	tests/cli/roofs.py \
	tests/cli/privileged.py \
	tests/cli/trouble.py \
	tests/data/codes.tsv \
	tests/cli/sums.py \
	tests/cli/callers.py \
	tests/cli/samplefiles.py \
	tests/cli/samplejournal.py \
	tests/cli/sampling.py \
	tests/cli/besideperf.py \
	tests/cli/samplecount.py \
	tests/cli/shares.py \
	tests/cli/sharing.py \
	tests/cli/together.py \
	tests/cli/evaluated.py \
	tests/cli/listings.py \
	tests/cli/ownreports.py \
	tests/cli/verdicts.py \
	tests/cli/watched.py \
	tests/cli/webpage.py \
	tests/cli/verify.py \
	tests/data/hostile.py \
	tests/data/tasks.py \
	tests/cli/campaign.py tests/cli/metrics.py tests/cli/plan.py \
	tests/cli/explain.py tests/cli/checkdefinitions.py \
	tests/cli/surroundings.py \
	tests/cli/node.py \
	tests/cli/rawevents.py \
	tests/cli/topdown.py \
	tests/cli/wrongcodes.py \
	tests/check-configure.sh \
	tests/check-documents.sh \
	tests/check-fast-math.sh \
	tests/check-format.sh \
	tests/check-hacking.py \
	tests/check-header.sh \
	tests/check-layers.py \
	tests/check-names.py \
	tests/check-objects.py \
	tests/check-pages.py \
	tests/check-symbols.sh \
	tests/check-times.sh \
	tests/cplusplus/door.cc tests/cplusplus/scopes.cc \
	tests/fortran/column72.F \
	tests/fortran/constants.F90 \
	tests/fortran/door.F90 tests/fortran/ends.F90 \
	tests/fortran/mo_profile.F90 \
	tests/fortran/module.F90 \
	tests/fortran/plain.f \
	tests/fortran/spellings.F90 \
	tests/fortran/threads.F \
	tests/fortran/wide.F90 \
	tests/functions/allocates.cc \
	tests/functions/counted.h \
	tests/functions/jumps.cc \
	tests/functions/loads.c \
	tests/functions/mixed.c \
	tests/functions/plugin.c \
	tests/functions/waits.c \
	tests/functions/procedures.f90 \
	tests/functions/steps.c tests/functions/throws.cc \
	tests/functions/ways.c \
	tests/libraries/demo.c tests/libraries/demo.prototypes \
	tests/libraries/other.prototypes \
	tests/libraries/loads.c tests/libraries/messages.c \
	tests/libraries/messages.f90 tests/libraries/multiplies.c \
	tests/libraries/multiplies.f90 tests/libraries/plugin.c \
	tests/libraries/integers.c tests/libraries/throws.cc tests/libraries/transforms.c \
	tests/libraries/uses.c \
	tests/parallel/early.c \
	tests/parallel/exits.c \
	tests/parallel/graph.c \
	tests/parallel/grid.c \
	tests/parallel/job.F90 \
	tests/parallel/job.c \
	tests/parallel/lastcomer.c \
	tests/parallel/keep.c \
	tests/parallel/leave.c \
	tests/parallel/loader.c \
	tests/parallel/mixed.c \
	tests/parallel/module.F90 \
	tests/parallel/multiple.c \
	tests/parallel/spawn.c \
	tests/parallel/tasks.c \
	tests/parallel/teams.c \
	tests/parallel/times.F90 \
	tests/parallel/times.c \
	tests/parallel/waits.F90 \
	tests/parallel/waits.c \
	tests/parallel/waves.F90 \
	tests/parallel/waves.c \
	tests/parallel/tool.c \
	tests/data/cpus \
	tests/metric/cmssw-core.table \
	tests/metric/cmssw-nehalem.table \
	tests/study/file/libfuzzer.sh \
	tests/libfuzzer.sh \
	tests/metric/libfuzzer.sh \
	tests/metric/listings \
	tests/viz/desktop \
	tests/viz/calls.py \
	tests/viz/comeback.py \
	tests/viz/comparing.py \
	tests/viz/contrast.py \
	tests/viz/display.py \
	tests/viz/distribution.py \
	tests/viz/documents.py \
	tests/viz/headless.py \
	tests/viz/hybrid.py \
	tests/viz/instrumented.py \
	tests/viz/instrumenting.py \
	tests/viz/journey.py \
	tests/viz/journeys.py \
	tests/viz/keyboard.py \
	tests/viz/measuring.py \
	tests/viz/measurefunction.py \
	tests/viz/kinds.py \
	tests/viz/linkedtrees.py \
	tests/viz/metrics.py \
	tests/viz/oddsource.py \
	tests/viz/often.py \
	tests/viz/opening.py \
	tests/viz/person.py \
	tests/viz/lookpictures.py \
	tests/viz/pictures.py \
	tests/viz/printing.py \
	tests/viz/races.py \
	tests/viz/samples.py \
	tests/viz/screenreader.py \
	tests/viz/slowdisk.py \
	tests/viz/smallprogram.py \
	tests/viz/sourcepane.py \
	tests/viz/swim.py \
	tests/viz/treesvalues.py \
	tests/viz/tworuns.py \
	tests/viz/worst.py

# More damaged input than the tests have time for, for as long as one wants:
# make fuzz FUZZ_SECONDS=600
FUZZ_SECONDS = 60
fuzz_targets = fuzz-metrics
fuzz-metrics:
	@top_srcdir='$(abs_top_srcdir)' \
	$(SHELL) $(top_srcdir)/tests/metric/libfuzzer.sh $(FUZZ_SECONDS)
if HAVE_STUDY
fuzz_targets += fuzz-reader
fuzz-reader: tests/study/file/fuzz
	tests/study/file/fuzz $(FUZZ_SECONDS)
	@top_srcdir='$(abs_top_srcdir)' \
	$(SHELL) $(top_srcdir)/tests/study/file/libfuzzer.sh $(FUZZ_SECONDS)
endif
fuzz: $(fuzz_targets)
.PHONY: fuzz fuzz-metrics fuzz-reader

# Plant single faults and see which the tests notice, e.g.
#   make mutants MUTANTS="lib/record/calltree.c study/columns/*.c" MUTANTS_N=40
# MUTANTS_FLAGS takes more of tests/mutants.py's options (--seed 1, --want 80).
MUTANTS = lib/record/*.[ch] lib/model/*.[ch]
MUTANTS_N = 40
MUTANTS_FLAGS =
mutants:
	@$(PYTHON3) $(top_srcdir)/tests/mutants.py --number $(MUTANTS_N) \
		$(MUTANTS_FLAGS) '$(MUTANTS)'

# Break each rule of the evaluation of metrics on purpose, or those whose names
# have these words: make mutants-rules RULES="'outer wholes'".
RULES =
mutants-rules:
	@$(PYTHON3) $(top_srcdir)/tests/mutants-rules.py $(RULES)

# Which lines of each room the tests execute, in a build folder of its own.
COVERAGE_TESTS = $(inside_tests) $(study_tests)
COVERAGE_FLAGS = -O0 -g --coverage -fprofile-update=atomic
coverage:
	@$(MKDIR_P) coverage
	@test -f coverage/config.status || (cd coverage && \
		'$(abs_top_srcdir)/configure' --disable-static --disable-hpmviz \
		CC='$(CC)' CXX='$(CXX)' FC='$(FC)' \
		CFLAGS='$(COVERAGE_FLAGS)' CXXFLAGS='$(COVERAGE_FLAGS)' \
		>configure.out)
	@find coverage -name '*.gcda' -exec rm -f {} +
	@cd coverage && $(MAKE) $(AM_MAKEFLAGS) V=0 all >make.out && \
		$(MAKE) $(AM_MAKEFLAGS) V=0 check TESTS= >>make.out
	-@cd coverage && $(MAKE) $(AM_MAKEFLAGS) V=0 check \
		TESTS='$(COVERAGE_TESTS)'
	@$(PYTHON3) $(top_srcdir)/tests/coverage.py coverage $(top_srcdir) \
		$(COVERAGE_SHOW)
mostlyclean-local:
	rm -rf mutants coverage tests/libhpm_mpi
.PHONY: coverage mutants mutants-rules

inside_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
inside_LDADD = lib/libmeasure.la lib/libcore.la $(PFM_LIBS)

study_LDADD = study/libstudy.la lib/libcore.la -lpthread
tests_study_statistics_statistics_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_statistics_statistics_LDADD = $(study_LDADD)
tests_study_multivariate_multivariate_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_multivariate_multivariate_LDADD = $(study_LDADD) -lm
tests_study_inference_permutation_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_inference_permutation_LDADD = $(study_LDADD) -lm
tests_study_compare_stopping_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_compare_stopping_LDADD = $(study_LDADD) -lm
tests_study_plan_packing_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_plan_packing_LDADD = $(study_LDADD)
tests_study_store_names_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_store_names_LDADD = $(study_LDADD)
tests_study_words_pattern_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_words_pattern_LDADD = $(study_LDADD)
tests_study_store_number_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_store_number_LDADD = $(study_LDADD)
tests_study_file_collect_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_file_collect_LDADD = $(study_LDADD)
tests_study_file_next_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_file_next_LDADD = $(study_LDADD)
tests_study_file_changing_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_file_changing_LDADD = $(study_LDADD)
tests_study_file_fuzz_SOURCES = tests/study/file/fuzz.c \
	tests/file/sample.c tests/file/sample.h
tests_study_file_fuzz_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_file_fuzz_LDADD = $(study_LDADD)
tests_study_file_reader_SOURCES = tests/study/file/reader.c \
	tests/file/sample.c tests/file/sample.h
tests_study_file_reader_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_file_reader_LDADD = $(study_LDADD)
tests_study_columns_statistics_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_columns_statistics_LDADD = $(study_LDADD) -lm
tests_study_columns_algebra_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_columns_algebra_LDADD = $(study_LDADD)
tests_study_columns_spread_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_columns_spread_LDADD = $(study_LDADD) -lm
tests_study_columns_standarderror_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_columns_standarderror_LDADD = $(study_LDADD) -lm
tests_study_columns_sums_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_columns_sums_LDADD = $(study_LDADD) -lm
tests_study_columns_roundtrip_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_columns_roundtrip_LDADD = $(study_LDADD)
tests_study_html_block_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_html_block_LDADD = $(study_LDADD) -lz
tests_study_html_page_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_html_page_LDADD = $(study_LDADD)
tests_study_survey_rowstotal_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_survey_rowstotal_LDADD = $(study_LDADD)
tests_study_survey_survey_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_survey_survey_LDADD = $(study_LDADD)
tests_programs_lackingmemory_SOURCES = tests/programs/lackingmemory.c \
	$(report_sources) hpm/import-definitions.c
tests_programs_lackingmemory_CPPFLAGS = $(inside_CPPFLAGS)
tests_programs_lackingmemory_LDADD = study/libvendor.la study/libstudy.la study/libalgebra.la \
	lib/libmeasure.la lib/libcore.la -lpthread
tests_programs_reread_SOURCES = tests/programs/reread.c \
	tests/programs/opened.c tests/programs/opened.h
tests_programs_reread_LDADD = $(study_LDADD) -ldl

viz_CPPFLAGS = $(hpmviz_CPPFLAGS) -I$(top_srcdir)/tests
viz_LDADD = hpmviz/libviz.la -lpthread
tests_viz_remembered_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_remembered_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_remembered_LDADD = $(viz_LDADD)
tests_viz_hints_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_hints_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_hints_LDADD = $(viz_LDADD)
tests_viz_sheet_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_sheet_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_sheet_LDADD = $(viz_LDADD)
tests_viz_palette_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_palette_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_palette_LDADD = $(viz_LDADD)
tests_viz_plots_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_plots_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_plots_LDADD = $(viz_LDADD)
tests_viz_places_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_places_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_places_LDADD = $(viz_LDADD)
tests_viz_changes_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_changes_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_changes_LDADD = $(viz_LDADD)
tests_viz_picture_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_picture_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_picture_LDADD = $(viz_LDADD)
tests_viz_preferences_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_preferences_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_preferences_LDADD = $(viz_LDADD)
tests_viz_rowmodel_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_rowmodel_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_rowmodel_LDADD = $(viz_LDADD)
tests_viz_trees_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_trees_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_trees_LDADD = $(viz_LDADD)
tests_viz_runs_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_runs_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_runs_LDADD = $(viz_LDADD)
tests_viz_session_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_session_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_session_LDADD = $(viz_LDADD)
tests_viz_sources_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_sources_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_sources_LDADD = $(viz_LDADD)
tests_viz_recent_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_recent_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_recent_LDADD = $(viz_LDADD)
tests_viz_swapping_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_swapping_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_swapping_LDADD = $(viz_LDADD)
tests_viz_sourcetext_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_sourcetext_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_sourcetext_LDADD = $(viz_LDADD)
tests_viz_sourcelines_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_sourcelines_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_sourcelines_LDADD = $(viz_LDADD)
tests_viz_saving_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_saving_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_saving_LDADD = $(viz_LDADD)
tests_viz_document_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_document_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_document_LDADD = $(viz_LDADD)
tests_viz_history_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_history_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_history_LDADD = $(viz_LDADD)
tests_viz_instrument_SOURCES = tests/viz/instrument.c \
	tests/viz/instrumenter.c tests/viz/instrumenter.h
tests_viz_instrument_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_instrument_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_instrument_LDADD = $(viz_LDADD)
tests_viz_paging_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_paging_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_paging_LDADD = $(viz_LDADD)
tests_viz_instrumentodd_SOURCES = tests/viz/instrumentodd.c \
	tests/viz/instrumenter.c tests/viz/instrumenter.h
tests_viz_instrumentodd_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_instrumentodd_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_instrumentodd_LDADD = $(viz_LDADD)
tests_viz_functionat_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_functionat_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_functionat_LDADD = $(viz_LDADD)
tests_viz_errorline_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_errorline_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_errorline_LDADD = $(viz_LDADD)
tests_viz_heat_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_heat_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_heat_LDADD = $(viz_LDADD)
tests_viz_editor_CPPFLAGS = $(viz_CPPFLAGS)
tests_viz_editor_CFLAGS = $(hpmviz_CFLAGS)
tests_viz_editor_LDADD = $(viz_LDADD)

# The same properties of the reader that does without libxml2.
tests_study_file_plainreader_SOURCES = tests/study/file/reader.c \
	tests/file/sample.c tests/file/sample.h
tests_study_file_plainreader_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_file_plainreader_LDADD = mpi/libjob.la -lpthread
tests_host_descriptor_CPPFLAGS = $(inside_CPPFLAGS)
tests_host_descriptor_LDADD = $(inside_LDADD)
tests_base_env_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_env_LDADD = $(inside_LDADD)
tests_host_folder_CPPFLAGS = $(inside_CPPFLAGS)
tests_host_others_CPPFLAGS = $(inside_CPPFLAGS)
tests_host_others_LDADD = $(inside_LDADD)
tests_host_folder_LDADD = $(inside_LDADD)
tests_base_launcher_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_launcher_LDADD = $(inside_LDADD)
tests_base_sort_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_sort_LDADD = $(inside_LDADD)
tests_base_string_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_string_LDADD = $(inside_LDADD)
tests_base_text_CPPFLAGS = $(inside_CPPFLAGS)
tests_base_text_LDADD = $(inside_LDADD)
tests_host_write_CPPFLAGS = $(inside_CPPFLAGS)
tests_host_write_LDADD = $(inside_LDADD)
tests_file_append_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_append_LDADD = $(inside_LDADD)
tests_file_figure_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_figure_LDADD = $(inside_LDADD)
tests_file_journal_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_journal_LDADD = $(inside_LDADD)
tests_file_output_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_output_LDADD = $(inside_LDADD)
tests_file_pattern_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_pattern_LDADD = $(inside_LDADD)
tests_file_writer_CPPFLAGS = $(inside_CPPFLAGS)
tests_file_writer_LDADD = $(inside_LDADD)
tests_hpmcount_callers_SOURCES = tests/hpmcount/callers.c hpmcount/callers.c
tests_hpmcount_callers_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_callers_LDADD = $(inside_LDADD)
tests_hpmcount_crossings_SOURCES = tests/hpmcount/crossings.c \
	hpmcount/crossings.c tests/metric/trial.h
tests_hpmcount_crossings_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_crossings_LDADD = study/libalgebra.la $(inside_LDADD)
tests_hpmcount_intervals_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_intervals_LDADD = study/libalgebra.la $(inside_LDADD)
tests_hpmcount_probecosts_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_probecosts_LDADD = study/libprobe.la lib/libelffile.la $(inside_LDADD)
tests_hpmcount_probethreads_SOURCES = tests/hpmcount/probethreads.c \
	hpmcount/probethreads.c hpmcount/probethreads.h
tests_hpmcount_probethreads_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_probethreads_LDADD = $(inside_LDADD)
tests_hpmcount_spread_SOURCES = tests/hpmcount/spread.c hpmcount/spread.c
tests_hpmcount_spread_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_spread_LDADD = study/libalgebra.la $(inside_LDADD)
tests_hpmcount_watch_CPPFLAGS = $(inside_CPPFLAGS)
tests_hpmcount_watch_LDADD = $(inside_LDADD)
tests_metric_binding_SOURCES = tests/metric/binding.c tests/metric/trial.h
tests_metric_binding_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_binding_LDADD = $(inside_LDADD)
tests_metric_cpus_SOURCES = tests/metric/cpus.c tests/metric/trial.h
tests_metric_cpus_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_cpus_LDADD = $(inside_LDADD)
tests_metric_definitions_SOURCES = tests/metric/definitions.c \
	tests/metric/trial.h
tests_metric_definitions_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_definitions_LDADD = $(inside_LDADD)
tests_metric_evaluate_SOURCES = tests/metric/evaluate.c tests/metric/trial.h
tests_metric_evaluate_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_evaluate_LDADD = $(inside_LDADD)
tests_metric_exact_SOURCES = tests/metric/exact.c tests/metric/trial.h
tests_metric_exact_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_exact_LDADD = $(inside_LDADD)
tests_metric_tally_SOURCES = tests/metric/tally.c tests/metric/trial.h
tests_metric_tally_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_tally_LDADD = $(inside_LDADD)
tests_metric_codes_SOURCES = tests/metric/codes.c tests/metric/trial.h
tests_metric_codes_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_codes_LDADD = study/libalgebra.la $(inside_LDADD)

tests_metric_threshold_SOURCES = tests/metric/threshold.c \
	tests/metric/trial.h
tests_metric_threshold_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_threshold_LDADD = $(inside_LDADD)
tests_metric_events_SOURCES = tests/metric/events.c tests/metric/trial.h
tests_metric_events_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_events_LDADD = $(inside_LDADD)
tests_metric_fuzz_SOURCES = tests/metric/fuzz.c tests/metric/trial.h
tests_metric_fuzz_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_fuzz_LDADD = $(inside_LDADD)
tests_metric_hints_SOURCES = tests/metric/hints.c tests/metric/trial.h
tests_metric_hints_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_hints_LDADD = study/libalgebra.la $(inside_LDADD)
tests_study_metric_definednames_SOURCES = \
	tests/study/metric/definednames.c tests/metric/trial.h
tests_study_metric_definednames_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_metric_definednames_LDADD = study/libalgebra.la $(inside_LDADD)
tests_study_metric_possible_SOURCES = tests/study/metric/possible.c \
	tests/metric/trial.h
tests_study_metric_possible_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_metric_possible_LDADD = study/libalgebra.la $(inside_LDADD)
tests_metric_tables_SOURCES = tests/metric/tables.c tests/metric/trial.h
tests_metric_tables_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_tables_LDADD = $(inside_LDADD)
tests_metric_identities_SOURCES = tests/metric/identities.c tests/metric/trial.h
tests_metric_identities_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_identities_LDADD = $(inside_LDADD)
tests_metric_peek_SOURCES = tests/metric/peek.c tests/metric/trial.h
tests_metric_peek_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_peek_LDADD = $(inside_LDADD)
tests_metric_kojak_SOURCES = tests/metric/kojak.c tests/metric/trial.h
tests_metric_kojak_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_kojak_LDADD = $(inside_LDADD)
tests_metric_papers_SOURCES = tests/metric/papers.c tests/metric/trial.h
tests_metric_papers_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_papers_LDADD = $(inside_LDADD)
tests_metric_spec_SOURCES = tests/metric/spec.c tests/metric/trial.h
tests_metric_spec_CPPFLAGS = $(inside_CPPFLAGS)
tests_metric_spec_LDADD = $(inside_LDADD)
tests_mpi_calltime_SOURCES = tests/mpi/calltime.c mpi/calltime.c mpi/calltime.h \
	mpi/callclass.h
tests_mpi_calltime_CPPFLAGS = $(inside_CPPFLAGS)
tests_mpi_calltime_LDADD = mpi/libjob.la -lpthread
tests_brought_items_CPPFLAGS = $(inside_CPPFLAGS)
tests_brought_items_LDADD = lib/libbrought.la $(inside_LDADD)
tests_brought_parts_CPPFLAGS = $(inside_CPPFLAGS)
tests_brought_parts_LDADD = lib/libbrought.la $(inside_LDADD) -lpthread
tests_brought_tickscale_CPPFLAGS = $(inside_CPPFLAGS)
tests_brought_tickscale_LDADD = lib/libbrought.la $(inside_LDADD)
elf_image = tests/elf/image.c tests/elf/image.h
tests_elf_elffile_SOURCES = tests/elf/elffile.c $(elf_image)
tests_elf_elffile_CPPFLAGS = $(inside_CPPFLAGS)
tests_elf_elffile_LDADD = lib/libelffile.la lib/libcore.la
tests_elf_linetable_SOURCES = tests/elf/linetable.c $(elf_image)
tests_elf_linetable_CPPFLAGS = $(inside_CPPFLAGS)
tests_elf_linetable_LDADD = lib/libelffile.la lib/libcore.la
tests_elf_wanted_CPPFLAGS = $(inside_CPPFLAGS)
tests_elf_wanted_LDADD = lib/libelffile.la lib/libcore.la
tests_functions_label_CPPFLAGS = $(inside_CPPFLAGS)
tests_functions_label_LDADD = lib/libelffile.la lib/libcore.la
tests_functions_label_LDFLAGS = -export-dynamic
tests_libraries_choice_CPPFLAGS = $(inside_CPPFLAGS)
tests_libraries_choice_LDADD = lib/libcore.la
tests_openmp_ompthread_CPPFLAGS = $(inside_CPPFLAGS)
tests_openmp_ompthread_LDADD = lib/libopenmp.la lib/libbrought.la $(inside_LDADD) \
	-lpthread
tests_mpi_jobfile_CPPFLAGS = $(inside_CPPFLAGS)
tests_mpi_jobfile_LDADD = mpi/libjob.la -lpthread
tests_model_chains_CPPFLAGS = $(inside_CPPFLAGS)
tests_model_chains_LDADD = $(inside_LDADD)
tests_model_estimate_CPPFLAGS = $(inside_CPPFLAGS)
tests_model_estimate_LDADD = $(inside_LDADD)
tests_model_profile_CPPFLAGS = $(inside_CPPFLAGS)
tests_model_profile_LDADD = $(inside_LDADD)
tests_model_experiment_CPPFLAGS = $(inside_CPPFLAGS)
tests_model_experiment_LDADD = $(inside_LDADD)
tests_record_callsite_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_callsite_LDADD = $(inside_LDADD) -lpthread
tests_record_calltree_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_calltree_LDADD = $(inside_LDADD)
tests_record_checkpoint_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_checkpoint_LDADD = $(inside_LDADD) -lpthread
tests_record_drainer_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_drainer_LDADD = $(inside_LDADD) -lpthread
tests_record_changing_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_changing_LDADD = $(inside_LDADD)
tests_record_filter_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_filter_LDADD = $(inside_LDADD)
tests_record_problems_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_problems_LDADD = $(inside_LDADD)
tests_record_profiling_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_profiling_LDADD = $(inside_LDADD)
tests_record_threads_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_threads_LDADD = $(inside_LDADD) -lpthread
tests_record_sampler_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_sampler_LDADD = $(inside_LDADD)
tests_record_snapshot_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_snapshot_LDADD = $(inside_LDADD)
tests_record_process_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_process_LDADD = $(inside_LDADD)
tests_record_recorder_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_recorder_LDADD = $(inside_LDADD)
tests_record_records_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_records_LDADD = $(inside_LDADD)
tests_record_harvest_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_harvest_LDADD = $(inside_LDADD)
tests_record_oracle_SOURCES = tests/record/oracle.c \
	tests/record/model.c tests/record/model.h \
	tests/record/sequence.c tests/record/sequence.h
tests_record_oracle_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_oracle_LDADD = $(inside_LDADD)
tests_record_programs_SOURCES = tests/record/programs.c \
	tests/record/listing.c tests/record/listing.h \
	tests/record/model.c tests/record/model.h \
	tests/record/perform.c tests/record/perform.h \
	tests/record/recordfile.c tests/record/recordfile.h \
	tests/record/sequence.c tests/record/sequence.h \
	tests/record/world.c tests/record/world.h
tests_record_programs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests \
	$(ticks_CPPFLAGS)
tests_record_programs_LDFLAGS = -export-dynamic
tests_record_programs_LDADD = lib/libhpm.la $(ticks_LIBS) -ldl -lpthread -lm
tests_record_run_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_run_LDADD = $(inside_LDADD)
tests_record_calibration_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_calibration_LDADD = $(inside_LDADD)
tests_record_reservoir_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_reservoir_LDADD = $(inside_LDADD)
tests_record_shares_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_shares_LDADD = $(inside_LDADD)
tests_record_sharing_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_sharing_LDADD = $(inside_LDADD)
tests_record_thread_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_thread_LDADD = $(inside_LDADD)
tests_record_shortclock_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_shortclock_LDADD = $(inside_LDADD)
tests_record_timecost_CPPFLAGS = $(inside_CPPFLAGS)
tests_record_timecost_LDADD = $(inside_LDADD)
tests_report_sections_CPPFLAGS = $(inside_CPPFLAGS)
tests_report_sections_LDADD = study/libalgebra.la $(inside_LDADD)
tests_report_table_CPPFLAGS = $(inside_CPPFLAGS)
tests_report_table_LDADD = study/libalgebra.la $(inside_LDADD)
tests_study_report_human_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_report_human_LDADD = study/libalgebra.la $(inside_LDADD)
tests_study_report_tree_CPPFLAGS = $(inside_CPPFLAGS)
tests_study_report_tree_LDADD = study/libalgebra.la $(inside_LDADD)
tests_source_clock_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_clock_LDADD = $(inside_LDADD)
tests_source_ring_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_ring_LDADD = $(inside_LDADD)
tests_source_phase_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_phase_LDADD = $(inside_LDADD) -lm
tests_source_eventset_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_eventset_LDADD = $(inside_LDADD)
tests_source_event_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_event_LDADD = $(inside_LDADD)
tests_source_format_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_format_LDADD = $(inside_LDADD)
tests_source_affinity_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_affinity_LDADD = $(inside_LDADD) -lpthread
tests_source_cpuinfo_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_cpuinfo_LDADD = $(inside_LDADD) -lpthread
tests_source_devices_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_devices_LDADD = $(inside_LDADD) -lpthread
tests_source_kept_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_kept_LDADD = $(inside_LDADD)
tests_source_procfile_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_procfile_LDADD = $(inside_LDADD) -lpthread
tests_source_tasks_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_tasks_LDADD = $(inside_LDADD) -lpthread
tests_source_obstacle_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_obstacle_LDADD = $(inside_LDADD)
tests_source_sampling_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_sampling_LDADD = $(inside_LDADD)
tests_source_usage_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_usage_LDADD = $(inside_LDADD)
tests_source_kernelnames_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_kernelnames_LDADD = $(inside_LDADD)
tests_source_generic_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_generic_LDADD = $(inside_LDADD)
tests_source_meter_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_meter_LDADD = $(inside_LDADD)
tests_source_modules_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_modules_LDADD = $(inside_LDADD)
tests_source_page_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_page_LDADD = $(inside_LDADD)
tests_source_pfm_CPPFLAGS = $(inside_CPPFLAGS)
tests_source_pfm_LDADD = $(inside_LDADD)
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
tests_programs_cancelled_SOURCES = tests/programs/cancelled.c \
	tests/programs/doors.c tests/programs/doors.h
tests_programs_cancelled_LDADD = lib/libhpm.la -lpthread
tests_programs_beside_SOURCES = tests/programs/beside.c
tests_programs_beside_LDADD = lib/libhpm.la -lpthread
tests_programs_comings_SOURCES = tests/pmu-lab/lives.c \
	tests/pmu-lab/join.h tests/programs/comings.c
tests_programs_comings_LDADD = lib/libhpm.la -lpthread
tests_programs_edges_SOURCES = tests/programs/edges.c \
	tests/programs/doors.c tests/programs/doors.h
tests_programs_edges_LDADD = lib/libhpm.la
tests_programs_hotpath_fortran_SOURCES = tests/programs/hotpath.c
tests_programs_hotpath_fortran_CPPFLAGS = $(AM_CPPFLAGS) -DFORTRAN_DOOR
tests_programs_hotpath_fortran_LDADD = lib/libhpm.la -ldl -lpthread
tests_programs_hotpath_fortran_LDFLAGS = -Wl,-z,now
tests_programs_hotpath_plain_SOURCES = tests/programs/hotpath.c
tests_programs_hotpath_plain_CPPFLAGS = $(AM_CPPFLAGS) -DHPM_NO_SITES
tests_programs_hotpath_plain_LDADD = lib/libhpm.la -ldl -lpthread
tests_programs_hotpath_plain_LDFLAGS = -Wl,-z,now
tests_programs_killed_LDADD = lib/libhpm.la -lpthread
tests_programs_labels_LDADD = lib/libhpm.la
tests_programs_lives_LDADD = lib/libhpm.la -ldl -lrt -lpthread
tests_programs_misuse_LDADD = lib/libhpm.la -lm -lpthread
tests_programs_papi_LDADD = lib/libhpm.la
tests_programs_surroundings_LDADD = lib/libhpm.la -lpthread
tests_programs_crowd_LDADD = -lpthread
tests_programs_situations_LDADD = -lpthread
tests_programs_sampled_LDADD = lib/libhpm.la -lpthread
tests_programs_shares_LDADD = lib/libhpm.la -lpthread
tests_programs_unchanged_LDADD = -lpthread -ldl
tests_programs_asitis_CFLAGS = $(AM_CFLAGS) -O2 -foptimize-sibling-calls
tests_programs_asitis_LDADD = -lpthread
tests_programs_threads_LDADD = lib/libhpm.la
tests_programs_ways_LDADD = lib/libhpm.la

AM_TESTS_ENVIRONMENT = \
	. '$(abs_top_srcdir)/tests/environment.sh'; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	sanitizers='$(hpm_sanitizers)'; export sanitizers; \
	CC='$(CC)'; export CC; \
	FC='$(FC)'; export FC; \
	MPICC='$(HPM_MPICC)'; export MPICC; \
	OPENMP_CFLAGS='$(OPENMP_CFLAGS)'; export OPENMP_CFLAGS; \
	HPM_MODELS='$(abs_top_srcdir)/metrics/models'; export HPM_MODELS; \
	PRIVATE_LIBS='$(LIBS)'; export PRIVATE_LIBS;
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/tests/timed-driver \
	$(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
SH_LOG_DRIVER = $(tap_driver)
SH_LOG_COMPILER = $(SHELL)
PY_LOG_DRIVER = $(tap_driver)
PY_LOG_COMPILER = $(top_srcdir)/tests/run-python

# The pictures of the viewer in the documents.
if HAVE_GTK
pictures = $(AM_TESTS_ENVIRONMENT) PYTHONPATH=$(top_srcdir)/tests $(PYTHON3) \
	$(top_srcdir)/tests/viz/pictures.py $(top_srcdir)/doc
pictures: hpmviz/hpmviz
	@DESKTOP_SCREEN=1700x940x24; export DESKTOP_SCREEN; \
		$(pictures) hpmviz.png
	@DESKTOP_SCREEN=1440x900x24; export DESKTOP_SCREEN; \
		$(pictures) hpmviz-dark.png hpmviz-trees.png hpmviz-trees-dark.png
	@DESKTOP_SCREEN=2880x1800x24; export DESKTOP_SCREEN; \
		$(pictures) hpmviz-scale2.png
	@DESKTOP_SCREEN=800x600x24; export DESKTOP_SCREEN; \
		$(pictures) distribution.png distribution-dark.png

# Each view of the viewer in four looks; with pngquant the files are small.
look_pictures = $(AM_TESTS_ENVIRONMENT) PYTHONPATH=$(top_srcdir)/tests $(PYTHON3) \
	$(top_srcdir)/tests/viz/lookpictures.py $(top_srcdir)/doc/pictures
look-pictures: hpmviz/hpmviz
	@DESKTOP_SCREEN=1280x800x24; export DESKTOP_SCREEN; \
		$(look_pictures) light && $(look_pictures) dark
	@DESKTOP_SCREEN=800x600x24; export DESKTOP_SCREEN; \
		$(look_pictures) small
	@DESKTOP_SCREEN=2560x1600x24; export DESKTOP_SCREEN; \
		$(look_pictures) scale2
endif

# Those of the HTML page; Debian's chromium, chromium-driver, python3-selenium and,
# for small files, pngquant.
page-pictures: hpm/hpm
	$(AM_TESTS_ENVIRONMENT) PYTHONPATH=$(top_srcdir)/tests \
		/usr/bin/python3 $(top_srcdir)/tests/pagepictures.py \
		$(top_srcdir)/doc

# The lives of threads and processes in their full numbers: some minutes.
.PHONY: check-all look-pictures page-pictures pictures
check-all:
	HPM_TEST_ALL=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS="tests/cli/lives.py tests/cli/libhpm.py tests/cli/keeping.py tests/cli/shares.py tests/cli/besideperf.py tests/cli/evaluated.py tests/cli/verdicts.py tests/cli/ownreports.py tests/cli/means.py tests/cli/outside.py"

# Are waits in MPI and OpenMP found: both MPIs, C and Fortran, 1 to 8 tasks of 1 to 8
# threads?  A quarter of an hour; JOB_TIMES="2,4 1,8" is 2 and 4 tasks of 1 and 8 threads.
.PHONY: check-job-times
check-job-times: hpmcount/hpmcount hpm/hpm lib/libhpm.la lib/libhpm_openmp.la \
		mpi/libjob.la tests/programs/yielding.la
	@$(AM_TESTS_ENVIRONMENT) $(PY_LOG_COMPILER) \
		$(top_srcdir)/tests/cli/mpiwaits.py all

# Is the first hint the right one?  Runs the programs of tests/hints.table, too.
.PHONY: check-hints
check-hints: hpmcount/hpmcount hpm/hpm tests/programs/situations
	@$(AM_TESTS_ENVIRONMENT) $(PY_LOG_COMPILER) \
		$(top_srcdir)/tests/hints.py all

# Journeys through the viewer many times, counting what fails: an hour and more for a
# hundred of each.
.PHONY: check-journeys
if HAVE_GTK
JOURNEYS = 100
JOURNEYS_ONLY = $(viz_scripts)
JOURNEYS_FLAGS =
check-journeys: $(check_PROGRAMS) $(check_LTLIBRARIES) hpmviz/hpmviz hpm/hpm
	@$(AM_TESTS_ENVIRONMENT) $(PY_LOG_COMPILER) \
		$(top_srcdir)/tests/viz/often.py --times $(JOURNEYS) \
		$(JOURNEYS_FLAGS) $(JOURNEYS_ONLY)
endif
