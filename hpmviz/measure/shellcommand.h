/* SPDX-License-Identifier: BSD-3-Clause
 * Where in a command of the shell the program stands that is to be measured. */
#ifndef HPMVIZ_MEASURE_SHELLCOMMAND_H
#define HPMVIZ_MEASURE_SHELLCOMMAND_H

#include <glib.h>

/* The last command of a list such as "make -s && A=1 ./work 100" is the one that
 * runs the program; or, where the user has written hpmcount before the program
 * (as behind a launcher), what follows that. */
struct hpmviz_shellcommand {
    char *preparation; /* what comes before the last command: "make -s"; empty
                          for none */
    char *program;     /* the program's word without quotes: "./work" */
    gsize at;          /* the byte where text can be put in before the program,
                          or before the first option of the user's hpmcount */
    gboolean has_hpmcount; /* the user has written hpmcount before it */
};

/* FALSE, with a reason for the user, where the command ends with something else
 * than a program and its arguments. */
gboolean hpmviz_shellcommand_read(const char *command,
                                  struct hpmviz_shellcommand *ret_command,
                                  GError **error);
void hpmviz_shellcommand_clear(struct hpmviz_shellcommand *command);

#endif
