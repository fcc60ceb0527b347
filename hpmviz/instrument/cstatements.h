/* SPDX-License-Identifier: BSD-3-Clause
 * Are tokens of C or C++ whole statements, and do they end where they end?  */
#ifndef HPMVIZ_INSTRUMENT_CSTATEMENTS_H
#define HPMVIZ_INSTRUMENT_CSTATEMENTS_H

#include "hpmviz/instrument/ctokens.h"

/* Are the tokens from `first` up to but without `end` whole statements of a
 * block?  FALSE, with a reason for the user, if not.  With `may_not_leave` also
 * if they can be left by return, break, continue, goto or throw; "exit" ends
 * the program and is no such way.
 *
 * What a macro expands to nobody knows here: a name with parentheses and a
 * block behind them is taken for a loop. */
gboolean hpmviz_cstatements_check(const struct hpmviz_ctokens *tokens,
                                  guint first, guint end,
                                  gboolean may_not_leave, GError **error);

/* The token behind the statement that begins at this one, with what belongs to
 * it; HPMVIZ_NO_TOKEN where that cannot be told. */
guint hpmviz_cstatements_behind(const struct hpmviz_ctokens *tokens,
                                guint first);

/* Is the "while" at a token the end of a "do"?  `around` is the brace around
 * it. */
gboolean hpmviz_cstatements_is_end_of_do(const struct hpmviz_ctokens *tokens,
                                         guint around, guint i);

/* Does no "goto" of the function, whose body begins at the token `body`, lead
 * into these tokens from outside, or out of them? */
gboolean hpmviz_cstatements_check_labels(const struct hpmviz_ctokens *tokens,
                                         guint body, guint first, guint end,
                                         gboolean may_not_leave,
                                         GError **error);

#endif
