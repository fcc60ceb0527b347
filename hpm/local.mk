# SPDX-License-Identifier: BSD-3-Clause

bin_PROGRAMS += hpm/hpm
hpm_hpm_SOURCES = \
	hpm/belief.c hpm/belief.h \
	hpm/calls.c hpm/calls.h \
	hpm/check.c \
	hpm/checks.c hpm/checks.h \
	hpm/diagnosis.c hpm/diagnosis.h \
	hpm/doctor.c \
	hpm/explain.c \
	hpm/findings.c hpm/findings.h \
	hpm/helper.c hpm/helper.h \
	hpm/import-definitions.c \
	hpm/keeping.c hpm/keeping.h \
	hpm/kernels.c hpm/kernels.h \
	hpm/knowncounts.c hpm/knowncounts.h \
	hpm/machine.c hpm/machine.h \
	hpm/main.c \
	hpm/metrics.c \
	hpm/overhead.c hpm/overhead.h \
	hpm/papihealth.c hpm/papihealth.h \
	hpm/selftest.c hpm/selftest.h \
	hpm/plan.c \
	hpm/planning.c hpm/planning.h \
	hpm/roofs.c hpm/roofs.h \
	hpm/roofs/calculations.c hpm/roofs/roofkernel.h \
	hpm/roofs/levels.c hpm/roofs/levels.h \
	hpm/roofs/reading.c \
	hpm/roofs/team.c hpm/roofs/team.h \
	hpm/subcommand.c hpm/subcommand.h \
	hpm/trial.c hpm/trial.h \
	hpm/verify.c hpm/verify.h \
	hpm/walks.c hpm/walks.h
nodist_hpm_hpm_SOURCES = hpm/knowncountstext.c
hpm_hpm_CPPFLAGS = $(AM_CPPFLAGS) \
	-DBINDIR='"$(bindir)"' -DHELPERDIR='"$(pkglibexecdir)"'
hpm_hpm_LDADD = study/libvendor.la

# What events should count, as C.
EXTRA_DIST += hpm/known-counts.txt
CLEANFILES += hpm/knowncountstext.c
hpm/knowncountstext.c: hpm/known-counts.txt
	$(AM_V_GEN)$(MKDIR_P) hpm && \
	{ echo '/* Made from hpm/known-counts.txt. */' && \
	  echo '#include "hpm/knowncounts.h"' && \
	  echo 'const char knowncounts_text[] =' && \
	  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' \
	      -e 's/$$/\\n"/' $(srcdir)/hpm/known-counts.txt && \
	  echo '    ;'; } > $@-t && mv $@-t $@

# Reads performance files, and without libxml2 only what hpm doctor has had
# measured itself.
if HAVE_STUDY
hpm_hpm_SOURCES += \
	hpm/aside.c hpm/aside.h \
	hpm/audit.c \
	hpm/audited.c hpm/audited.h \
	hpm/auditing.c hpm/auditing.h \
	hpm/bytes.c hpm/bytes.h \
	hpm/campaign.c hpm/campaign.h \
	hpm/campaignfolder.c \
	hpm/campaignrun.c hpm/campaignwords.c \
	hpm/childrun.c hpm/childrun.h \
	hpm/analysing.c hpm/analysing.h \
	hpm/cluster.c \
	hpm/compare.c \
	hpm/compareoptions.c hpm/compareoptions.h \
	hpm/comparing.c hpm/comparing.h \
	hpm/components.c \
	hpm/cut.c \
	hpm/cutfiles.c \
	hpm/diff.c \
	hpm/factors.c \
	hpm/holder.c hpm/holder.h \
	hpm/htmlpage.c hpm/htmlpage.h \
	hpm/inputs.c hpm/inputs.h \
	hpm/integrate.c \
	hpm/interrupt.c hpm/interrupt.h \
	hpm/journals.c \
	hpm/leftovers.c hpm/leftovers.h \
	hpm/mean.c \
	hpm/merge.c \
	hpm/outliers.c \
	hpm/pointing.c hpm/pointing.h \
	hpm/points.c \
	hpm/progress.c hpm/progress.h \
	hpm/recover.c \
	hpm/recovery.c hpm/recovery.h \
	hpm/report.c \
	hpm/result.c hpm/result.h \
	hpm/storedruns.c hpm/storedruns.h

hpm_hpm_LDADD += study/libhotspot.la study/libstudy.la study/libalgebra.la
else
hpm_hpm_LDADD += study/libalgebra.la study/libplain.la
endif
hpm_hpm_LDADD += lib/libmeasure.la lib/libcore.la -lpthread

# A page for each subcommand.
dist_man_MANS += \
	doc/man/hpm-audit.1 \
	doc/man/hpm-campaign.1 \
	doc/man/hpm-check.1 \
	doc/man/hpm-cluster.1 \
	doc/man/hpm-compare.1 \
	doc/man/hpm-components.1 \
	doc/man/hpm-cut.1 \
	doc/man/hpm-diff.1 \
	doc/man/hpm-doctor.1 \
	doc/man/hpm-explain.1 \
	doc/man/hpm-factors.1 \
	doc/man/hpm-help.1 \
	doc/man/hpm-import-definitions.1 \
	doc/man/hpm-integrate.1 \
	doc/man/hpm-mean.1 \
	doc/man/hpm-merge.1 \
	doc/man/hpm-metrics.1 \
	doc/man/hpm-outliers.1 \
	doc/man/hpm-plan.1 \
	doc/man/hpm-points.1 \
	doc/man/hpm-recover.1 \
	doc/man/hpm-report.1

# Measured as users' programs are: through the shared library, its symbols
# resolved before the first section.  The library is looked for where it is
# installed together with this, too: nobody is told to make it known first.
pkglibexec_PROGRAMS += hpm/hpm-empty-sections
hpm_hpm_empty_sections_SOURCES = hpm/empty-sections.c
hpm_hpm_empty_sections_LDADD = lib/libhpm.la lib/libmeasure.la lib/libcore.la
hpm_hpm_empty_sections_LDFLAGS = -Wl,-z,now \
	-Wl,-rpath,'$$ORIGIN/../../lib'
