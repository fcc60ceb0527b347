# SPDX-License-Identifier: BSD-3-Clause
# The definition files, in the order they are read: what holds on any machine,
# then a file a family of PMUs.

shipped_metrics = \
	metrics/generic.hpm \
	metrics/levels.hpm \
	metrics/papi.hpm \
	metrics/software.hpm \
	metrics/core.hpm \
	metrics/nehalem.hpm \
	metrics/opteron.hpm \
	metrics/power3.hpm \
	metrics/power4.hpm \
	metrics/ultra3.hpm \
	metrics/xeon.hpm \
	metrics/zen.hpm \
	metrics/neoverse.hpm \
	metrics/cortex-a57.hpm \
	metrics/a64fx.hpm \
	metrics/power9.hpm

metricsdir = $(pkgdatadir)/metrics
dist_metrics_DATA = $(shipped_metrics)
EXTRA_DIST += metrics/embed

nodist_lib_libcore_la_SOURCES = lib/metric/shipped.c
CLEANFILES += lib/metric/shipped.c
lib/metric/shipped.c: metrics/embed $(shipped_metrics)
	$(AM_V_GEN)$(MKDIR_P) lib/metric && \
	(cd $(srcdir) && $(SHELL) metrics/embed $(shipped_metrics)) > $@-t && \
	mv $@-t $@
