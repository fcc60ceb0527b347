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
EXTRA_DIST += metrics/embed metrics/maketables.c

nodist_lib_libcore_la_SOURCES = lib/metric/shipped.c
CLEANFILES += lib/metric/shipped.c
lib/metric/shipped.c: metrics/embed $(shipped_metrics)
	$(AM_V_GEN)$(MKDIR_P) lib/metric && \
	(cd $(srcdir) && $(SHELL) metrics/embed $(shipped_metrics)) > $@-t && \
	mv $@-t $@

# The same as tables, so that a launch reads no text.  What makes them runs here,
# whatever machine the toolkit is for.
maketables_sources = metrics/maketables.c \
	lib/base/error.c lib/base/memory.c lib/base/string.c \
	lib/metric/attributes.c lib/metric/expression.c lib/metric/names.c \
	lib/metric/parse.c lib/metric/parser.c lib/metric/spec.c \
	lib/metric/token.c
maketables_headers = \
	lib/base/cancel.h lib/base/error.h lib/base/memory.h lib/base/string.h \
	lib/metric/names.h lib/metric/parser.h lib/metric/spec.h \
	lib/metric/tables.h lib/metric/threshold.h lib/metric/token.h

if HAVE_TABLES
nodist_lib_libcore_la_SOURCES += lib/metric/shippedtables.c
else
lib_libcore_la_SOURCES += lib/metric/notables.c
endif
CLEANFILES += metrics/maketables lib/metric/shippedtables.c
metrics/maketables: $(maketables_sources) $(maketables_headers)
	$(AM_V_CC)$(MKDIR_P) metrics && \
	cd $(srcdir) && $(CC_FOR_BUILD) -std=gnu11 -O1 -D_GNU_SOURCE -Ilib \
	-o $(abs_builddir)/$@ $(maketables_sources) -lpthread -lm
lib/metric/shippedtables.c: metrics/maketables $(shipped_metrics)
	$(AM_V_GEN)$(MKDIR_P) lib/metric && \
	(cd $(srcdir) && $(abs_builddir)/metrics/maketables \
	$(shipped_metrics)) > $@-t && mv $@-t $@
