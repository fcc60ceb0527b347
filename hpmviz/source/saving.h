/* SPDX-License-Identifier: BSD-3-Clause
 * Saving a source together with the user: what stands in the way is said in a
 * notice, with what can be done about it.  The text stays until it is saved.
 */
#ifndef HPMVIZ_SOURCE_SAVING_H
#define HPMVIZ_SOURCE_SAVING_H

#include "hpmviz/source/document.h"
#include "hpmviz/widgets/notice.h"

struct hpmviz_saving {
    HpmvizDocument *document;   /* all borrowed */
    HpmvizNotice *notice;       /* what is in the way of saving */
    HpmvizNotice *draft_notice; /* what a viewer that is gone left */
    enum hpmviz_way way;        /* of the next try */
    gboolean is_forced;
    struct hpmviz_savinglink *link; /* to it, from what threads do */
    gboolean is_looking, looks_again;
};

/* It hears of nothing more that threads do. */
void hpmviz_saving_clear(struct hpmviz_saving *saving);

/* Save; FALSE, and the notice says why and how it can be, when that fails or is
 * to be asked. */
gboolean hpmviz_saving_save(struct hpmviz_saving *saving);

/* Ask for a name, and save as that when the user has given one. */
void hpmviz_saving_save_as(struct hpmviz_saving *saving);

/* Let a thread look whether another program wrote or removed the file; if one did,
 * ask what is to be of it. */
void hpmviz_saving_look(struct hpmviz_saving *saving);

/* Offer what a viewer that is gone left of the file, if one did. */
void hpmviz_saving_offer_draft(struct hpmviz_saving *saving);

#endif
