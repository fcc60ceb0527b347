/* SPDX-License-Identifier: BSD-3-Clause
 * Facts on the processor, of texts as kernels write them in /proc/cpuinfo. */
#include "source/machine/cpuinfo.c"

#include "tap.h"

static const char of_x86[] = "processor\t: 0\n"
                             "vendor_id\t: GenuineIntel\n"
                             "cpu family\t: 6\n"
                             "model\t\t: 143\n"
                             "model name\t: Intel(R) Xeon(R) Platinum 8480+\n"
                             "stepping\t: 8\n"
                             "flags\t\t: fpu fma4 fma hypervisors hypervisor\n"
                             "power management:\n\n"
                             "processor\t: 1\n"
                             "vendor_id\t: Other\n";

static const char of_arm[] = "processor\t: 0\n"
                             "CPU implementer\t: 0x41\n"
                             "CPU architecture: 8\n"
                             "CPU variant\t: 0x3\n"
                             "CPU part\t: 0xd0c\n"
                             "CPU revision\t: 1\n";

static const char of_power[] = "processor\t: 0\n"
                               "cpu\t\t: POWER9 (architected)\n"
                               "revision\t: 2.2 (pvr 004e 1202)\n";

static void
read_text(const char *text)
{
    cpuinfo = (struct hpm_cpuinfo){.name = ""};
    read_name(text);
    read_model(text);
    read_identity(text);
    read_flags(text);
}

static void
test_x86(void)
{
    read_text(of_x86);
    is_text(cpuinfo.name, "Intel(R) Xeon(R) Platinum 8480+", "a model's name");
    is_text(cpuinfo.model, "GenuineIntel family 6 model 143",
            "the numbers of the first processor");
    ok(cpuinfo.has_flags, "x86 has flags");
    ok(cpuinfo.is_virtual, "a processor of a virtual machine");
    ok(cpuinfo.has_multiply_add, "it multiplies and adds at once");
#if defined(__x86_64__) || defined(__i386__)
    is_text(cpuinfo.identity, "GenuineIntel-6-8F-8", "its identity");
    read_text("vendor_id : GenuineIntel\ncpu family : 6\nmodel : 143\n");
    is_text(cpuinfo.identity, "", "no identity without all its parts");
#endif
    read_text("flags : fpu fma4 hypervisors");
    ok(cpuinfo.has_flags && !cpuinfo.is_virtual && !cpuinfo.has_multiply_add,
       "a part of a flag's name is not the flag");
    read_text("flags : hypervisor fma\nbugs : x\n");
    ok(cpuinfo.is_virtual && cpuinfo.has_multiply_add,
       "the first flag, and the last one");
    read_text("flags : fpu\nbugs : fma hypervisor\n");
    ok(!cpuinfo.is_virtual && !cpuinfo.has_multiply_add,
       "other lines are no flags");
}

static void
test_others(void)
{
    read_text(of_arm);
    is_text(cpuinfo.name, "", "Arm has no name");
    is_text(cpuinfo.model, "implementer 0x41 part 0xd0c", "Arm has numbers");
    ok(!cpuinfo.has_flags && !cpuinfo.is_virtual, "Arm has no flags");
#if defined(__aarch64__)
    is_text(cpuinfo.identity, "MIDR-413fd0c1", "its identity");
#endif
    read_text(of_power);
    is_text(cpuinfo.name, "POWER9 (architected)", "POWER has a name");
    is_text(cpuinfo.model, "POWER9 (architected)", "which is its model");
    read_text("Model : Raspberry Pi 4\n");
    is_text(cpuinfo.name, "Raspberry Pi 4", "the board's name");
    is_text(cpuinfo.model, "", "is no processor's");
    read_text("vendor_id : X\ncpu family : 6\n");
    is_text(cpuinfo.model, "", "no model without all its numbers");
    read_text("");
    ok(cpuinfo.name[0] == '\0' && cpuinfo.model[0] == '\0' &&
           cpuinfo.identity[0] == '\0' && !cpuinfo.has_flags,
       "nothing is known of an empty file");
}

static void
test_lines(void)
{
    read_text("xcpu : a\ncpux : b\ncpu  \t: c");
    is_text(cpuinfo.name, "c", "a key is a whole one; the last line counts");
    read_text("cpu : a\ncpu : b\n");
    is_text(cpuinfo.name, "a", "of two lines the first one");
    read_text("cpu :\nModel : b\n");
    is_text(cpuinfo.name, "", "a key without a value is there");
}

int
main(void)
{
    test_x86();
    test_others();
    test_lines();
    return done();
}
