# SPDX-License-Identifier: BSD-3-Clause
# libhpm_mpi: one file for all tasks of a job.  What is MPI's in it is compiled
# for one MPI; the rest, libjob, for all (tests/cli/mpi.py links it with each MPI
# there is).

noinst_LTLIBRARIES += mpi/libjob.la
mpi_libjob_la_CPPFLAGS = $(AM_CPPFLAGS)
mpi_libjob_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
mpi_libjob_la_LIBADD = study/libplain.la study/libcolumns.la lib/libcore.la \
	lib/libbrought.la
mpi_libjob_la_SOURCES = \
	mpi/jobfile.c mpi/jobfile.h

if HAVE_MPI
lib_LTLIBRARIES += mpi/libhpm_mpi.la
pkgconfig_DATA += mpi/libhpm_mpi.pc
endif
mpi_libhpm_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(MPI_CFLAGS)
mpi_libhpm_mpi_la_CFLAGS = $(AM_CFLAGS)
mpi_libhpm_mpi_la_LIBADD = mpi/libjob.la lib/libhpm.la $(MPI_LIBS) -lm
mpi_libhpm_mpi_la_LDFLAGS = -version-info $(HPM_INTERFACE) \
	-export-symbols mpi/exported.sym \
	-Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now
mpi_libhpm_mpi_la_DEPENDENCIES = mpi/libjob.la lib/libhpm.la \
	mpi/exported.sym
mpi_libhpm_mpi_la_SOURCES = \
	mpi/arrivals.c mpi/arrivals.h \
	mpi/callbytes.c mpi/callbytes.h \
	mpi/callclass.h \
	mpi/calltime.c mpi/calltime.h \
	mpi/cartesian.c \
	mpi/exchange.c mpi/exchange.h \
	mpi/finalize.c mpi/finalize.h \
	mpi/fortranentry.c mpi/fortranentry.h \
	mpi/gather.c mpi/gather.h \
	mpi/graph.c mpi/graph.h \
	mpi/lastcomer.c mpi/lastcomer.h \
	mpi/othertools.c mpi/othertools.h \
	mpi/peers.c mpi/peers.h \
	mpi/taskplace.c mpi/taskplace.h \
	mpi/timesource.c mpi/timesource.h \
	mpi/waiting.c mpi/waiting.h \
	mpi/wholerun.c mpi/wholerun.h
nodist_mpi_libhpm_mpi_la_SOURCES = mpi/calls.c

# The functions that take the time of calls, and the names of all functions that
# MPI has, too.
CLEANFILES += mpi/calls.c mpi/exported.sym
mpi/calls.c: mpi/wrap.awk mpi/calls.txt
	$(AM_V_GEN)$(MKDIR_P) mpi && \
	$(AWK) -f $(srcdir)/mpi/wrap.awk $(srcdir)/mpi/calls.txt > $@-t && \
	mv $@-t $@
mpi/exported.sym: mpi/wrap.awk mpi/calls.txt mpi/libhpm_mpi.sym
	$(AM_V_GEN)$(MKDIR_P) mpi && \
	{ cat $(srcdir)/mpi/libhpm_mpi.sym && $(AWK) -v names=1 \
	-f $(srcdir)/mpi/wrap.awk $(srcdir)/mpi/calls.txt; } > $@-t && \
	mv $@-t $@

EXTRA_DIST += mpi/libhpm_mpi.sym mpi/libhpm_mpi.pc.in mpi/calls.txt mpi/wrap.awk
