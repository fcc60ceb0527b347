# SPDX-License-Identifier: BSD-3-Clause
# What tells a desktop of the viewer.

desktop_files = data/org.hpmtoolkit.hpmviz.desktop
metainfo_files = data/org.hpmtoolkit.hpmviz.metainfo.xml
mime_files = data/hpm-toolkit.xml
icon_files = data/org.hpmtoolkit.hpmviz.svg
symbolic_icon_files = data/org.hpmtoolkit.hpmviz-symbolic.svg
EXTRA_DIST += $(desktop_files) $(metainfo_files) $(mime_files) $(icon_files) \
	$(symbolic_icon_files)

if HAVE_GTK
desktopdir = $(datadir)/applications
desktop_DATA = $(desktop_files)
metainfodir = $(datadir)/metainfo
metainfo_DATA = $(metainfo_files)
mimedir = $(datadir)/mime/packages
mime_DATA = $(mime_files)
iconsdir = $(datadir)/icons/hicolor/scalable/apps
icons_DATA = $(icon_files)
symboliciconsdir = $(datadir)/icons/hicolor/symbolic/apps
symbolicicons_DATA = $(symbolic_icon_files)
endif
