# SPDX-License-Identifier: BSD-3-Clause

bin_PROGRAMS += hpm/hpm
hpm_hpm_SOURCES = \
	hpm/check.c \
	hpm/doctor.c \
	hpm/explain.c \
	hpm/functions.c \
	hpm/import-definitions.c \
	hpm/main.c \
	hpm/metrics.c \
	hpm/plan.c \
	hpm/probes.c \
	hpm/campaign/planning.c hpm/campaign/planning.h \
	hpm/diagnosis/calls.c hpm/diagnosis/calls.h \
	hpm/diagnosis/checks.c hpm/diagnosis/checks.h \
	hpm/diagnosis/diagnosis.c hpm/diagnosis/diagnosis.h \
	hpm/diagnosis/findings.c hpm/diagnosis/findings.h \
	hpm/diagnosis/overhead.c hpm/diagnosis/overhead.h \
	hpm/diagnosis/papihealth.c hpm/diagnosis/papihealth.h \
	hpm/diagnosis/selftest.c hpm/diagnosis/selftest.h \
	hpm/frame/helper.c hpm/frame/helper.h \
	hpm/frame/helptext.c hpm/frame/helptext.h \
	hpm/frame/keeping.c hpm/frame/keeping.h \
	hpm/frame/machine.c hpm/frame/machine.h \
	hpm/frame/subcommand.c hpm/frame/subcommand.h \
	hpm/probing/defining.c \
	hpm/probing/listing.c \
	hpm/probing/probing.h \
	hpm/probing/rights.c \
	hpm/roofs/calculations.c \
	hpm/roofs/levels.c hpm/roofs/levels.h \
	hpm/roofs/reading.c \
	hpm/roofs/roofkernel.h \
	hpm/roofs/roofs.c hpm/roofs/roofs.h \
	hpm/roofs/team.c hpm/roofs/team.h \
	hpm/verify/belief.c hpm/verify/belief.h \
	hpm/verify/kernels.c hpm/verify/kernels.h \
	hpm/verify/knowncounts.c hpm/verify/knowncounts.h \
	hpm/verify/trial.c hpm/verify/trial.h \
	hpm/verify/verify.c hpm/verify/verify.h \
	hpm/verify/walks.c hpm/verify/walks.h
nodist_hpm_hpm_SOURCES = hpm/verify/knowncountstext.c
hpm_hpm_CPPFLAGS = $(AM_CPPFLAGS) \
	-DBINDIR='"$(bindir)"' -DHELPERDIR='"$(pkglibexecdir)"'
hpm_hpm_LDADD = study/libvendor.la

# What events should count, as C.
EXTRA_DIST += hpm/verify/known-counts.txt
CLEANFILES += hpm/verify/knowncountstext.c
hpm/verify/knowncountstext.c: hpm/verify/known-counts.txt
	$(AM_V_GEN)$(MKDIR_P) hpm/verify && \
	{ echo '/* Made from hpm/verify/known-counts.txt. */' && \
	  echo '#include "hpm/verify/knowncounts.h"' && \
	  echo 'const char knowncounts_text[] =' && \
	  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' \
	      -e 's/$$/\\n"/' $(srcdir)/hpm/verify/known-counts.txt && \
	  echo '    ;'; } > $@-t && mv $@-t $@

# Reads performance files, and without libxml2 only what hpm doctor has had
# measured itself.
if HAVE_STUDY
hpm_hpm_SOURCES += \
	hpm/audit.c \
	hpm/calls.c \
	hpm/campaign.c \
	hpm/cluster.c \
	hpm/compare.c \
	hpm/components.c \
	hpm/cut.c \
	hpm/diff.c \
	hpm/factors.c \
	hpm/htmlpage.c hpm/htmlpage.h \
	hpm/integrate.c \
	hpm/mean.c \
	hpm/merge.c \
	hpm/outliers.c \
	hpm/points.c \
	hpm/recover.c \
	hpm/report.c \
	hpm/analysis/analysing.c hpm/analysis/analysing.h \
	hpm/analysis/pointing.c hpm/analysis/pointing.h \
	hpm/campaign/audited.c hpm/campaign/audited.h \
	hpm/campaign/auditing.c hpm/campaign/auditing.h \
	hpm/campaign/campaign.h \
	hpm/campaign/campaignfolder.c \
	hpm/campaign/campaignrun.c \
	hpm/campaign/campaignwords.c \
	hpm/compare/compareoptions.c hpm/compare/compareoptions.h \
	hpm/compare/comparing.c hpm/compare/comparing.h \
	hpm/compare/storedruns.c hpm/compare/storedruns.h \
	hpm/frame/childrun.c hpm/frame/childrun.h \
	hpm/frame/inputs.c hpm/frame/inputs.h \
	hpm/frame/together.c hpm/frame/together.h \
	hpm/frame/interrupt.c hpm/frame/interrupt.h \
	hpm/frame/progress.c hpm/frame/progress.h \
	hpm/frame/result.c hpm/frame/result.h \
	hpm/recover/aside.c hpm/recover/aside.h \
	hpm/recover/bytes.c hpm/recover/bytes.h \
	hpm/recover/cutfiles.c \
	hpm/recover/holder.c hpm/recover/holder.h \
	hpm/recover/journals.c \
	hpm/recover/leftovers.c hpm/recover/leftovers.h \
	hpm/recover/recovery.c hpm/recover/recovery.h

hpm_hpm_LDADD += study/libstudy.la study/libalgebra.la

# What one subcommand takes, for a test of it alone.
report_sources = hpm/report.c hpm/htmlpage.c hpm/frame/inputs.c \
	hpm/frame/interrupt.c hpm/frame/machine.c hpm/frame/progress.c \
	hpm/frame/result.c hpm/frame/subcommand.c hpm/frame/together.c
else
hpm_hpm_LDADD += study/libhotspot.la study/libalgebra.la study/libplain.la
endif
hpm_hpm_LDADD += study/libprobe.la lib/libelffile.la lib/libmeasure.la lib/libcore.la -lpthread

# A page for each subcommand.
dist_man_MANS += \
	doc/man/hpm-audit.1 \
	doc/man/hpm-campaign.1 \
	doc/man/hpm-check.1 \
	doc/man/hpm-calls.1 doc/man/hpm-cluster.1 \
	doc/man/hpm-compare.1 \
	doc/man/hpm-components.1 \
	doc/man/hpm-cut.1 \
	doc/man/hpm-diff.1 \
	doc/man/hpm-doctor.1 \
	doc/man/hpm-explain.1 \
	doc/man/hpm-factors.1 \
	doc/man/hpm-functions.1 \
	doc/man/hpm-help.1 \
	doc/man/hpm-import-definitions.1 \
	doc/man/hpm-integrate.1 \
	doc/man/hpm-mean.1 \
	doc/man/hpm-merge.1 \
	doc/man/hpm-metrics.1 \
	doc/man/hpm-outliers.1 \
	doc/man/hpm-plan.1 \
	doc/man/hpm-probes.1 \
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
