# SPDX-License-Identifier: BSD-3-Clause
# libviz is all of the viewer but main: its tests link it.

if HAVE_GTK
bin_PROGRAMS += hpmviz/hpmviz
noinst_LTLIBRARIES += hpmviz/libviz.la

hpmviz_CPPFLAGS = $(AM_CPPFLAGS) -DGETTEXT_PACKAGE='"hpm-toolkit"' -DMANDIR='"$(mandir)"' \
	-DLOCALEDIR='"$(localedir)"'
hpmviz_CFLAGS = $(AM_CFLAGS) $(GTK_CFLAGS) $(X11_CFLAGS)

hpmviz_libviz_la_CPPFLAGS = $(hpmviz_CPPFLAGS)
hpmviz_libviz_la_LIBTOOLFLAGS = $(for_programs)
hpmviz_libviz_la_CFLAGS = $(hpmviz_CFLAGS)
hpmviz_libviz_la_LIBADD = study/libhotspot.la study/libprobe.la lib/libelffile.la \
	study/libstudy.la lib/libcore.la \
	$(GTK_LIBS) $(X11_LIBS)
hpmviz_libviz_la_SOURCES = \
	hpmviz/data/hints.c hpmviz/data/hints.h \
	hpmviz/data/callertree.c hpmviz/data/callertree.h \
	hpmviz/data/callervalues.c hpmviz/data/callervalues.h \
	hpmviz/data/change.c hpmviz/data/change.h \
	hpmviz/data/comparing.c hpmviz/data/comparing.h \
	hpmviz/data/csvjob.c hpmviz/data/csvjob.h \
	hpmviz/data/export.c hpmviz/data/export.h \
	hpmviz/data/facts.c hpmviz/data/facts.h \
	hpmviz/data/glossary.c hpmviz/data/glossary.h \
	hpmviz/data/remembered.c hpmviz/data/remembered.h \
	hpmviz/data/identity.c hpmviz/data/identity.h \
	hpmviz/data/loaded.c hpmviz/data/loaded.h \
	hpmviz/data/loader.c hpmviz/data/loader.h \
	hpmviz/data/metriclist.c hpmviz/data/metriclist.h \
	hpmviz/data/metrictree.c hpmviz/data/metrictree.h \
	hpmviz/data/palette.c hpmviz/data/palette.h \
	hpmviz/data/pathtree.c hpmviz/data/pathtree.h \
	hpmviz/data/preferences.c hpmviz/data/preferences.h \
	hpmviz/data/reader.c hpmviz/data/reader.h \
	hpmviz/data/restriction.c hpmviz/data/restriction.h \
	hpmviz/data/run.c hpmviz/data/run.h \
	hpmviz/data/runs.c hpmviz/data/runs.h \
	hpmviz/data/session.c hpmviz/data/session.h \
	hpmviz/data/sessionstate.c hpmviz/data/sessionstate.h \
	hpmviz/data/sessionruns.c hpmviz/data/sessionsurveys.c \
	hpmviz/data/sheet.c hpmviz/data/sheet.h \
	hpmviz/data/sourceplace.c hpmviz/data/sourceplace.h \
	hpmviz/data/sources.c hpmviz/data/sources.h \
	hpmviz/data/surveys.c hpmviz/data/surveys.h \
	hpmviz/data/systemtree.c hpmviz/data/systemtree.h \
	hpmviz/data/systemvalues.c hpmviz/data/systemvalues.h \
	hpmviz/data/totals.c hpmviz/data/totals.h \
	hpmviz/data/trees.c hpmviz/data/trees.h hpmviz/data/treestate.h \
	hpmviz/data/treesexport.c hpmviz/data/treesexport.h \
	hpmviz/data/treerows.c hpmviz/data/treerows.h \
	hpmviz/data/treeshare.c hpmviz/data/treeshare.h \
	hpmviz/data/treewalk.c hpmviz/data/treewalk.h \
	hpmviz/data/treevalue.c hpmviz/data/treevalue.h \
	hpmviz/data/treewords.c hpmviz/data/treewords.h \
	hpmviz/data/spread.c hpmviz/data/spread.h \
	hpmviz/data/details.c hpmviz/data/details.h \
	hpmviz/data/choice.c hpmviz/data/choice.h \
	hpmviz/data/placegrid.c hpmviz/data/placegrid.h \
	hpmviz/data/topology.c hpmviz/data/topology.h \
	hpmviz/data/rooflinepoints.c hpmviz/data/rooflinepoints.h \
	hpmviz/data/ranges.c hpmviz/data/ranges.h \
	hpmviz/data/distribution.c hpmviz/data/distribution.h \
	hpmviz/data/distributiontext.c hpmviz/data/distributiontext.h \
	hpmviz/data/trend.c hpmviz/data/trend.h \
	hpmviz/data/trendexport.c hpmviz/data/trendexport.h \
	hpmviz/data/watcher.c hpmviz/data/watcher.h \
	hpmviz/instrument/call.h hpmviz/instrument/wanted.h \
	hpmviz/instrument/calls.c hpmviz/instrument/calls.h \
	hpmviz/instrument/cblocks.c hpmviz/instrument/cblocks.h \
	hpmviz/instrument/ccalls.c hpmviz/instrument/ccalls.h \
	hpmviz/instrument/ccode.c hpmviz/instrument/ccode.h \
	hpmviz/instrument/cinstrument.c hpmviz/instrument/cinstrument.h \
	hpmviz/instrument/cpragmas.c hpmviz/instrument/cpragmas.h \
	hpmviz/instrument/cselection.c hpmviz/instrument/cselection.h \
	hpmviz/instrument/cstatements.c hpmviz/instrument/cstatements.h \
	hpmviz/instrument/ctokens.c hpmviz/instrument/ctokens.h \
	hpmviz/instrument/edits.c hpmviz/instrument/edits.h \
	hpmviz/instrument/fblocks.c hpmviz/instrument/fblocks.h \
	hpmviz/instrument/fcalls.c hpmviz/instrument/fcalls.h \
	hpmviz/instrument/fcode.c hpmviz/instrument/fcode.h \
	hpmviz/instrument/fdirectives.c hpmviz/instrument/fdirectives.h \
	hpmviz/instrument/fdoors.c hpmviz/instrument/fdoors.h \
	hpmviz/instrument/finstrument.c hpmviz/instrument/finstrument.h \
	hpmviz/instrument/fjumps.c hpmviz/instrument/fjumps.h \
	hpmviz/instrument/fkinds.c hpmviz/instrument/fkinds.h \
	hpmviz/instrument/fregions.c hpmviz/instrument/fregions.h \
	hpmviz/instrument/fselection.c hpmviz/instrument/fselection.h \
	hpmviz/instrument/functionat.c hpmviz/instrument/functionat.h \
	hpmviz/instrument/instrument.c hpmviz/instrument/instrument.h \
	hpmviz/instrument/language.c hpmviz/instrument/language.h \
	hpmviz/instrument/libraryuse.c hpmviz/instrument/libraryuse.h \
	hpmviz/instrument/numbers.c hpmviz/instrument/numbers.h \
	hpmviz/instrument/removal.c hpmviz/instrument/removal.h \
	hpmviz/instrument/renumbering.c hpmviz/instrument/renumbering.h \
	hpmviz/instrument/textlines.c hpmviz/instrument/textlines.h \
	hpmviz/kinds/groupchooser.c hpmviz/kinds/groupchooser.h \
	hpmviz/kinds/kindsline.c hpmviz/kinds/kindsline.h \
	hpmviz/kinds/kindswindow.c hpmviz/kinds/kindswindow.h \
	hpmviz/kinds/kindswords.c hpmviz/kinds/kindswords.h \
	hpmviz/measure/errorline.c hpmviz/measure/errorline.h \
	hpmviz/measure/functionrun.c hpmviz/measure/functionrun.h \
	hpmviz/measure/job.c hpmviz/measure/job.h \
	hpmviz/measure/measurable.c hpmviz/measure/measurable.h \
	hpmviz/measure/measurepane.c hpmviz/measure/measurepane.h \
	hpmviz/measure/outputtext.c hpmviz/measure/outputtext.h \
	hpmviz/measure/project.c hpmviz/measure/project.h \
	hpmviz/measure/shellcommand.c hpmviz/measure/shellcommand.h \
	hpmviz/metrics/legend.c hpmviz/metrics/legend.h \
	hpmviz/metrics/metricsactions.c hpmviz/metrics/metricsactions.h \
	hpmviz/metrics/metricsexport.c hpmviz/metrics/metricsexport.h \
	hpmviz/metrics/metricsinfo.c hpmviz/metrics/metricsinfo.h \
	hpmviz/metrics/metricspages.c hpmviz/metrics/metricspages.h \
	hpmviz/metrics/metricsplace.c hpmviz/metrics/metricsplace.h \
	hpmviz/metrics/metricspane.c hpmviz/metrics/metricspane.h \
	hpmviz/metrics/metricssummary.c hpmviz/metrics/metricssummary.h \
	hpmviz/metrics/metricstable.c hpmviz/metrics/metricstable.h \
	hpmviz/metrics/metricswindow.c hpmviz/metrics/metricswindow.h \
	hpmviz/places/extremeslist.c hpmviz/places/extremeslist.h \
	hpmviz/places/placeswindow.c hpmviz/places/placeswindow.h \
	hpmviz/places/plotarea.c hpmviz/places/plotarea.h \
	hpmviz/places/rangechooser.c hpmviz/places/rangechooser.h \
	hpmviz/plots/axis.c hpmviz/plots/axis.h \
	hpmviz/plots/canvas.c hpmviz/plots/canvas.h \
	hpmviz/plots/colourscale.c hpmviz/plots/colourscale.h \
	hpmviz/plots/heatplot.c hpmviz/plots/histogramplot.c hpmviz/plots/sortedplot.c \
	hpmviz/plots/rooflineplot.c hpmviz/plots/scatterplot.c \
	hpmviz/plots/lasso.c hpmviz/plots/lasso.h \
	hpmviz/plots/plot.c hpmviz/plots/plot.h \
	hpmviz/runs/runsbar.c hpmviz/runs/runsbar.h \
	hpmviz/runs/runslist.c hpmviz/runs/runslist.h \
	hpmviz/runs/trendchart.c hpmviz/runs/trendchart.h \
	hpmviz/runs/trendplot.c hpmviz/runs/trendplot.h \
	hpmviz/runs/trendwindow.c hpmviz/runs/trendwindow.h \
	hpmviz/samples/callspane.c hpmviz/samples/callspane.h \
	hpmviz/samples/functionswindow.c hpmviz/samples/functionswindow.h \
	hpmviz/sections/sectionchange.c hpmviz/sections/sectionchange.h \
	hpmviz/sections/sectioncolumns.c hpmviz/sections/sectioncolumns.h \
	hpmviz/sections/sectionfilter.c hpmviz/sections/sectionfilter.h \
	hpmviz/sections/sectionlist.c hpmviz/sections/sectionlist.h \
	hpmviz/sections/sectionmenu.c hpmviz/sections/sectionmenu.h \
	hpmviz/sections/sectionmetric.c hpmviz/sections/sectionmetric.h \
	hpmviz/sections/sectionspane.c hpmviz/sections/sectionspane.h \
	hpmviz/sections/sectiontable.c hpmviz/sections/sectiontable.h \
	hpmviz/shell/commands.c hpmviz/shell/commands.h \
	hpmviz/shell/distributionexport.c hpmviz/shell/distributionexport.h \
	hpmviz/shell/distributionoutput.c hpmviz/shell/distributionoutput.h \
	hpmviz/shell/drawing.c hpmviz/shell/drawing.h \
	hpmviz/shell/filecommands.c hpmviz/shell/filecommands.h \
	hpmviz/shell/headless.c hpmviz/shell/headless.h \
	hpmviz/shell/help.c hpmviz/shell/help.h \
	hpmviz/shell/termination.c hpmviz/shell/termination.h \
	hpmviz/shell/notices.c hpmviz/shell/notices.h \
	hpmviz/shell/measurecommands.c hpmviz/shell/measurecommands.h \
	hpmviz/shell/paging.c hpmviz/shell/paging.h \
	hpmviz/shell/parts.c hpmviz/shell/parts.h \
	hpmviz/shell/picture.c hpmviz/shell/picture.h \
	hpmviz/shell/preferencesdialog.c hpmviz/shell/preferencesdialog.h \
	hpmviz/shell/printcommands.c hpmviz/shell/printcommands.h \
	hpmviz/shell/printing.c hpmviz/shell/printing.h \
	hpmviz/shell/sourcecommands.c hpmviz/shell/sourcecommands.h \
	hpmviz/shell/statusline.c hpmviz/shell/statusline.h \
	hpmviz/shell/tableoutput.c hpmviz/shell/tableoutput.h \
	hpmviz/shell/taskchooser.c hpmviz/shell/taskchooser.h \
	hpmviz/shell/treesoutput.c hpmviz/shell/treesoutput.h \
	hpmviz/shell/trendoutput.c hpmviz/shell/trendoutput.h \
	hpmviz/shell/viewcommands.c hpmviz/shell/viewcommands.h \
	hpmviz/shell/window.c hpmviz/shell/window.h \
	hpmviz/shell/wordlist.c hpmviz/shell/wordlist.h \
	hpmviz/source/bracketgutter.c hpmviz/source/bracketgutter.h \
	hpmviz/source/caretscroll.c hpmviz/source/caretscroll.h \
	hpmviz/source/document.c hpmviz/source/document.h \
	hpmviz/source/documentdrafts.c hpmviz/source/documentfile.c \
	hpmviz/source/documentstate.h \
	hpmviz/source/editor.c hpmviz/source/editor.h \
	hpmviz/source/editordialog.c hpmviz/source/editordialog.h \
	hpmviz/source/findbar.c hpmviz/source/findbar.h \
	hpmviz/source/gutterbar.c hpmviz/source/gutterbar.h \
	hpmviz/source/heat.c hpmviz/source/heat.h \
	hpmviz/source/heatgutter.c hpmviz/source/heatgutter.h \
	hpmviz/source/history.c hpmviz/source/history.h \
	hpmviz/source/instrumenting.c hpmviz/source/instrumenting.h \
	hpmviz/source/lineheat.c hpmviz/source/lineheat.h \
	hpmviz/source/locating.c hpmviz/source/locating.h \
	hpmviz/source/minimap.c hpmviz/source/minimap.h \
	hpmviz/source/recovery.c hpmviz/source/recovery.h \
	hpmviz/source/samplegutter.c hpmviz/source/samplegutter.h \
	hpmviz/source/saving.c hpmviz/source/saving.h \
	hpmviz/source/sourcefile.c hpmviz/source/sourcefile.h hpmviz/source/sourcefilesave.c \
	hpmviz/source/sourcelines.c hpmviz/source/sourcelines.h \
	hpmviz/source/sourcelook.c hpmviz/source/sourcelook.h \
	hpmviz/source/sourcemenu.c hpmviz/source/sourcemenu.h \
	hpmviz/source/sourcepane.c hpmviz/source/sourcepane.h \
	hpmviz/source/sourcetab.c hpmviz/source/sourcetab.h \
	hpmviz/source/sourcetext.c hpmviz/source/sourcetext.h \
	hpmviz/trees/scalelegend.c hpmviz/trees/scalelegend.h \
	hpmviz/trees/swatch.c hpmviz/trees/swatch.h \
	hpmviz/trees/treepane.c hpmviz/trees/treepane.h \
	hpmviz/trees/treesdialog.c hpmviz/trees/treesdialog.h \
	hpmviz/trees/treeswindow.c hpmviz/trees/treeswindow.h \
	hpmviz/widgets/cell.c hpmviz/widgets/cell.h \
	hpmviz/widgets/cellaccessible.c hpmviz/widgets/cellaccessible.h \
	hpmviz/widgets/columnmenu.c hpmviz/widgets/columnmenu.h \
	hpmviz/widgets/columns.c hpmviz/widgets/columns.h \
	hpmviz/widgets/errordialog.c hpmviz/widgets/errordialog.h \
	hpmviz/widgets/escape.c hpmviz/widgets/escape.h \
	hpmviz/widgets/filechooser.c hpmviz/widgets/filechooser.h \
	hpmviz/widgets/hintbar.c hpmviz/widgets/hintbar.h \
	hpmviz/widgets/looks.c hpmviz/widgets/looks.h \
	hpmviz/widgets/notebook.c hpmviz/widgets/notebook.h \
	hpmviz/widgets/notice.c hpmviz/widgets/notice.h \
	hpmviz/widgets/restrictionbar.c hpmviz/widgets/restrictionbar.h \
	hpmviz/widgets/rowmodel.c hpmviz/widgets/rowmodel.h \
	hpmviz/widgets/rowtip.c hpmviz/widgets/rowtip.h \
	hpmviz/widgets/safetext.c hpmviz/widgets/safetext.h \
	hpmviz/widgets/tablecolumn.c hpmviz/widgets/tablecolumn.h \
	hpmviz/widgets/textaccessible.c hpmviz/widgets/textaccessible.h \
	hpmviz/widgets/windowsize.c hpmviz/widgets/windowsize.h

hpmviz_hpmviz_CPPFLAGS = $(hpmviz_CPPFLAGS)
hpmviz_hpmviz_CFLAGS = $(hpmviz_CFLAGS)
hpmviz_hpmviz_SOURCES = hpmviz/shell/main.c
nodist_hpmviz_hpmviz_SOURCES = hpmviz/resources.c
hpmviz_hpmviz_LDADD = hpmviz/libviz.la -lpthread

hpmviz/resources.c: $(viz_templates) hpmviz/hpmviz.gresource.xml
	$(AM_V_GEN)$(MKDIR_P) hpmviz && $(GLIB_COMPILE_RESOURCES) \
		--sourcedir=$(srcdir)/hpmviz --generate-source --target=$@ \
		$(srcdir)/hpmviz/hpmviz.gresource.xml
CLEANFILES += hpmviz/resources.c

# Most of a compilation of the viewer reads GTK's headers.  Here they are read once,
# and whether a file includes what it needs is not seen: that is why only builds for
# tests do it, beside another one which does not.
if PRECOMPILED_HEADERS
hpmviz_CFLAGS += -include hpmviz/gtkheaders.h
BUILT_SOURCES += hpmviz/gtkheaders.h.gch
CLEANFILES += hpmviz/gtkheaders.h hpmviz/gtkheaders.h.gch
endif
hpmviz/gtkheaders.h.gch: config.status
	$(AM_V_GEN)$(MKDIR_P) hpmviz && \
	printf '#include <%s>\n' gtk/gtk.h gtksourceview/gtksource.h \
		glib/gi18n.h gio/gio.h >hpmviz/gtkheaders.h && \
	$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(hpmviz_CPPFLAGS) $(CPPFLAGS) \
		$(AM_CFLAGS) $(GTK_CFLAGS) $(X11_CFLAGS) $(CFLAGS) \
		-x c-header -o $@-t hpmviz/gtkheaders.h && mv $@-t $@
endif

viz_templates = \
	hpmviz/measure/measurepane.ui \
	hpmviz/metrics/legend.ui \
	hpmviz/metrics/metricsinfo.ui \
	hpmviz/metrics/metricsmenus.ui \
	hpmviz/metrics/metricspane.ui \
	hpmviz/metrics/metricssummary.ui \
	hpmviz/metrics/metricstable.ui \
	hpmviz/metrics/metricswindow.ui \
	hpmviz/places/placeswindow.ui \
	hpmviz/runs/runsbar.ui \
	hpmviz/runs/trendwindow.ui \
	hpmviz/sections/sectionspane.ui \
	hpmviz/shell/menus.ui \
	hpmviz/shell/preferencesdialog.ui \
	hpmviz/shell/shortcuts.ui \
	hpmviz/shell/window.ui \
	hpmviz/shell/wordlist.ui \
	hpmviz/source/findbar.ui \
	hpmviz/source/sourcepane.ui \
	hpmviz/source/sourcetab.ui \
	hpmviz/widgets/hintbar.ui
EXTRA_DIST += hpmviz/hpmviz.gresource.xml $(viz_templates)
