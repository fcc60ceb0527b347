# SPDX-License-Identifier: BSD-3-Clause
# The definition files that each program carries, in the order they are read: what
# holds on any machine, then a file a family of PMUs that are in use, and which
# processors these are.

shipped_metrics = \
	metrics/generic.hpm \
	metrics/levels.hpm \
	metrics/hybrid.hpm \
	metrics/papi.hpm \
	metrics/software.hpm \
	metrics/machine.hpm \
	metrics/roofline.hpm \
	metrics/xeon.hpm \
	metrics/zen.hpm \
	metrics/neoverse.hpm \
	metrics/cortex-a57.hpm \
	metrics/a64fx.hpm \
	metrics/power9.hpm \
	metrics/processors.hpm

# Those of one processor each, which no program carries: a program reads that of its
# own processor, by the name of the PMU.  A file for several PMUs has the first one's
# name, and the others' files include it.
metrics_models = \
	metrics/models/adl.hpm \
	metrics/models/amd64_fam17h_zen1.hpm \
	metrics/models/amd64_fam1ah_zen5.hpm \
	metrics/models/amd64_fam1ah_zen6.hpm \
	metrics/models/amd64_k8_revb.hpm \
	metrics/models/amd64_k8_revc.hpm \
	metrics/models/amd64_k8_revd.hpm \
	metrics/models/amd64_k8_reve.hpm \
	metrics/models/amd64_k8_revf.hpm \
	metrics/models/amd64_k8_revg.hpm \
	metrics/models/apple_m1.hpm \
	metrics/models/apple_m2.hpm \
	metrics/models/arl.hpm \
	metrics/models/arm_ampereone.hpm \
	metrics/models/arm_n2.hpm \
	metrics/models/arm_n3.hpm \
	metrics/models/arm_thunderx2.hpm \
	metrics/models/arm_v2.hpm \
	metrics/models/arm_v3.hpm \
	metrics/models/bdw_ep.hpm \
	metrics/models/clx.hpm \
	metrics/models/core.hpm \
	metrics/models/cwf.hpm \
	metrics/models/emr.hpm \
	metrics/models/gnr.hpm \
	metrics/models/hsw_ep.hpm \
	metrics/models/icx.hpm \
	metrics/models/lnl.hpm \
	metrics/models/mtl.hpm \
	metrics/models/mpi.hpm \
	metrics/models/nhm.hpm \
	metrics/models/nhm_ex.hpm \
	metrics/models/node.hpm \
	metrics/models/openmp.hpm \
	metrics/models/opteron.hpm \
	metrics/models/power10.hpm \
	metrics/models/power3.hpm \
	metrics/models/power4.hpm \
	metrics/models/riscv.hpm \
	metrics/models/skx.hpm \
	metrics/models/spr.hpm \
	metrics/models/srf.hpm \
	metrics/models/ultra3.hpm \
	metrics/models/ultra3i.hpm \
	metrics/models/ultra3p.hpm \
	metrics/models/ultra4.hpm \
	metrics/models/ultra4p.hpm \
	metrics/models/wsm.hpm

metricsdir = $(pkgdatadir)/metrics
dist_metrics_DATA = $(shipped_metrics)
modelsdir = $(pkgdatadir)/metrics/models
dist_models_DATA = $(metrics_models)
EXTRA_DIST += metrics/embed metrics/maketables.c

# Where no tables can be made of them, the text is read at each launch.
CLEANFILES += lib/metric/language/shipped.c
lib/metric/language/shipped.c: metrics/embed metrics/local.mk $(shipped_metrics)
	$(AM_V_GEN)$(MKDIR_P) lib/metric/language && \
	(cd $(srcdir) && $(SHELL) metrics/embed $(shipped_metrics)) > $@-t && \
	mv $@-t $@

# As tables, so that a launch reads no text and no program carries it.  What makes
# them runs here, whatever machine the toolkit is for.
maketables_sources = metrics/maketables.c \
	lib/host/arena.c lib/host/folder.c lib/host/memory.c lib/host/others.c \
	lib/host/ownusage.c lib/host/path.c \
	lib/base/error.c lib/base/globs.c lib/base/names.c \
	lib/base/string.c \
	lib/metric/language/attributes.c lib/metric/language/expression.c \
	lib/metric/language/parse.c \
	lib/metric/language/parser.c lib/metric/language/spec.c \
	lib/metric/language/token.c
maketables_headers = \
	lib/host/arena.h lib/host/cancel.h lib/host/folder.h lib/host/memory.h \
	lib/host/others.h lib/host/ownusage.h lib/host/path.h \
	lib/base/error.h lib/base/globs.h lib/base/names.h \
	lib/base/string.h \
	lib/metric/language/builtin.h lib/metric/language/parser.h \
	lib/metric/language/spec.h lib/metric/language/tables.h \
	lib/metric/language/threshold.h lib/metric/language/token.h

if HAVE_TABLES
nodist_lib_libcore_la_SOURCES = lib/metric/language/shippedtables.c
else
nodist_lib_libcore_la_SOURCES = lib/metric/language/shipped.c
lib_libcore_la_SOURCES += lib/metric/language/notables.c
endif
CLEANFILES += metrics/maketables lib/metric/language/shippedtables.c
metrics/maketables: $(maketables_sources) $(maketables_headers)
	$(AM_V_CC)$(MKDIR_P) metrics && \
	cd $(srcdir) && $(CC_FOR_BUILD) -std=gnu11 -O1 -D_GNU_SOURCE -Ilib -I. \
	-o $(abs_builddir)/$@ $(maketables_sources) -lpthread -lm
lib/metric/language/shippedtables.c: metrics/maketables metrics/local.mk \
		$(shipped_metrics)
	$(AM_V_GEN)$(MKDIR_P) lib/metric/language && \
	(cd $(srcdir) && $(abs_builddir)/metrics/maketables \
	$(shipped_metrics)) > $@-t && mv $@-t $@
