# SPDX-License-Identifier: BSD-3-Clause

bin_PROGRAMS += hpmcount/hpmcount
hpmcount_hpmcount_SOURCES = \
	hpmcount/assemble.c hpmcount/assemble.h \
	hpmcount/attach.c hpmcount/attach.h \
	hpmcount/audit.c hpmcount/audit.h \
	hpmcount/child.c hpmcount/child.h \
	hpmcount/colour.c hpmcount/colour.h \
	hpmcount/crossings.c hpmcount/crossings.h \
	hpmcount/callers.c hpmcount/callers.h \
	hpmcount/cpurings.c hpmcount/cpurings.h \
	hpmcount/deputy.c hpmcount/deputy.h \
	hpmcount/document.c hpmcount/document.h \
	hpmcount/fifo.c hpmcount/fifo.h \
	hpmcount/guard.c hpmcount/guard.h \
	hpmcount/hinting.c hpmcount/hinting.h \
	hpmcount/hooked.c hpmcount/hooked.h \
	hpmcount/intervals.c hpmcount/intervals.h \
	hpmcount/job.c hpmcount/job.h \
	hpmcount/launch.c hpmcount/launch.h \
	hpmcount/libomp.c hpmcount/libomp.h \
	hpmcount/listing.c hpmcount/listing.h \
	hpmcount/look.h \
	hpmcount/main.c \
	hpmcount/mappings.c hpmcount/mappings.h \
	hpmcount/options.c hpmcount/options.h \
	hpmcount/outputs.c hpmcount/outputs.h \
	hpmcount/parts.c hpmcount/parts.h \
	hpmcount/preload.c hpmcount/preload.h \
	hpmcount/privilege.c hpmcount/privilege.h \
	hpmcount/linked.c hpmcount/linked.h \
	hpmcount/probecosts.c hpmcount/probecosts.h \
	hpmcount/probeparts.c hpmcount/probeparts.h \
	hpmcount/probeplan.c hpmcount/probeplan.h \
	hpmcount/prober.c hpmcount/prober.h \
	hpmcount/proberings.c hpmcount/proberings.h \
	hpmcount/probethreads.c hpmcount/probethreads.h \
	hpmcount/procusage.c hpmcount/procusage.h \
	hpmcount/profiler.c hpmcount/profiler.h \
	hpmcount/refusal.c hpmcount/refusal.h \
	hpmcount/relay.c hpmcount/relay.h \
	hpmcount/say.c hpmcount/say.h \
	hpmcount/screen.c hpmcount/screen.h \
	hpmcount/series.c hpmcount/series.h \
	hpmcount/session.c hpmcount/session.h \
	hpmcount/sibling.c hpmcount/sibling.h \
	hpmcount/spread.c hpmcount/spread.h \
	hpmcount/steps.c hpmcount/steps.h \
	hpmcount/summary.c hpmcount/summary.h \
	hpmcount/written.c hpmcount/written.h \
	hpmcount/targets.c hpmcount/targets.h \
	hpmcount/tracefs.c hpmcount/tracefs.h \
	hpmcount/waker.c hpmcount/waker.h \
	hpmcount/watch.c hpmcount/watch.h \
	hpmcount/webpage.c hpmcount/webpage.h \
	hpmcount/witness.c hpmcount/witness.h \
	hpmcount/request.c hpmcount/request.h
hpmcount_hpmcount_CPPFLAGS = $(AM_CPPFLAGS) \
	-DHPM_LIBRARY_DIR='"$(libdir)"' -DHPM_WRAPPED_LISTS='"$(wrapped_lists)"'
hpmcount_hpmcount_LDFLAGS = -Wl,--as-needed
hpmcount_hpmcount_LDADD = study/libprobe.la lib/libelffile.la lib/libmeasure.la study/libalgebra.la \
	lib/libcore.la
