# SPDX-License-Identifier: BSD-3-Clause
# libcore and libmeasure are convenience archives; libhpm is both, the session
# around a recording, its life in a process and the public calls.  hpmcount is
# both, too.  What only tools need is in study/local.mk: nothing here knows it, and
# no measured program carries it.  tests/check-objects.py finds here what only tools
# need, and holds the size of libhpm.

noinst_LTLIBRARIES += lib/libcore.la lib/libmeasure.la
lib_LTLIBRARIES += lib/libhpm.la

lib_libcore_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -ffunction-sections
lib_libcore_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DHPM_METRICS_DIR='"$(pkgdatadir)/metrics"'
lib_libcore_la_SOURCES = \
	lib/host/arena.c lib/host/arena.h \
	lib/host/barrier.c lib/host/barrier.h \
	lib/host/calm.h \
	lib/host/cancel.h \
	lib/host/descriptor.c lib/host/descriptor.h \
	lib/host/floating.h \
	lib/host/folder.c lib/host/folder.h \
	lib/host/forklock.c lib/host/forklock.h \
	lib/host/interposer.c lib/host/interposer.h \
	lib/host/literal.c lib/host/literal.h \
	lib/host/lock.c lib/host/lock.h \
	lib/host/memory.c lib/host/memory.h \
	lib/host/others.c lib/host/others.h \
	lib/host/ownusage.c lib/host/ownusage.h \
	lib/host/needed.c lib/host/needed.h \
	lib/host/path.c lib/host/path.h \
	lib/host/stack.c lib/host/stack.h \
	lib/host/standard.c lib/host/standard.h \
	lib/host/write.c lib/host/write.h \
	lib/base/env.c lib/base/env.h \
	lib/base/error.c lib/base/error.h \
	lib/base/launcher.c lib/base/launcher.h \
	lib/base/jobtree.h \
	lib/base/mark.h \
	lib/base/message.c lib/base/message.h \
	lib/base/globs.c lib/base/globs.h \
	lib/base/names.c lib/base/names.h \
	lib/base/sort.c lib/base/sort.h \
	lib/base/state.c lib/base/state.h \
	lib/base/string.c lib/base/string.h \
	lib/base/text.c lib/base/text.h \
	lib/model/estimate.c lib/model/estimate.h \
	lib/model/calls.h \
	lib/model/experiment.c lib/model/experiment.h \
	lib/model/chains.c lib/model/chains.h \
	lib/model/profile.c lib/model/profile.h \
	lib/metric/alias.c lib/metric/alias.h \
	lib/metric/binding.c lib/metric/binding.h \
	lib/metric/choose.c lib/metric/choose.h \
	lib/metric/constants.c \
	lib/metric/derived.c lib/metric/derived.h \
	lib/metric/arithmetic.c lib/metric/arithmetic.h \
	lib/metric/evaluate.c lib/metric/evaluate.h \
	lib/metric/metricvalue.c lib/metric/metricvalue.h \
	lib/metric/tally.c lib/metric/tally.h \
	lib/metric/hint.c \
	lib/metric/library.c lib/metric/library.h \
	lib/metric/making.c lib/metric/making.h \
	lib/metric/matching.c lib/metric/matching.h \
	lib/metric/metrics.c lib/metric/metrics.h \
	lib/metric/order.c \
	lib/metric/privilege.c lib/metric/privilege.h \
	lib/metric/request.c lib/metric/request.h \
	lib/metric/roof.c lib/metric/roof.h \
	lib/metric/rules.c \
	lib/metric/language/attributes.c \
	lib/metric/language/builtin.h \
	lib/metric/language/definitions.c lib/metric/language/definitions.h \
	lib/metric/language/expression.c \
	lib/metric/language/peek.c lib/metric/language/peek.h \
	lib/metric/language/parse.c \
	lib/metric/language/parser.c lib/metric/language/parser.h \
	lib/metric/language/spec.c lib/metric/language/spec.h \
	lib/metric/language/tables.c lib/metric/language/tables.h \
	lib/metric/language/threshold.c lib/metric/language/threshold.h \
	lib/metric/language/token.c lib/metric/language/token.h \
	lib/file/journal.c lib/file/journal.h \
	lib/file/output.c lib/file/output.h \
	lib/file/pattern.c lib/file/pattern.h \
	lib/file/writer.c lib/file/writer.h \
	lib/file/written.c lib/file/written.h \
	lib/report/sections.c lib/report/sections.h \
	lib/report/table.c lib/report/table.h \
	lib/report/text.c lib/report/text.h

lib_libmeasure_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -ffunction-sections
lib_libmeasure_la_SOURCES = \
	lib/source/busy.c lib/source/busy.h \
	lib/source/clock.c lib/source/clock.h \
	lib/source/defined.c lib/source/defined.h \
	lib/source/event.c lib/source/event.h \
	lib/source/eventfile.c lib/source/eventfile.h \
	lib/source/eventset.c lib/source/eventset.h \
	lib/source/fit.c lib/source/fit.h \
	lib/source/generic.c lib/source/generic.h \
	lib/source/kernel.c \
	lib/source/kernelnames.c lib/source/kernelnames.h \
	lib/source/kinds.c lib/source/kinds.h \
	lib/source/meter.c lib/source/meter.h \
	lib/source/page.c lib/source/page.h \
	lib/source/papi.c \
	lib/source/perf.c lib/source/perf.h \
	lib/source/pfm.c lib/source/pfm.h \
	lib/source/registers.h \
	lib/source/modules.c lib/source/modules.h \
	lib/source/phase.c lib/source/phase.h \
	lib/source/cursor.h \
	lib/source/ring.c lib/source/ring.h \
	lib/source/sampling.c lib/source/sampling.h \
	lib/source/replay.c lib/source/replay.h \
	lib/source/replayfile.c lib/source/replayfile.h \
	lib/source/slicer.c lib/source/slicer.h \
	lib/source/source.h \
	lib/source/sources.c lib/source/sources.h \
	lib/source/tasks.c lib/source/tasks.h \
	lib/source/usage.c lib/source/usage.h \
	lib/source/wrongcodes.c lib/source/wrongcodes.h \
	lib/source/confinement.c lib/source/confinement.h \
	lib/source/machine/cpuinfo.c lib/source/machine/cpuinfo.h \
	lib/source/machine/devices.c lib/source/machine/devices.h \
	lib/source/facts.c lib/source/facts.h \
	lib/source/format.c lib/source/format.h \
	lib/source/hardware.c lib/source/hardware.h \
	lib/source/obstacle.c lib/source/obstacle.h \
	lib/source/machine/kept.c lib/source/machine/kept.h \
	lib/source/machine/affinity.c lib/source/machine/affinity.h \
	lib/source/machine/procfile.c lib/source/machine/procfile.h \
	lib/source/sysfs.c lib/source/sysfs.h \
	lib/source/machine/tracepoint.c lib/source/machine/tracepoint.h \
	lib/record/calibration.c lib/record/calibration.h \
	lib/record/callsite.c lib/record/callsite.h \
	lib/record/calltree.c lib/record/calltree.h \
	lib/record/treerun.c lib/record/treestop.c lib/record/treemerge.c \
	lib/record/changing.c lib/record/changing.h \
	lib/record/checkpoint.c lib/record/checkpoint.h \
	lib/record/checkpointer.h \
	lib/record/children.c lib/record/children.h \
	lib/record/correct.c lib/record/correct.h \
	lib/record/costs.h \
	lib/record/drainer.c lib/record/drainer.h \
	lib/record/filter.c lib/record/filter.h \
	lib/record/frame.h lib/record/harvest.c \
	lib/record/node.c lib/record/node.h \
	lib/record/problems.c lib/record/problems.h \
	lib/record/process.c lib/record/process.h \
	lib/record/recorder.c lib/record/recorder.h \
	lib/record/keptcalls.c lib/record/keptcalls.h \
	lib/record/noted.c lib/record/noted.h \
	lib/record/lasting.c lib/record/lasting.h \
	lib/record/profiling.c lib/record/profiling.h \
	lib/record/records.c lib/record/records.h \
	lib/record/reservoir.c lib/record/reservoir.h \
	lib/record/run.c lib/record/run.h \
	lib/record/shortclock.c lib/record/shortclock.h \
	lib/record/sampler.c lib/record/sampler.h \
	lib/record/section.c lib/record/section.h \
	lib/record/shares.c lib/record/shares.h \
	lib/record/sharing.c lib/record/sharing.h \
	lib/record/site.c lib/record/site.h \
	lib/record/snapshot.c lib/record/snapshot.h \
	lib/record/thread.c lib/record/thread.h \
	lib/record/threads.c lib/record/threads.h \
	lib/record/timecost.c lib/record/timecost.h \
	lib/inquiry/definer.c lib/inquiry/definer.h \
	lib/inquiry/inquiry.c lib/inquiry/inquiry.h
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
	lib/source/papislices.c lib/source/papislices.h \
	lib/source/papishared.c lib/source/papishared.h \
	lib/source/slices.c lib/source/slices.h
endif

# nodelete: threads of the program may still end through our destructor after
# a plug-in that brought us is closed.  now: the first section must not pay for
# resolving symbols.
lib_libhpm_la_CFLAGS = $(AM_CFLAGS)
lib_libhpm_la_SOURCES = lib/hpm.c lib/counted.h \
	lib/life.c lib/life.h \
	fortran/f_hpm.c \
	lib/session/calibrate.c lib/session/calibrate.h \
	lib/session/handover.c lib/session/handover.h \
	lib/session/lives.c lib/session/lives.h \
	lib/session/metrics.c lib/session/metrics.h \
	lib/session/owncosts.c lib/session/owncosts.h \
	lib/session/patterns.c lib/session/patterns.h \
	lib/session/results.c lib/session/results.h \
	lib/session/settings.c lib/session/settings.h
lib_libhpm_la_LIBADD = lib/libmeasure.la lib/libcore.la
lib_libhpm_la_LDFLAGS = -version-info $(HPM_INTERFACE) \
	-export-symbols $(top_srcdir)/lib/libhpm.sym \
	-Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,--as-needed \
	-Wl,--gc-sections
lib_libhpm_la_DEPENDENCIES = lib/libmeasure.la lib/libcore.la \
	$(top_srcdir)/lib/libhpm.sym

# What libraries that bring libhpm a source of times share.
noinst_LTLIBRARIES += lib/libbrought.la
lib_libbrought_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libbrought_la_SOURCES = \
	lib/brought/items.c lib/brought/items.h \
	lib/brought/parts.c lib/brought/parts.h \
	lib/brought/tickscale.c lib/brought/tickscale.h \
	lib/brought/turn.h

# The OMPT tool; nodelete as above.
lib_LTLIBRARIES += lib/libhpm_openmp.la
noinst_LTLIBRARIES += lib/libopenmp.la
lib_libopenmp_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libopenmp_la_SOURCES = \
	lib/openmp/gomp.c \
	lib/openmp/gompcall.c lib/openmp/gompcall.h \
	lib/openmp/gomptask.c \
	lib/openmp/ompbegin.c \
	lib/openmp/ompbring.c lib/openmp/ompbring.h \
	lib/openmp/ompend.c lib/openmp/ompend.h \
	lib/openmp/ompknown.c lib/openmp/ompknown.h \
	lib/openmp/ompplace.c lib/openmp/ompplace.h \
	lib/openmp/ompregion.c lib/openmp/ompregion.h \
	lib/openmp/ompruntime.c lib/openmp/ompruntime.h \
	lib/openmp/ompsource.c lib/openmp/ompsource.h \
	lib/openmp/ompstate.h \
	lib/openmp/ompt.h \
	lib/openmp/ompteam.c lib/openmp/ompteam.h \
	lib/openmp/ompthread.c lib/openmp/ompthread.h \
	lib/openmp/omptool.c lib/openmp/omptool.h \
	lib/openmp/ompwhole.c lib/openmp/ompwhole.h
lib_libhpm_openmp_la_SOURCES =
lib_libhpm_openmp_la_LIBADD = lib/libopenmp.la lib/libbrought.la lib/libelffile.la \
	lib/libcore.la lib/libhpm.la
lib_libhpm_openmp_la_LDFLAGS = -version-info $(HPM_INTERFACE) \
	-export-symbols $(top_srcdir)/lib/openmp/libhpm_openmp.sym \
	-Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,--gc-sections
lib_libhpm_openmp_la_DEPENDENCIES = lib/libopenmp.la lib/libbrought.la \
	lib/libelffile.la lib/libcore.la lib/libhpm.la \
	$(top_srcdir)/lib/openmp/libhpm_openmp.sym
EXTRA_DIST += lib/openmp/libhpm_openmp.sym
# ELF files and what is in them, for hpmcount, hpm, libhpm_functions and libhpm_openmp;
# libhpm needs none.
noinst_LTLIBRARIES += lib/libelffile.la
lib_libelffile_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libelffile_la_SOURCES = \
	lib/elf/dwarf.h \
	lib/elf/elffile.c lib/elf/elffile.h \
	lib/elf/inflate.c lib/elf/inflate.h \
	lib/elf/elfsymbols.c lib/elf/elfsymbols.h \
	lib/elf/linetable.c lib/elf/linetable.h \
	lib/elf/wanted.c lib/elf/wanted.h

# libhpm_functions: the functions of a program as sections.  Apart, since only
# programs that ask for it carry it.  initial-exec: see hooks.c.
lib_LTLIBRARIES += lib/functions/libhpm_functions.la
lib_functions_libhpm_functions_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden \
	-fno-plt
lib_functions_libhpm_functions_la_SOURCES = \
	lib/functions/function.c lib/functions/function.h \
	lib/functions/hooks.c \
	lib/functions/label.c lib/functions/label.h \
	lib/functions/mappedfile.c lib/functions/mappedfile.h \
	lib/functions/objects.c lib/functions/objects.h \
	lib/functions/opened.c lib/functions/opened.h \
	lib/functions/separate.c lib/functions/separate.h \
	lib/functions/trial.c lib/functions/trial.h \
	lib/functions/twins.c lib/functions/twins.h \
	lib/functions/xray.c lib/functions/xray.h
lib_functions_libhpm_functions_la_LIBADD = lib/libelffile.la lib/libcore.la \
	lib/libhpm.la
lib_functions_libhpm_functions_la_LDFLAGS = -version-info $(HPM_INTERFACE) \
	-export-symbols $(top_srcdir)/lib/functions/functions.sym \
	-Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,--gc-sections
lib_functions_libhpm_functions_la_DEPENDENCIES = lib/libelffile.la \
	lib/libcore.la lib/libhpm.la $(top_srcdir)/lib/functions/functions.sym

# libhpm_libraries: calls into shared libraries as sections, and a library for each
# list of functions, so that no others are taken from a program than those wanted.
lib_LTLIBRARIES += lib/libraries/libhpm_libraries.la
lib_libraries_libhpm_libraries_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden \
	-fno-plt
lib_libraries_libhpm_libraries_la_SOURCES = \
	lib/libraries/calls.c \
	lib/libraries/choice.c lib/libraries/choice.h \
	lib/libraries/opencalls.c lib/libraries/opencalls.h \
	lib/libraries/real.c lib/libraries/real.h \
	lib/libraries/wrapped.h
lib_libraries_libhpm_libraries_la_LIBADD = lib/libcore.la lib/libhpm.la
lib_libraries_libhpm_libraries_la_LDFLAGS = -version-info $(HPM_INTERFACE) \
	-export-symbols $(top_srcdir)/lib/libraries/libhpm_libraries.sym \
	-Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,--gc-sections
lib_libraries_libhpm_libraries_la_DEPENDENCIES = lib/libcore.la lib/libhpm.la \
	$(top_srcdir)/lib/libraries/libhpm_libraries.sym

# The lists that are shipped; "hpmwrap" makes libraries of users' own ones, with the
# same program.
wrapped_lists = blas, fftw, lapack, libm, mpi
wrapped_flags = -fexceptions -fno-builtin -fno-plt -fvisibility=hidden \
	-fno-stack-protector
wrapped_ldflags = -module -avoid-version \
	-Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now
wrapped_library = lib/libraries/libhpm_libraries.la lib/libhpm.la
wrapped_LTLIBRARIES = \
	wrapped/libhpm_library_blas.la \
	wrapped/libhpm_library_fftw.la \
	wrapped/libhpm_library_lapack.la \
	wrapped/libhpm_library_libm.la \
	wrapped/libhpm_library_mpi.la
wrappeddir = $(libdir)
nodist_wrapped_libhpm_library_blas_la_SOURCES = wrapped/blas.c
wrapped_libhpm_library_blas_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib/libraries
wrapped_libhpm_library_blas_la_CFLAGS = $(AM_CFLAGS) $(wrapped_flags)
wrapped_libhpm_library_blas_la_LDFLAGS = $(wrapped_ldflags)
wrapped_libhpm_library_blas_la_LIBADD = $(wrapped_library)
nodist_wrapped_libhpm_library_fftw_la_SOURCES = wrapped/fftw.c
wrapped_libhpm_library_fftw_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib/libraries
wrapped_libhpm_library_fftw_la_CFLAGS = $(AM_CFLAGS) $(wrapped_flags)
wrapped_libhpm_library_fftw_la_LDFLAGS = $(wrapped_ldflags)
wrapped_libhpm_library_fftw_la_LIBADD = $(wrapped_library)
nodist_wrapped_libhpm_library_lapack_la_SOURCES = wrapped/lapack.c
wrapped_libhpm_library_lapack_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib/libraries
wrapped_libhpm_library_lapack_la_CFLAGS = $(AM_CFLAGS) $(wrapped_flags)
wrapped_libhpm_library_lapack_la_LDFLAGS = $(wrapped_ldflags)
wrapped_libhpm_library_lapack_la_LIBADD = $(wrapped_library)
nodist_wrapped_libhpm_library_libm_la_SOURCES = wrapped/libm.c
wrapped_libhpm_library_libm_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib/libraries
wrapped_libhpm_library_libm_la_CFLAGS = $(AM_CFLAGS) $(wrapped_flags)
wrapped_libhpm_library_libm_la_LDFLAGS = $(wrapped_ldflags)
wrapped_libhpm_library_libm_la_LIBADD = $(wrapped_library)
nodist_wrapped_libhpm_library_mpi_la_SOURCES = wrapped/mpi.c
wrapped_libhpm_library_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib/libraries
wrapped_libhpm_library_mpi_la_CFLAGS = $(AM_CFLAGS) $(wrapped_flags)
wrapped_libhpm_library_mpi_la_LDFLAGS = $(wrapped_ldflags)
wrapped_libhpm_library_mpi_la_LIBADD = $(wrapped_library)

wrap_lists = \
	lib/libraries/blas.prototypes \
	lib/libraries/fftw.prototypes \
	lib/libraries/lapack.prototypes \
	lib/libraries/libm.prototypes
make_wrapped = $(AM_V_GEN)$(MKDIR_P) wrapped && \
	$(AWK) -f $(srcdir)/lib/libraries/wrap.awk
wrapped/mpi.prototypes: lib/libraries/mpilist.awk mpi/calls.txt
	$(AM_V_GEN)$(MKDIR_P) wrapped && \
	$(AWK) -f $(srcdir)/lib/libraries/mpilist.awk $(srcdir)/mpi/calls.txt \
	> $@-t && mv $@-t $@
wrapped/mpi.c: lib/libraries/wrap.awk wrapped/mpi.prototypes
	$(make_wrapped) wrapped/mpi.prototypes > $@-t && mv $@-t $@
wrapped/blas.c: lib/libraries/wrap.awk lib/libraries/blas.prototypes
	$(make_wrapped) $(srcdir)/lib/libraries/blas.prototypes > $@-t && \
	mv $@-t $@
wrapped/fftw.c: lib/libraries/wrap.awk lib/libraries/fftw.prototypes
	$(make_wrapped) $(srcdir)/lib/libraries/fftw.prototypes > $@-t && \
	mv $@-t $@
wrapped/lapack.c: lib/libraries/wrap.awk lib/libraries/lapack.prototypes
	$(make_wrapped) $(srcdir)/lib/libraries/lapack.prototypes > $@-t && \
	mv $@-t $@
wrapped/libm.c: lib/libraries/wrap.awk lib/libraries/libm.prototypes
	$(make_wrapped) $(srcdir)/lib/libraries/libm.prototypes > $@-t && \
	mv $@-t $@
CLEANFILES += wrapped/mpi.prototypes wrapped/blas.c wrapped/fftw.c \
	wrapped/lapack.c wrapped/libm.c wrapped/mpi.c
wrapdir = $(pkgdatadir)/wrap
bin_SCRIPTS = lib/libraries/hpmwrap
CLEANFILES += lib/libraries/hpmwrap
lib/libraries/hpmwrap: lib/libraries/hpmwrap.in Makefile
	$(AM_V_GEN)$(MKDIR_P) lib/libraries && \
	sed -e 's|@PACKAGE_VERSION@|$(PACKAGE_VERSION)|' \
	    -e 's|@wrapdir@|$(wrapdir)|' -e 's|@libdir@|$(libdir)|' \
	    -e 's|@includedir@|$(includedir)|' \
	    $(srcdir)/lib/libraries/hpmwrap.in > $@-t && \
	chmod +x $@-t && mv $@-t $@
dist_wrap_DATA = lib/libraries/wrap.awk lib/libraries/wrapped.h $(wrap_lists)
nodist_wrap_DATA = wrapped/mpi.prototypes
EXTRA_DIST += lib/libraries/libhpm_libraries.sym lib/libraries/mpilist.awk \
	lib/libraries/hpmwrap.in

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/libhpm.pc lib/functions/libhpm_functions.pc
EXTRA_DIST += lib/LAYERS lib/libhpm.sym lib/functions/functions.sym
