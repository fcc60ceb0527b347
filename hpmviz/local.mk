# SPDX-License-Identifier: BSD-3-Clause
# libviz is all of the viewer but main: its tests link it.

if HAVE_GTK
bin_PROGRAMS += hpmviz/hpmviz
noinst_LTLIBRARIES += hpmviz/libviz.la

hpmviz_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) \
	-DGETTEXT_PACKAGE='"hpm-toolkit"' -DMANDIR='"$(mandir)"' \
	-DLOCALEDIR='"$(localedir)"'
hpmviz_CFLAGS = $(AM_CFLAGS) $(GTK_CFLAGS) $(X11_CFLAGS)

hpmviz_libviz_la_CPPFLAGS = $(hpmviz_CPPFLAGS)
hpmviz_libviz_la_CFLAGS = $(hpmviz_CFLAGS)
hpmviz_libviz_la_LIBADD = lib/libstudy.la lib/libcore.la \
	$(GTK_LIBS) $(X11_LIBS)
hpmviz_libviz_la_SOURCES = \
	hpmviz/advice.c hpmviz/advice.h \
	hpmviz/bracketgutter.c hpmviz/bracketgutter.h \
	hpmviz/cell.c hpmviz/cell.h \
	hpmviz/cellaccessible.c hpmviz/cellaccessible.h \
	hpmviz/columnmenu.c hpmviz/columnmenu.h \
	hpmviz/columns.c hpmviz/columns.h \
	hpmviz/commands.c hpmviz/commands.h \
	hpmviz/csvjob.c hpmviz/csvjob.h \
	hpmviz/document.c hpmviz/document.h \
	hpmviz/drawing.c hpmviz/drawing.h \
	hpmviz/editor.c hpmviz/editor.h \
	hpmviz/editordialog.c hpmviz/editordialog.h \
	hpmviz/export.c hpmviz/export.h \
	hpmviz/facts.c hpmviz/facts.h \
	hpmviz/filecommands.c hpmviz/filecommands.h \
	hpmviz/findbar.c hpmviz/findbar.h \
	hpmviz/glossary.c hpmviz/glossary.h \
	hpmviz/habits.c hpmviz/habits.h \
	hpmviz/headless.c hpmviz/headless.h \
	hpmviz/heat.c hpmviz/heat.h \
	hpmviz/heatgutter.c hpmviz/heatgutter.h \
	hpmviz/help.c hpmviz/help.h \
	hpmviz/hintbar.c hpmviz/hintbar.h \
	hpmviz/history.c hpmviz/history.h \
	hpmviz/identity.c hpmviz/identity.h \
	hpmviz/lastwords.c hpmviz/lastwords.h \
	hpmviz/legend.c hpmviz/legend.h \
	hpmviz/loader.c hpmviz/loader.h \
	hpmviz/locating.c hpmviz/locating.h \
	hpmviz/looks.c hpmviz/looks.h \
	hpmviz/metricsinfo.c hpmviz/metricsinfo.h \
	hpmviz/metricssummary.c hpmviz/metricssummary.h \
	hpmviz/metricstable.c hpmviz/metricstable.h \
	hpmviz/metricswindow.c hpmviz/metricswindow.h \
	hpmviz/minimap.c hpmviz/minimap.h \
	hpmviz/notebook.c hpmviz/notebook.h \
	hpmviz/notice.c hpmviz/notice.h \
	hpmviz/notices.c hpmviz/notices.h \
	hpmviz/palette.c hpmviz/palette.h \
	hpmviz/parts.c hpmviz/parts.h \
	hpmviz/picture.c hpmviz/picture.h \
	hpmviz/preferences.c hpmviz/preferences.h \
	hpmviz/preferencesdialog.c hpmviz/preferencesdialog.h \
	hpmviz/recovery.c hpmviz/recovery.h \
	hpmviz/rowmodel.c hpmviz/rowmodel.h \
	hpmviz/safetext.c hpmviz/safetext.h \
	hpmviz/saving.c hpmviz/saving.h \
	hpmviz/sectioncolumns.c hpmviz/sectioncolumns.h \
	hpmviz/sectionfilter.c hpmviz/sectionfilter.h \
	hpmviz/sectionmenu.c hpmviz/sectionmenu.h \
	hpmviz/sectionmetric.c hpmviz/sectionmetric.h \
	hpmviz/sectionspane.c hpmviz/sectionspane.h \
	hpmviz/sectiontable.c hpmviz/sectiontable.h \
	hpmviz/session.c hpmviz/session.h \
	hpmviz/sheet.c hpmviz/sheet.h \
	hpmviz/sourcecommands.c hpmviz/sourcecommands.h \
	hpmviz/sourcefile.c hpmviz/sourcefile.h hpmviz/sourcefilesave.c \
	hpmviz/sourcelines.c hpmviz/sourcelines.h \
	hpmviz/sourcelook.c hpmviz/sourcelook.h \
	hpmviz/sourcepane.c hpmviz/sourcepane.h \
	hpmviz/sourceplace.c hpmviz/sourceplace.h \
	hpmviz/sources.c hpmviz/sources.h \
	hpmviz/sourcetab.c hpmviz/sourcetab.h \
	hpmviz/sourcetext.c hpmviz/sourcetext.h \
	hpmviz/spread.c hpmviz/spread.h \
	hpmviz/statusline.c hpmviz/statusline.h \
	hpmviz/story.c hpmviz/story.h \
	hpmviz/tablecolumn.c hpmviz/tablecolumn.h \
	hpmviz/taskchooser.c hpmviz/taskchooser.h \
	hpmviz/viewcommands.c hpmviz/viewcommands.h \
	hpmviz/watcher.c hpmviz/watcher.h \
	hpmviz/window.c hpmviz/window.h \
	hpmviz/wordlist.c hpmviz/wordlist.h

hpmviz_hpmviz_CPPFLAGS = $(hpmviz_CPPFLAGS)
hpmviz_hpmviz_CFLAGS = $(hpmviz_CFLAGS)
hpmviz_hpmviz_SOURCES = hpmviz/main.c
nodist_hpmviz_hpmviz_SOURCES = hpmviz/resources.c
hpmviz_hpmviz_LDADD = hpmviz/libviz.la -lpthread

hpmviz/resources.c: $(viz_templates) hpmviz/hpmviz.gresource.xml
	$(AM_V_GEN)$(MKDIR_P) hpmviz && $(GLIB_COMPILE_RESOURCES) \
		--sourcedir=$(srcdir)/hpmviz --generate-source --target=$@ \
		$(srcdir)/hpmviz/hpmviz.gresource.xml
CLEANFILES += hpmviz/resources.c
endif

viz_templates = hpmviz/findbar.ui hpmviz/hintbar.ui hpmviz/legend.ui \
	hpmviz/menus.ui \
	hpmviz/metricsinfo.ui hpmviz/metricsmenus.ui hpmviz/metricssummary.ui \
	hpmviz/metricstable.ui hpmviz/metricswindow.ui \
	hpmviz/preferencesdialog.ui hpmviz/sectionspane.ui hpmviz/shortcuts.ui \
	hpmviz/sourcepane.ui hpmviz/sourcetab.ui hpmviz/window.ui \
	hpmviz/wordlist.ui
EXTRA_DIST += hpmviz/hpmviz.gresource.xml $(viz_templates)
