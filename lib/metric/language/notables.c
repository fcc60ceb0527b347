/* SPDX-License-Identifier: BSD-3-Clause
 * Empty tables, for a build that can make none: then definitions are read from
 * text. */
#include "metric/language/tables.h"

const size_t hpm_tables_n_files = 0;
const struct hpm_tables_file hpm_tables_files[1] = {{0}};
const struct hpm_tables_text hpm_tables_texts[1] = {{0}};
const char hpm_tables_pool[1] = {0};
const struct hpm_tables_statement hpm_tables_statements[1] = {{0}};
const struct hpm_tables_attribute hpm_tables_attributes[1] = {{0}};
const struct hpm_tables_term hpm_tables_terms[1] = {{0}};
const struct hpm_tables_op hpm_tables_ops[1] = {{0}};
const double hpm_tables_numbers[1] = {0};
const struct hpm_tables_arch hpm_tables_arches[1] = {{0}};
const uint16_t hpm_tables_pmus[1] = {0};
