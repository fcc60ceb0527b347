# SPDX-License-Identifier: BSD-3-Clause
# libcore, libmeasure, libalgebra and libstudy are convenience archives; libhpm is
# the first two, the session around a recording, its life in a process and the
# public calls.  What is measured never links libstudy: libxml2 would come along.
# libalgebra is libstudy but for what libxml2 and zlib do in it, and what only the
# program hpm needs; libhpm_mpi
# (mpi/local.mk) has a plain reader instead.

noinst_LTLIBRARIES += lib/libcore.la lib/libmeasure.la lib/libalgebra.la
lib_LTLIBRARIES += lib/libhpm.la

lib_libcore_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libcore_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DHPM_METRICS_DIR='"$(pkgdatadir)/metrics"'
lib_libcore_la_SOURCES = \
	lib/base/barrier.c lib/base/barrier.h \
	lib/base/calm.h \
	lib/base/cancel.h \
	lib/base/descriptor.c lib/base/descriptor.h \
	lib/base/env.c lib/base/env.h \
	lib/base/error.c lib/base/error.h \
	lib/base/floating.h \
	lib/base/folder.c lib/base/folder.h \
	lib/base/interposer.c lib/base/interposer.h \
	lib/base/launcher.c lib/base/launcher.h \
	lib/base/literal.c lib/base/literal.h \
	lib/base/lock.c lib/base/lock.h \
	lib/base/memory.c lib/base/memory.h \
	lib/base/needed.c lib/base/needed.h \
	lib/base/option.c lib/base/option.h \
	lib/base/stack.c lib/base/stack.h \
	lib/base/standard.c lib/base/standard.h \
	lib/base/state.c lib/base/state.h \
	lib/base/string.c lib/base/string.h \
	lib/base/text.c lib/base/text.h \
	lib/base/write.c lib/base/write.h \
	lib/file/journal.c lib/file/journal.h \
	lib/file/output.c lib/file/output.h \
	lib/file/pattern.c lib/file/pattern.h \
	lib/file/writer.c lib/file/writer.h \
	lib/metric/alias.c lib/metric/alias.h \
	lib/metric/attributes.c \
	lib/metric/binding.c lib/metric/binding.h \
	lib/metric/builtin.h \
	lib/metric/check.c lib/metric/check.h \
	lib/metric/choose.c lib/metric/choose.h \
	lib/metric/constants.c \
	lib/metric/coverage.c lib/metric/coverage.h \
	lib/metric/definitions.c lib/metric/definitions.h \
	lib/metric/derived.c lib/metric/derived.h \
	lib/metric/evaluate.c lib/metric/evaluate.h \
	lib/metric/expression.c \
	lib/metric/formula.c lib/metric/formula.h \
	lib/metric/glance.c lib/metric/glance.h \
	lib/metric/hint.c \
	lib/metric/library.c lib/metric/library.h \
	lib/metric/matching.c lib/metric/matching.h \
	lib/metric/metrics.c lib/metric/metrics.h \
	lib/metric/names.c lib/metric/names.h \
	lib/metric/order.c \
	lib/metric/parse.c \
	lib/metric/parser.c lib/metric/parser.h \
	lib/metric/possible.c lib/metric/possible.h \
	lib/metric/privilege.c lib/metric/privilege.h \
	lib/metric/ranking.c lib/metric/ranking.h \
	lib/metric/request.c lib/metric/request.h \
	lib/metric/rules.c \
	lib/metric/spec.c lib/metric/spec.h \
	lib/metric/tables.c lib/metric/tables.h \
	lib/metric/threshold.c lib/metric/threshold.h \
	lib/metric/token.c lib/metric/token.h \
	lib/model/experiment.c lib/model/experiment.h \
	lib/report/catalogue.c lib/report/catalogue.h \
	lib/report/csv.c \
	lib/report/explanation.c lib/report/explanation.h \
	lib/report/format.h \
	lib/report/hints.c lib/report/hints.h \
	lib/report/json.c \
	lib/report/long.c \
	lib/report/paragraph.c lib/report/paragraph.h \
	lib/report/sections.c lib/report/sections.h \
	lib/report/table.c lib/report/table.h \
	lib/report/text.c \
	lib/report/tree.c lib/report/tree.h

lib_libmeasure_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libmeasure_la_SOURCES = \
	lib/inquiry/inquiry.c lib/inquiry/inquiry.h \
	lib/record/bed.c lib/record/bed.h \
	lib/record/calibration.c lib/record/calibration.h \
	lib/record/changing.c lib/record/changing.h \
	lib/record/checkpoint.c lib/record/checkpoint.h \
	lib/record/children.c lib/record/children.h \
	lib/record/correct.c lib/record/correct.h \
	lib/record/costs.h \
	lib/record/filter.c lib/record/filter.h \
	lib/record/forest.c lib/record/forest.h \
	lib/record/harvest.c \
	lib/record/node.c lib/record/node.h \
	lib/record/problems.c lib/record/problems.h \
	lib/record/process.c lib/record/process.h \
	lib/record/recorder.c lib/record/recorder.h \
	lib/record/run.c lib/record/run.h \
	lib/record/section.c lib/record/section.h \
	lib/record/site.c lib/record/site.h \
	lib/record/snapshot.c lib/record/snapshot.h \
	lib/record/thread.c lib/record/thread.h \
	lib/record/threads.c lib/record/threads.h \
	lib/source/busy.c lib/source/busy.h \
	lib/source/clock.c lib/source/clock.h \
	lib/source/cpuinfo.c lib/source/cpuinfo.h \
	lib/source/confinement.c lib/source/confinement.h \
	lib/source/event.c lib/source/event.h \
	lib/source/eventfile.c lib/source/eventfile.h \
	lib/source/eventset.c lib/source/eventset.h \
	lib/source/facts.c lib/source/facts.h \
	lib/source/generic.c lib/source/generic.h \
	lib/source/hardware.c lib/source/hardware.h \
	lib/source/kernel.c \
	lib/source/fit.c lib/source/fit.h \
	lib/source/forklock.c lib/source/forklock.h \
	lib/source/meter.c lib/source/meter.h \
	lib/source/obstacle.c lib/source/obstacle.h \
	lib/source/papi.c \
	lib/source/papihealth.c lib/source/papihealth.h \
	lib/source/perf.c lib/source/perf.h \
	lib/source/pfm.c lib/source/pfm.h \
	lib/source/procfile.c lib/source/procfile.h \
	lib/source/replay.c lib/source/replay.h \
	lib/source/replayfile.c lib/source/replayfile.h \
	lib/source/selftest.c lib/source/selftest.h \
	lib/source/source.c lib/source/source.h \
	lib/source/sysfs.c lib/source/sysfs.h \
	lib/source/tasks.c lib/source/tasks.h \
	lib/source/usage.c lib/source/usage.h \
	lib/source/wrongcodes.c lib/source/wrongcodes.h
nodist_lib_libmeasure_la_SOURCES = lib/source/shippedcodes.c

# The table of events that libpfm4 encodes wrongly, as C and for users to read.
dist_pkgdata_DATA = lib/source/wrongcodes.txt
CLEANFILES += lib/source/shippedcodes.c
lib/source/shippedcodes.c: lib/source/wrongcodes.txt
	$(AM_V_GEN)$(MKDIR_P) lib/source && \
	{ echo '/* Made from lib/source/wrongcodes.txt. */' && \
	  echo '#include "source/wrongcodes.h"' && \
	  echo 'const char hpm_wrongcodes_shipped[] =' && \
	  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' \
	      -e 's/$$/\\n"/' $(srcdir)/lib/source/wrongcodes.txt && \
	  echo '    ;'; } > $@-t && mv $@-t $@

if HAVE_PAPI
lib_libmeasure_la_SOURCES += \
	lib/source/papicounters.c lib/source/papicounters.h \
	lib/source/papilib.c lib/source/papilib.h \
	lib/source/papinames.c lib/source/papinames.h \
	lib/source/papiset.c lib/source/papiset.h \
	lib/source/papishared.c lib/source/papishared.h
endif

if HAVE_STUDY
noinst_LTLIBRARIES += lib/libstudy.la
lib_libstudy_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
lib_libstudy_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libstudy_la_LIBADD = lib/libalgebra.la $(XML_LIBS)
endif
lib_libstudy_la_SOURCES = \
	lib/file/copies.c lib/file/copies.h \
	lib/file/fence.c \
	lib/file/gzip.c lib/file/gzip.h \
	lib/metric/renew.c lib/metric/renew.h \
	lib/metric/unify.c lib/metric/unify.h \
	lib/record/revive.c lib/record/revive.h

lib_libalgebra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libalgebra_la_SOURCES = \
	lib/base/arena.c lib/base/arena.h \
	lib/base/index.c lib/base/index.h \
	lib/base/atoms.c lib/base/atoms.h \
	lib/base/notes.c lib/base/notes.h \
	lib/base/number.c lib/base/number.h \
	lib/file/collect.c lib/file/collect.h \
	lib/file/inputs.c lib/file/inputs.h \
	lib/file/describe.c lib/file/describe.h \
	lib/file/fence.h \
	lib/file/filerecord.c lib/file/filerecord.h \
	lib/file/format.c lib/file/format.h \
	lib/file/kinship.c lib/file/kinship.h \
	lib/file/parse.c lib/file/parse.h \
	lib/file/reader.c lib/file/reader.h \
	lib/file/studyfile.c lib/file/studyfile.h \
	lib/metric/ledger.c lib/metric/ledger.h \
	lib/model/absence.c lib/model/absence.h \
	lib/model/agree.c lib/model/agree.h \
	lib/model/align.c lib/model/align.h \
	lib/model/anchor.c lib/model/anchor.h \
	lib/model/arrange.c \
	lib/model/columnorder.c lib/model/columnorder.h \
	lib/model/combine.c lib/model/combine.h \
	lib/model/cut.c lib/model/cut.h \
	lib/model/diff.c lib/model/diff.h \
	lib/model/mean.c lib/model/mean.h \
	lib/model/family.c lib/model/family.h \
	lib/model/lacks.c lib/model/lacks.h \
	lib/model/merge.c lib/model/merge.h \
	lib/model/pair.c lib/model/pair.h \
	lib/model/series.c lib/model/series.h \
	lib/model/study.c lib/model/study.h \
	lib/model/transfer.c lib/model/transfer.h \
	lib/report/entries.c \
	lib/report/figures.c lib/report/figures.h \
	lib/report/filter.c lib/report/filter.h \
	lib/report/line.c lib/report/line.h \
	lib/report/lineup.c lib/report/lineup.h \
	lib/report/machines.c \
	lib/report/notes.c \
	lib/report/onetask.c \
	lib/report/overview.c lib/report/overview.h \
	lib/report/page.c lib/report/page.h \
	lib/report/pagecells.c \
	lib/report/pagemetrics.c \
	lib/report/pageruns.c \
	lib/report/pagesections.c \
	lib/report/quantities.c \
	lib/report/records.c \
	lib/report/shown.c lib/report/shown.h \
	lib/report/subjects.c \
	lib/report/summary.c lib/report/summary.h \
	lib/report/survey.c lib/report/survey.h \
	lib/report/surveying.h \
	lib/report/views.c lib/report/views.h

# nodelete: threads of the program may still end through our destructor after
# a plug-in that brought us is closed.  now: the first section must not pay for
# resolving symbols.
lib_libhpm_la_CFLAGS = $(AM_CFLAGS)
lib_libhpm_la_SOURCES = lib/hpm.c lib/counted.h \
	lib/life.c lib/life.h \
	fortran/f_hpm.c \
	lib/session/calibrate.c lib/session/calibrate.h \
	lib/session/handover.c lib/session/handover.h \
	lib/session/metrics.c lib/session/metrics.h \
	lib/session/results.c lib/session/results.h \
	lib/session/settings.c lib/session/settings.h \
	lib/session/voice.c lib/session/voice.h
lib_libhpm_la_LIBADD = lib/libmeasure.la lib/libcore.la
lib_libhpm_la_LDFLAGS = -version-info $(HPM_INTERFACE) \
	-export-symbols $(top_srcdir)/lib/libhpm.sym \
	-Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now
lib_libhpm_la_DEPENDENCIES = lib/libmeasure.la lib/libcore.la \
	$(top_srcdir)/lib/libhpm.sym

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/libhpm.pc
EXTRA_DIST += lib/LAYERS lib/libhpm.sym
