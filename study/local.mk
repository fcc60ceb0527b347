# SPDX-License-Identifier: BSD-3-Clause
# What tools need and measured programs do not carry: above all readers of
# performance files.  libcolumns: studies (many tasks in columns), read, combined
# and written, which is all that the library for jobs carries; libalgebra adds how
# they are shown, and what hpm and hpmcount tell without a file; libstudy
# what takes libxml2 and zlib.  libplain takes their place where a study is
# read without them: it reads only what the toolkit has written itself.
#
# What only programs link, $(for_programs), is compiled once: a shared library would
# need a second time.  hpmviz/libviz, too.

for_programs = --tag=disable-shared
noinst_LTLIBRARIES += study/libcolumns.la study/libalgebra.la study/libplain.la

study_libcolumns_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libcolumns_la_SOURCES = \
	study/store/exactsum.c study/store/exactsum.h \
	study/store/index.c study/store/index.h \
	study/store/keyedhash.c study/store/keyedhash.h \
	study/store/number.c study/store/number.h \
	study/store/stream.c study/store/stream.h \
	study/statistics/box.c study/statistics/box.h \
	study/statistics/histogram.c study/statistics/histogram.h \
	study/statistics/poisson.c study/statistics/poisson.h \
	study/statistics/proportion.c study/statistics/proportion.h \
	study/statistics/quantile.c study/statistics/quantile.h \
	study/statistics/summary.c study/statistics/summary.h \
	study/columns/absence.c study/columns/absence.h \
	study/columns/agree.c study/columns/agree.h \
	study/columns/align.c study/columns/align.h \
	study/columns/anchor.c study/columns/anchor.h \
	study/columns/arrange.c \
	study/columns/average.c study/columns/average.h \
	study/columns/columnorder.c study/columns/columnorder.h \
	study/columns/combine.c study/columns/combine.h \
	study/columns/cut.c study/columns/cut.h \
	study/columns/diff.c study/columns/diff.h \
	study/columns/difference.c study/columns/difference.h \
	study/columns/distribution.c study/columns/distribution.h \
	study/columns/family.c study/columns/family.h \
	study/columns/calls.c study/columns/calls.h \
	study/columns/cartesian.c study/columns/cartesian.h \
	study/columns/buckets.c study/columns/buckets.h \
	study/columns/callstudy.c study/columns/callstudy.h \
	study/columns/callers.c study/columns/callers.h \
	study/columns/hits.c study/columns/hits.h \
	study/columns/jointhits.c study/columns/jointhits.h \
	study/columns/jobsummary.c study/columns/jobsummary.h \
	study/columns/lacks.c study/columns/lacks.h \
	study/columns/mean.c study/columns/mean.h \
	study/columns/merge.c study/columns/merge.h \
	study/columns/mixture.c study/columns/mixture.h \
	study/columns/operand.c study/columns/operand.h \
	study/columns/watched.c study/columns/watched.h \
	study/columns/pair.c study/columns/pair.h \
	study/columns/placecut.c study/columns/placecut.h \
	study/columns/runlist.c study/columns/runlist.h \
	study/columns/series.c study/columns/series.h \
	study/columns/spread.c study/columns/spread.h \
	study/columns/spreads.c study/columns/spreads.h \
	study/columns/standarderror.c study/columns/standarderror.h \
	study/columns/study.c study/columns/study.h \
	study/columns/studybytes.c study/columns/studybytes.h \
	study/columns/summarycell.c study/columns/summarycell.h \
	study/columns/summarygroup.c study/columns/summarygroup.h \
	study/columns/summaryorder.c study/columns/summaryorder.h \
	study/columns/taskgraph.c study/columns/taskgraph.h \
	study/columns/taskranges.c study/columns/taskranges.h \
	study/columns/taskstream.c study/columns/taskstream.h \
	study/columns/transfer.c study/columns/transfer.h \
	study/file/collect.c study/file/collect.h \
	study/file/describe.c study/file/describe.h \
	study/file/filecallers.c study/file/filecallers.h \
	study/file/filecalls.c study/file/filecalls.h \
	study/file/fileprofile.c study/file/fileprofile.h \
	study/file/filerecord.c study/file/filerecord.h \
	study/file/filespreads.c study/file/filespreads.h \
	study/file/format.c study/file/format.h \
	study/file/inputs.c study/file/inputs.h \
	study/file/notes.c study/file/notes.h \
	study/file/parents.c study/file/parents.h \
	study/file/parse.c study/file/parse.h \
	study/file/reader.c study/file/reader.h \
	study/file/studyfile.c study/file/studyfile.h \
	study/file/summarise.c study/file/summarise.h \
	study/file/xmlguard.h

study_libalgebra_la_LIBTOOLFLAGS = $(for_programs)
study_libalgebra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libalgebra_la_LIBADD = study/libcolumns.la
study_libalgebra_la_CPPFLAGS = $(AM_CPPFLAGS) -DLOCALEDIR='"$(localedir)"'
study_libalgebra_la_SOURCES = \
	study/report/tablewords.c study/report/tablewords.h \
	study/words/formats.c study/words/formats.h \
	study/words/pattern.c study/words/pattern.h \
	study/words/sentence.c study/words/sentence.h \
	study/words/words.c study/words/words.h \
	study/kernel/kernelcode.c study/kernel/kernelcode.h \
	study/node/nodeboxes.c study/node/nodeboxes.h \
	study/node/nodeplan.c study/node/nodeplan.h \
	study/node/nodequantity.c study/node/nodequantity.h \
	study/node/nodesource.c study/node/nodesource.h \
	study/node/nodezones.c study/node/nodezones.h \
	study/metric/definednames.c study/metric/definednames.h \
	study/metric/formula.c study/metric/formula.h \
	study/metric/possible.c study/metric/possible.h \
	study/metric/ranking.c study/metric/ranking.h \
	study/plan/eventmask.h \
	study/plan/packing.c study/plan/packing.h \
	study/plan/processor.c study/plan/processor.h \
	study/plan/schedule.c study/plan/schedule.h \
	study/metric/renew.c study/metric/renew.h \
	study/metric/studymetrics.c study/metric/studymetrics.h \
	study/metric/studyruns.c study/metric/studyruns.h \
	study/metric/samename.c study/metric/samename.h \
	study/metric/slowest.c study/metric/slowest.h \
	study/metric/sum.c study/metric/sum.h \
	study/metric/unify.c study/metric/unify.h \
	study/survey/entries.c \
	study/survey/figures.c study/survey/figures.h \
	study/survey/machines.c \
	study/survey/metricfigures.c study/survey/metricfigures.h \
	study/survey/rowstotal.c study/survey/rowstotal.h \
	study/survey/onetask.c \
	study/survey/quantities.c \
	study/survey/room.c \
	study/survey/steps.h \
	study/survey/summaryspread.c study/survey/summaryspread.h \
	study/survey/subjects.c \
	study/survey/survey.c study/survey/survey.h \
	study/survey/surveying.c study/survey/surveying.h \
	study/inference/bootstrap.c study/inference/bootstrap.h \
	study/inference/holm.c study/inference/holm.h \
	study/inference/normal.c study/inference/normal.h \
	study/inference/permutation.c study/inference/permutation.h \
	study/inference/random.c study/inference/random.h \
	study/compare/baseline.c study/compare/baseline.h \
	study/compare/basis.c study/compare/basis.h \
	study/compare/comparison.c study/compare/comparison.h \
	study/compare/functions.c study/compare/functions.h \
	study/compare/intake.c study/compare/intake.h \
	study/compare/json.c \
	study/compare/gate.c study/compare/gate.h \
	study/compare/markdown.c \
	study/compare/samples.c study/compare/samples.h \
	study/compare/stopping.c study/compare/stopping.h \
	study/compare/sweep.c study/compare/sweep.h \
	study/compare/text.c \
	study/compare/view.h \
	study/compare/words.c study/compare/words.h \
	study/report/csv.c \
	study/report/filter.c study/report/filter.h \
	study/report/format.h \
	study/report/hints.c study/report/hints.h \
	study/report/human.c study/report/human.h \
	study/report/surveyhints.c study/report/surveyhints.h \
	study/report/json.c \
	study/report/line.c study/report/line.h \
	study/report/lineup.c study/report/lineup.h \
	study/report/longtable.c \
	study/report/notes.c \
	study/report/bindings.c study/report/bindings.h \
	study/report/neighbours.c study/report/neighbours.h \
	study/report/overview.c study/report/overview.h \
	study/report/page.c study/report/page.h \
	study/report/pagecells.c \
	study/report/pagemetrics.c \
	study/report/pageruns.c \
	study/report/pagesections.c \
	study/report/paragraph.c study/report/paragraph.h \
	study/report/runtable.c study/report/runtable.h \
	study/report/entrynumbers.c study/report/entrynumbers.h \
	study/report/shown.c study/report/shown.h \
	study/report/tasklist.c study/report/tasklist.h \
	study/report/terminal.c study/report/terminal.h \
	study/report/report.c study/report/report.h \
	study/report/tree.c study/report/tree.h \
	study/report/view.c study/report/view.h \
	study/tool/catalogue.c study/tool/catalogue.h \
	study/tool/check.c study/tool/check.h \
	study/tool/coverage.c study/tool/coverage.h \
	study/tool/explanation.c study/tool/explanation.h \
	study/tool/option.c study/tool/option.h \
	study/tool/pmus.c study/tool/pmus.h

# Statistics of tables of many columns: functions of numbers alone.
noinst_LTLIBRARIES += study/libmultivariate.la
study_libmultivariate_la_LIBTOOLFLAGS = $(for_programs)
study_libmultivariate_la_CFLAGS = $(AM_CFLAGS) $(NUMERICS_CFLAGS) -fvisibility=hidden
study_libmultivariate_la_SOURCES = \
	study/multivariate/agglomeration.c study/multivariate/agglomeration.h \
	study/multivariate/cholesky.c study/multivariate/cholesky.h \
	study/multivariate/components.c study/multivariate/components.h \
	study/multivariate/correlation.c study/multivariate/correlation.h \
	study/multivariate/evenpoints.c study/multivariate/evenpoints.h \
	study/multivariate/factors.c study/multivariate/factors.h \
	study/multivariate/gap.c study/multivariate/gap.h \
	study/multivariate/grouping.c study/multivariate/grouping.h \
	study/multivariate/jacobi.c study/multivariate/jacobi.h \
	study/multivariate/kmeans.c study/multivariate/kmeans.h \
	study/multivariate/likelihood.c study/multivariate/likelihood.h \
	study/multivariate/matrix.c study/multivariate/matrix.h \
	study/multivariate/outliers.c study/multivariate/outliers.h \
	study/multivariate/preparation.c study/multivariate/preparation.h \
	study/multivariate/separation.c study/multivariate/separation.h \
	study/multivariate/smallgroups.c study/multivariate/smallgroups.h \
	study/multivariate/tails.c study/multivariate/tails.h \
	study/multivariate/tree.c study/multivariate/tree.h \
	study/multivariate/varimax.c study/multivariate/varimax.h

study_libplain_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libplain_la_SOURCES = study/plain/xmlguard.c

# Lists of processors' vendors; without json-c only those that are tables.
noinst_LTLIBRARIES += study/libvendor.la
study_libvendor_la_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
study_libvendor_la_LIBTOOLFLAGS = $(for_programs)
study_libvendor_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libvendor_la_LIBADD = $(JSON_LIBS)
study_libvendor_la_SOURCES = \
	study/vendor/definition.c study/vendor/definition.h \
	study/vendor/expression.c study/vendor/expression.h \
	study/vendor/expressionfold.c study/vendor/expressionprint.c \
	study/vendor/forms.c study/vendor/forms.h \
	study/vendor/limits.c \
	study/vendor/maps.c \
	study/vendor/notation.c study/vendor/notation.h \
	study/vendor/tables.c \
	study/vendor/translate.c study/vendor/translate.h \
	study/vendor/variant.c study/vendor/variant.h \
	study/vendor/vendor.c study/vendor/vendor.h \
	study/vendor/words.c study/vendor/words.h
if HAVE_JSON
study_libvendor_la_SOURCES += \
	study/vendor/json.c study/vendor/json.h \
	study/vendor/jsonarm.c \
	study/vendor/jsonevents.c \
	study/vendor/jsonforms.c study/vendor/jsonforms.h
else
study_libvendor_la_SOURCES += study/vendor/nojson.c
endif

# The functions of programs, and which of them can have probes.
noinst_LTLIBRARIES += study/libprobe.la
study_libprobe_la_LIBTOOLFLAGS = $(for_programs)
study_libprobe_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libprobe_la_SOURCES = \
	study/probe/chosen.c study/probe/chosen.h \
	study/probe/costplaces.c study/probe/costplaces.h \
	study/probe/demangled.c study/probe/demangled.h \
	study/probe/executable.c study/probe/executable.h \
	study/probe/hooks.c study/probe/hooks.h \
	study/probe/instruction.c study/probe/instruction.h \
	study/probe/probeable.c study/probe/probeable.h \
	study/probe/probelist.c study/probe/probelist.h \
	study/probe/standing.c study/probe/standing.h

# Where samples are, in functions and lines; without elfutils only in modules.
noinst_LTLIBRARIES += study/libhotspot.la
study_libhotspot_la_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
study_libhotspot_la_LIBTOOLFLAGS = $(for_programs)
study_libhotspot_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libhotspot_la_LIBADD = study/libprobe.la $(ELFUTILS_LIBS)
study_libhotspot_la_SOURCES = \
	study/hotspot/callgraph.c study/hotspot/callgraph.h \
	study/hotspot/callgraphreport.c study/hotspot/callgraphreport.h \
	study/hotspot/growth.c study/hotspot/growth.h \
	study/hotspot/growthreport.c \
	study/hotspot/hotspotreport.c study/hotspot/hotspotreport.h \
	study/hotspot/hotspots.c study/hotspot/hotspots.h \
	study/hotspot/naming.c study/hotspot/naming.h \
	study/hotspot/stacks.c study/hotspot/stacks.h \
	study/symbol/explain.c study/symbol/inlined.h study/symbol/symbols.h
if HAVE_ELFUTILS
study_libhotspot_la_SOURCES += \
	study/symbol/debugfile.c study/symbol/debugfile.h \
	study/symbol/inlined.c \
	study/symbol/symboltext.c study/symbol/symboltext.h \
	study/symbol/symbols.c
else
study_libhotspot_la_SOURCES += study/symbol/nosymbols.c
endif

if HAVE_STUDY
noinst_LTLIBRARIES += study/libstudy.la
study_libstudy_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
study_libstudy_la_LIBTOOLFLAGS = $(for_programs)
study_libstudy_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
study_libstudy_la_LIBADD = study/libhotspot.la study/libmultivariate.la \
	study/libalgebra.la $(XML_LIBS)
endif
study_libstudy_la_SOURCES = \
	study/analysis/account.c study/analysis/account.h \
	study/analysis/callpictures.c study/analysis/callpictures.h \
	study/analysis/callreport.c study/analysis/callreport.h \
	study/analysis/callvalues.c study/analysis/callvalues.h \
	study/analysis/clusterreport.c \
	study/analysis/clusters.c study/analysis/clusters.h \
	study/analysis/componentreport.c study/analysis/componentreport.h \
	study/analysis/coverage.c study/analysis/coverage.h \
	study/analysis/drawing.c study/analysis/drawing.h \
	study/analysis/picture.c study/analysis/picture.h \
	study/analysis/kindmembers.c study/analysis/kindmembers.h \
	study/analysis/kindpictures.c study/analysis/kindpictures.h \
	study/analysis/factorreport.c study/analysis/factorreport.h \
	study/analysis/kindsentence.c study/analysis/kindsentence.h \
	study/analysis/membership.c study/analysis/membership.h \
	study/analysis/observations.c study/analysis/observations.h \
	study/analysis/outlierreport.c study/analysis/outlierreport.h \
	study/analysis/taskgrid.c study/analysis/taskgrid.h \
	study/analysis/toldgrid.c study/analysis/toldgrid.h \
	study/html/base64.c study/html/base64.h \
	study/html/block.c study/html/block.h \
	study/html/calibrations.c study/html/calibrations.h \
	study/html/experiment.h \
	study/html/facts.c study/html/facts.h \
	study/html/page.c study/html/page.h \
	study/html/parts.h \
	study/html/samples.c study/html/samples.h \
	study/html/sha256.c study/html/sha256.h \
	study/html/sources.c study/html/sources.h \
	study/html/tables.c study/html/tables.h \
	study/points/npz.c study/points/npz.h \
	study/points/pointlabels.c study/points/pointlabels.h \
	study/points/points.c study/points/points.h \
	study/points/pointtable.c study/points/pointtable.h \
	study/xml/gzip.c study/xml/gzip.h \
	study/xml/xmlguard.c \
	study/recover/copies.c study/recover/copies.h \
	study/recover/recovered.c study/recover/recovered.h \
	study/recover/revival.c study/recover/revival.h \
	study/recover/samples.c study/recover/samples.h

# What every HTML page carries; the scripts in the order they are read.
html_parts = study/html/page.css study/html/page.html \
	study/html/inflate.js \
	study/html/blocks.js \
	study/html/words.js \
	study/html/elements.js \
	study/html/table.js \
	study/html/settings.js \
	study/html/compare.js \
	study/html/cycles.js \
	study/html/roofline.js \
	study/html/kinds.js \
	study/html/overview.js \
	study/html/sections.js \
	study/html/samples.js \
	study/html/section.js \
	study/html/run.js \
	study/html/start.js
EXTRA_DIST += study/html/embed $(html_parts) study/html/lint \
	study/html/eslint.config.mjs
nodist_study_libstudy_la_SOURCES = study/html/parts.c
CLEANFILES += study/html/parts.c
study/html/parts.c: study/html/embed $(html_parts)
	$(AM_V_GEN)$(MKDIR_P) study/html && \
	(cd $(srcdir) && $(SHELL) study/html/embed $(html_parts)) > $@-t && \
	mv $@-t $@
# The page's script by ESLint, where there is one.
lint:
	cd $(srcdir) && { $(SHELL) study/html/lint $(html_parts) || \
		test $$? -eq 77; }
.PHONY: lint
