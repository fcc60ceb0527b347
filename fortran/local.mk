# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module: an archive of its own, for only Fortran programs have the
# compiler's run-time library; and the .mod file, which other compilers than
# this one make themselves from the installed source.  The C entries are in
# libhpm (lib/local.mk).

if HAVE_FORTRAN
fortran_archive = fortran/libhpm_fortran.a
fortran_module = fortran/hpm.mod
all-local: $(fortran_archive)

# In the folder itself, the one place where every compiler leaves hpm.mod.
fortran/libhpm_fortran.a: fortran/hpm.f90
	$(AM_V_GEN)$(MKDIR_P) fortran && cd fortran && rm -f libhpm_fortran.a && \
	$(FC) $(FCFLAGS) -fPIC -c -o hpm.o '$(abs_top_srcdir)/fortran/hpm.f90' && \
	$(AR) cr libhpm_fortran.a hpm.o && $(RANLIB) libhpm_fortran.a
$(fortran_module): $(fortran_archive)

fortrandir = $(libdir)
fortran_DATA = $(fortran_archive)
fmoddir = $(includedir)
nodist_fmod_DATA = $(fortran_module)
CLEANFILES += $(fortran_archive) $(fortran_module) fortran/hpm.o
endif
