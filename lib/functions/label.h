/* SPDX-License-Identifier: BSD-3-Clause
 * What a function is called: by the linker, and by people. */
#ifndef HPM_FUNCTIONS_LABEL_H
#define HPM_FUNCTIONS_LABEL_H

#include <stddef.h>

/* Names by which a user may ask for a function. */
enum { HPM_LABEL_FORMS = 4 };

struct hpm_label {
    char *shown; /* the name for reports: C++ demangled, with its arguments and
                  * the template's; Fortran as module::procedure */
    char *plain; /* of C++ without result and arguments; may be NULL */
    const char *forms[HPM_LABEL_FORMS + 1]; /* all names, ended by NULL */
};

/* Once, before other threads: find the program's C++ run time. */
void hpm_label_init(void);

/* Find the names of the function with this linkage name, which must outlive the
 * label.  Where memory runs out, or the program has no C++ run time to demangle
 * by, the linkage name stands for all.  Hold no lock: it calls malloc and walks
 * through the loaded objects. */
void hpm_label_make(struct hpm_label *label, const char *linkage);
void hpm_label_clear(struct hpm_label *label);

#endif
