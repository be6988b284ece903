/*
 * compare_cores.cpp - runs a program on cores, side by side in threads, and compares them. In C++.
 *
 *     ./compare_cores program.elf [CORE...]
 *
 * Without cores, on all built-in ones that run such programs.
 */
#include <gumshoe/gumshoe.h>

#include <cinttypes>
#include <cstdio>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T, void (*free)(T *)> struct deleter {
    void operator()(T *object) const
    {
        free(object);
    }
};
template <typename T, void (*free)(T *)> using owned = std::unique_ptr<T, deleter<T, free>>;
using core_ptr = owned<gs_core, gs_core_free>;
using image_ptr = owned<gs_image, gs_image_free>;
using machine_ptr = owned<gs_machine, gs_machine_free>;
using timing_ptr = owned<gs_timing, gs_timing_free>;

static void check(gs_status status, const gs_error &err)
{
    if (status != GS_OK)
        throw std::runtime_error(err.message);
}

static core_ptr open_core(const std::string &name)
{
    gs_core *core;
    gs_error err;
    check(gs_core_open(&core, name.c_str(), nullptr, 0, &err), err);
    return core_ptr(core);
}

struct result {
    std::string core;
    std::uint64_t instructions, cycles, clock_hz;
};

/* An image is read-only, so all threads share it; everything else is the thread's own. */
static result run(const gs_image *image, const std::string &name)
{
    gs_error err;
    core_ptr core = open_core(name);
    gs_machine_options options = gs_machine_options_default();
    gs_core_configure(core.get(), &options);
    gs_machine *opened_machine;
    check(gs_machine_open(&opened_machine, image, &options, &err), err);
    machine_ptr machine(opened_machine);
    gs_timing *opened_timing;
    check(gs_timing_open(&opened_timing, core.get(), machine.get(), &err), err);
    timing_ptr timing(opened_timing);
    gs_run_options how = {};
    how.timing = timing.get();
    check(gs_run(machine.get(), &how, &err), err);
    return {name, gs_machine_instructions(machine.get()), gs_timing_cycles(timing.get()),
            gs_core_clock_hz(core.get())};
}

static void compare(const char *program, std::vector<std::string> cores)
{
    const bool all = cores.empty();
    gs_image *opened;
    gs_error err;
    check(gs_image_open(&opened, program, &err), err);
    image_ptr image(opened);
    for (std::size_t i = 0; all && i < gs_core_count(); i++) {
        if (gs_core_runs(open_core(gs_core_builtin(i)).get(), gs_image_arch(image.get())))
            cores.push_back(gs_core_builtin(i));
    }
    std::vector<std::future<result>> runs;
    for (const std::string &core : cores)
        runs.push_back(std::async(std::launch::async, run, image.get(), core));
    std::vector<result> results;
    for (std::future<result> &one : runs)
        results.push_back(one.get());
    std::printf("%-16s %12s %12s %8s %10s\n", "core", "instructions", "cycles", "CPI", "ms");
    for (const result &r : results) {
        std::printf("%-16s %12" PRIu64 " %12" PRIu64 " %8.3f %10.3f\n", r.core.c_str(),
                    r.instructions, r.cycles, double(r.cycles) / double(r.instructions),
                    1e3 * double(r.cycles) / double(r.clock_hz));
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: compare_cores PROGRAM [CORE...]\n");
        return 1;
    }
    try {
        compare(argv[1], {argv + 2, argv + argc});
        return std::fflush(stdout) == 0 ? 0 : 1;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "compare_cores: %s\n", e.what());
        return 1;
    }
}
