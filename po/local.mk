# SPDX-License-Identifier: BSD-3-Clause
# Translations of hpmviz, hpmcount and hpm: po/LANGUAGE.po, named in LINGUAS below.
# Building needs msgfmt only where there are some, and it.

LINGUAS = de

EXTRA_DIST += po/POTFILES.in po/composed.c po/definitions.awk po/helps.c \
	$(LINGUAS:%=po/%.po)

# What has texts for people, and in which argument.
XGETTEXT_KEYWORDS = --keyword=_ --keyword=N_ --keyword=hpm_words_of:1,2 \
	--keyword=hpm_error_set:2 --keyword=say:1 --keyword=hpm_obstacle_set:4 \
	--keyword=hpm_event_refuse:2 --keyword=hpm_meter_fail:4 \
	--keyword=subcommand_say:2 --keyword=hpm_account_say:2 \
	--keyword=findings_add:5 --keyword=hpm_notes_add:2 \
	--keyword=hpm_xmlguard_stop:3 --keyword=hpm_spec_complain:3 \
	--keyword=recovery_note:3

# The texts to translate, from the sources and from definitions of metrics.
update-pot:
	cd $(srcdir) && LC_ALL=C $(AWK) -f po/definitions.awk metrics/*.hpm \
		metrics/models/*.hpm > $(abs_builddir)/definitions.c && \
	{ sed '/^#/d' po/POTFILES.in && ls hpm/*.c && \
		echo $(abs_builddir)/definitions.c; } | \
	$(XGETTEXT) --package-name=hpm-toolkit --package-version=$(VERSION) \
		--from-code=UTF-8 $(XGETTEXT_KEYWORDS) --files-from=- \
		--output=$(abs_builddir)/hpm-toolkit.pot
.PHONY: update-pot
CLEANFILES += hpm-toolkit.pot definitions.c

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
