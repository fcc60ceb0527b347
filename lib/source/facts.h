/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about a machine that definitions of metrics ask for. */
#ifndef HPM_SOURCE_FACTS_H
#define HPM_SOURCE_FACTS_H

#include "base/string.h"

/* Add the facts known here, "L2 L3 no-SMT FMA no-VM no-NUMA": caches of level 2
 * and 3, several hardware threads per core, multiply-add instructions, a
 * virtual machine, several memory nodes; and numbers, "LINE=64 L2_SIZE=1048576
 * L3_SIZE=33554432 WIDTH=8 VECTOR_BYTES=32": bytes of a cache line, of the
 * first processor's caches and of a scalable vector, operations per cycle; and
 * the facts that hpm doctor has kept (kept.h). */
void hpm_facts_add(struct hpm_string *string) __attribute__((cold));

#endif
