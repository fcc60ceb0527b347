// SPDX-License-Identifier: BSD-3-Clause
// libhpm for C++: sections that end with their scope, however it is left
// (return, break, an exception).  C++11, header only; link with libhpm.
//
//     #include <libhpm.hpp>
//
//     void solve()
//     {
//         HPM_SECTION(1, "solve");
//         for (int i = 0; i < n; i++) {
//             HPM_SECTION(2, "smooth");
//             smooth();
//         }
//     }
//
// This header includes libhpm.h.
#ifndef LIBHPM_HPP
#define LIBHPM_HPP

#include <libhpm.h>

#include <string>

namespace hpm
{

// A section that is open while the object lives; see thread_section and
// process_section.  stop() ends the section before its scope does.
template <void Start(int, const char *, const char *, int),
          void Stop(int, const char *, int)>
class section
{
public:
    // id     number of the section.
    // label  its name, NULL for none; copied.
    // file   source file, NULL for none.
    // line   line in the file, 0 for none.
    explicit section(int id, const char *label = nullptr,
                     const char *file = nullptr, int line = 0) noexcept
        : id_(id), file_(file), is_open_(true)
    {
        Start(id, label, file, line);
    }

    section(int id, const std::string &label, const char *file = nullptr,
            int line = 0) noexcept
        : section(id, label.c_str(), file, line)
    {
    }

    // HPM_SECTION uses this: with a call site, or NULL (see libhpm.h).
    section(hpm_call_site *site, int id, const char *label, const char *file,
            int line) noexcept
        : id_(id), file_(file), is_open_(true)
    {
        if (site != nullptr)
            hpmTstartSite(id, site);
        else
            Start(id, label, file, line);
    }

    section(hpm_call_site *site, int id, const std::string &label,
            const char *file, int line) noexcept
        : section(site, id, label.c_str(), file, line)
    {
    }

    // The end of a scope has no line: the record's last line is 0 unless stop()
    // gives one.  Sections of the thread that are open inside end here, too:
    // an exception may have left them open (see HPM_NESTING,
    // hpm-environment(7)).
    ~section()
    {
        stop(HPM_SCOPE_END);
    }

    // End the section now, unless it has ended.
    void stop(int line = 0) noexcept
    {
        if (is_open_)
            Stop(id_, file_, line);
        is_open_ = false;
    }

    section(const section &) = delete;
    section &operator=(const section &) = delete;

private:
    int id_;
    const char *file_;
    bool is_open_;
};

// The text of a label: a constant if the label is a literal.
constexpr const char *text_of(const char *label)
{
    return label;
}

inline const char *text_of(const std::string &label)
{
    return label.c_str();
}

#ifdef HPM_OFF
inline void no_start(int, const char *, const char *, int)
{
}

inline void no_stop(int, const char *, int)
{
}

typedef section<no_start, no_stop> thread_section;
typedef section<no_start, no_stop> process_section;
#else
// A section of the calling thread (hpmTstart), which must also end the section:
// make the object a local variable.
typedef section<hpmTstartAt, hpmTstopAt> thread_section;

// A section of the whole process (hpmStart); any thread may end it.
typedef section<hpmStartAt, hpmStopAt> process_section;
#endif

} // namespace hpm

// The label if it is a literal, else NULL.
#if defined(__GNUC__) && !defined(HPM_NO_SITES)
#define HPM_TEXT_(label)                                                       \
    (__builtin_constant_p(::hpm::text_of(label)) ? ::hpm::text_of(label)       \
                                                 : nullptr)
#else
#define HPM_TEXT_(label) nullptr
#endif

// A section from here to the end of the scope, with file and line.  With
// -DHPM_OFF nothing of it is compiled, and no argument is evaluated.
#ifdef HPM_OFF
#define HPM_SECTION(id, label) static_cast<void>(0)
#define HPM_PROCESS_SECTION(id, label) static_cast<void>(0)
#else
#define HPM_PASTE_(a, b) a##b
#define HPM_NAME_(line) HPM_PASTE_(hpm_section_, line)
#define HPM_SITE_(line) HPM_PASTE_(hpm_site_of_section_, line)
#define HPM_SECTION(id, label)                                                 \
    HPM_SECTION_BY_SITE_(HPM_TEXT_(label), id, label)
#define HPM_SECTION_BY_SITE_(literal, id, name)                                \
    static ::hpm_call_site HPM_SITE_(__LINE__) = {literal, __FILE__, __LINE__, \
                                                  0};                          \
    const ::hpm::thread_section HPM_NAME_(__LINE__)(                           \
        HPM_SITE_(__LINE__).label != nullptr ? &HPM_SITE_(__LINE__) : nullptr, \
        (id), (name), __FILE__, __LINE__)
#define HPM_PROCESS_SECTION(id, label)                                         \
    const ::hpm::process_section HPM_NAME_(__LINE__)((id), (label), __FILE__,  \
                                                     __LINE__)
#endif

// A thread section, likewise, with the function's name as label.
#ifdef HPM_OFF
#define HPM_FUNCTION(id) static_cast<void>(0)
#elif defined(HPM_NO_SITES)
#define HPM_FUNCTION(id) HPM_SECTION(id, __func__)
#else
#define HPM_FUNCTION(id) HPM_SECTION_BY_SITE_(__func__, id, __func__)
#endif

#endif
