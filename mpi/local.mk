# SPDX-License-Identifier: BSD-3-Clause
# libhpm_mpi: one file for all tasks of a job.  What is MPI's in it is compiled
# for one MPI; the rest, libjob, for all (tests/cli/mpi.py links it with each MPI
# there is).

noinst_LTLIBRARIES += mpi/libjob.la
mpi_libjob_la_CPPFLAGS = $(AM_CPPFLAGS)
mpi_libjob_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
mpi_libjob_la_LIBADD = study/libplain.la study/libcolumns.la lib/libcore.la
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
	-export-symbols $(top_srcdir)/mpi/libhpm_mpi.sym \
	-Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now
mpi_libhpm_mpi_la_DEPENDENCIES = mpi/libjob.la lib/libhpm.la \
	$(top_srcdir)/mpi/libhpm_mpi.sym
mpi_libhpm_mpi_la_SOURCES = \
	mpi/cartesian.c mpi/cartesian.h \
	mpi/finalize.c \
	mpi/gather.c mpi/gather.h

EXTRA_DIST += mpi/libhpm_mpi.sym mpi/libhpm_mpi.pc.in
