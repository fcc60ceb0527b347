# SPDX-License-Identifier: BSD-3-Clause
# Translations of the viewer: po/LANGUAGE.po, named in LINGUAS below.  Building
# needs msgfmt only where there are some, and it.

LINGUAS = de

EXTRA_DIST += po/POTFILES.in $(LINGUAS:%=po/%.po)

# The texts to translate, from the sources.
update-pot:
	cd $(srcdir) && sed '/^#/d' po/POTFILES.in | $(XGETTEXT) \
		--package-name=hpm-toolkit --package-version=$(VERSION) \
		--from-code=UTF-8 --keyword=_ --keyword=N_ --files-from=- \
		--output=$(abs_builddir)/hpm-toolkit.pot
.PHONY: update-pot
CLEANFILES += hpm-toolkit.pot

if HAVE_MSGFMT
catalogues = $(LINGUAS:%=po/%.mo)
.po.mo:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(MSGFMT) --check -o $@ $<
noinst_DATA = $(catalogues)
CLEANFILES += $(catalogues)
install-data-local: $(catalogues)
	for catalogue in $(catalogues); do \
		language=`basename $$catalogue .mo`; \
		folder="$(DESTDIR)$(localedir)/$$language/LC_MESSAGES"; \
		$(MKDIR_P) "$$folder" && $(INSTALL_DATA) $$catalogue \
			"$$folder/hpm-toolkit.mo" || exit 1; \
	done
uninstall-local:
	for catalogue in $(catalogues); do \
		language=`basename $$catalogue .mo`; \
		rm -f "$(DESTDIR)$(localedir)/$$language/LC_MESSAGES/hpm-toolkit.mo"; \
	done
endif
