/*
 * Mistakes in core descriptions: each is one line with file, line, key and what would be allowed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/core.h"

#define SEQUENTIAL "isa: rv32im\nclock_hz: 1000000\npipeline: sequential\n"
#define VLIW       "isa: rv32im\nclock_hz: 1\npipeline: vliw\n"
#define CLASSIC    "isa: rv32im\nclock_hz: 1000\npipeline: classic\n"
#define TIGER      "isa: mips1\nclock_hz: 1000\npipeline: tiger\n"
#define CACHE      "{size: 1K, line: 16}"

/* "..." at the end of what is wanted stands for anything. */
static void assert_message(char *message, const char *wanted)
{
    size_t length = strlen(wanted);
    if (length > 3 && !strcmp(wanted + length - 3, "...") && strlen(message) > length)
        strcpy(message + length - 3, "...");
    assert_string_equal(message, wanted);
}

static void assert_refused(const char *text, const char *message)
{
    gs_core *core;
    gs_error err;
    if (gs_core_parse(&core, "t.yaml", text, strlen(text), NULL, 0, &err) == GS_OK)
        fail_msg("this was read without a complaint:\n%s", text);
    assert_null(core);
    assert_message(err.message, message);
}

static void assert_set_refused(const char *name, const char *set, const char *message)
{
    gs_core *core;
    gs_error err;
    char wanted[600];
    snprintf(wanted, sizeof wanted, "--set %s: %s", set, message);
    if (gs_core_open(&core, name, &set, 1, &err) == GS_OK)
        fail_msg("this was set without a complaint: %s", set);
    assert_null(core);
    assert_message(err.message, wanted);
}

static void test_not_yaml(void **state)
{
    (void)state;
    assert_refused("", "t.yaml: there is nothing in it");
    assert_refused("\n# nothing\n", "t.yaml: there is nothing in it");
    assert_refused("isa: [", "t.yaml:2: not YAML: did not find expected node content while "
                             "parsing a flow node");
    assert_refused("a: b: c", "t.yaml:1: not YAML: mapping values are not allowed in this context");
    assert_refused("\x7f"
                   "ELF\x01\x01\x01",
                   "t.yaml:1: not YAML: control characters are not allowed");
    assert_refused("just text\n", "t.yaml:1: keys belong here, not a single value; allowed: name, "
                                  "summary, evidence, extends, verified, ...");
    assert_refused("- a\n- b\n", "t.yaml:1: keys belong here, not a list; allowed: name, ...");
    assert_refused("size: 3\n", "t.yaml:1: unknown key 'size'; allowed: name, summary, ...");
    assert_refused(SEQUENTIAL "name: &n x\nsummary: *n\n",
                   "t.yaml:4: YAML anchors (&name) and aliases (*name) are not supported here");
    assert_refused(SEQUENTIAL "---\n" SEQUENTIAL, "t.yaml:4: a second document begins here");
}

static void test_keys(void **state)
{
    (void)state;
    assert_refused(CLASSIC "dcache:\n  size: 1K\n  line: 16\n  lines: 3\n",
                   "t.yaml:7: dcache: unknown key 'lines'; allowed: size, line, ways, "
                   "replacement, seed, write, allocate");
    assert_refused(CLASSIC "icache: {size: 1K, line: 16, write: back}\n",
                   "t.yaml:4: icache: unknown key 'write'; allowed: size, line, ways, "
                   "replacement, seed");
    assert_refused(SEQUENTIAL "trap_entry: 3\ntrap_entry: 4\n",
                   "t.yaml:5: the key 'trap_entry' is given twice");
    assert_refused("clock_hz: 1\npipeline: classic\n", "t.yaml:1: the key 'isa' is missing");
    assert_refused("isa: rv32i\npipeline: classic\n", "t.yaml:1: the key 'clock_hz' is missing");
    assert_refused("isa: rv32i\nclock_hz: 1\n", "t.yaml:1: the key 'pipeline' is missing");
    assert_refused("isa: rv32i\nclock_hz: ~\npipeline: classic\n",
                   "t.yaml:1: the key 'clock_hz' is missing");
    assert_refused(CLASSIC "dcache:\n  line: 16\n", "t.yaml:4: dcache: the key 'size' is missing");
    assert_refused(CLASSIC "branch:\n  predictor: {entries: 4}\n",
                   "t.yaml:5: branch.predictor: the key 'scheme' is missing");
    assert_refused(SEQUENTIAL "classes: {NOP: {cycles: 1}}\n",
                   "t.yaml:4: classes: unknown key 'NOP'; allowed: DEFAULT, FP_DEFAULT, ALU, "
                   "SHIFT, MUL, MULH, "
                   "MULT, DIV, HILO, LOAD, STORE, ATOMIC, BRANCH, JUMP, JUMP_REG, CSR, FENCE, "
                   "FENCE_I, SYSTEM, FP_MOVE, FP_ADD, FP_MUL, FP_FMA, FP_DIV, FP_SQRT, FP_CMP, "
                   "FP_CVT, FP_LOAD, FP_STORE");
}

static void test_values(void **state)
{
    (void)state;
    assert_refused("isa: rv32i\nclock_hz: fast\npipeline: classic\n",
                   "t.yaml:2: clock_hz: 'fast' is not a number; allowed are forms like 4096, "
                   "0x1000 and 4K");
    assert_refused("isa: rv32i\nclock_hz: -1\npipeline: classic\n",
                   "t.yaml:2: clock_hz: '-1' is not a number; allowed are forms like 4096, 0x1000 "
                   "and 4K");
    assert_refused("isa: rv32i\nclock_hz: 0\npipeline: classic\n",
                   "t.yaml:2: clock_hz: 0 is out of range; allowed are 1 to 1000000000000");
    assert_refused("isa: rv32i\nclock_hz: [1]\npipeline: classic\n",
                   "t.yaml:2: clock_hz: a single value belongs here, not a list");
    assert_refused("isa: rv32i\nclock_hz: 1\npipeline: superscalar\n",
                   "t.yaml:3: pipeline: 'superscalar' is not allowed; allowed: sequential, "
                   "picorv32, classic, vexriscv, tiger, hazard3, vliw");
    assert_refused(SEQUENTIAL "verified: maybe\n",
                   "t.yaml:4: verified: 'maybe' is not allowed; allowed: yes, no, true, false");
    assert_refused(SEQUENTIAL "misaligned: slow\n",
                   "t.yaml:4: misaligned: 'slow' is not allowed; allowed: trap, allow");
    assert_refused(SEQUENTIAL "classes:\n  ALU:\n    cycles: 0\n",
                   "t.yaml:6: classes.ALU.cycles: 0 is out of range; allowed are 1 to 10000");
    assert_refused(SEQUENTIAL "classes:\n  ALU: 3\n",
                   "t.yaml:5: classes.ALU: keys belong here, not a single value; allowed: cycles, "
                   "latency, busy, refill, operand, step, special, why");
    assert_refused(SEQUENTIAL "fetch: {wait: 1001}\n",
                   "t.yaml:4: fetch.wait: 1001 is out of range; allowed are 0 to 1000");
    assert_refused(CLASSIC "issue_width: 5\n",
                   "t.yaml:4: issue_width: 5 is out of range; allowed are 1 to 4 with pipeline "
                   "classic");
    assert_refused(SEQUENTIAL "name: ''\n",
                   "t.yaml:4: name: the text is shorter than 1 characters");
    assert_refused(CLASSIC "units: alu\n",
                   "t.yaml:4: units: a list belongs here, not a single value");
}

static void test_instruction_sets(void **state)
{
    (void)state;
    assert_refused("isa: z80\nclock_hz: 1\npipeline: classic\n",
                   "t.yaml:1: isa: 'z80' is no instruction set Gumshoe knows; allowed are forms "
                   "like rv32imc_zicsr and mips32r2, and any");
    assert_refused("isa: rv32imq\nclock_hz: 1\npipeline: classic\n",
                   "t.yaml:1: isa: 'rv32imq': 'q' is nothing Gumshoe knows; allowed are rv32i or "
                   "rv32g, letters of m a f d c b, then any of _zicsr _zifencei _zba _zbb _zbs "
                   "_zbkb _zicond _zcb _zcmp");
    assert_refused(
        "isa: rv32im_zcb\nclock_hz: 1\npipeline: hazard3\n",
        "t.yaml:1: isa: 'rv32im_zcb': 'zcb and zcmp' need c; allowed are rv32i or rv32g, "
        "letters of m a f d c b, then any of _zicsr _zifencei _zba _zbb _zbs _zbkb "
        "_zicond _zcb _zcmp");
    assert_refused(
        "isa: rv32gc_zcmp\nclock_hz: 1\npipeline: hazard3\n",
        "t.yaml:1: isa: 'rv32gc_zcmp': 'zcmp' has the encodings of compressed d; allowed "
        "are rv32i or rv32g, letters of m a f d c b, then any of _zicsr _zifencei _zba "
        "_zbb _zbs _zbkb _zicond _zcb _zcmp");
    assert_refused("isa: rv32imc_zcmp\nclock_hz: 1\npipeline: classic\n",
                   "t.yaml:1: isa: 'rv32imc_zcmp' is not possible; pipeline classic needs an isa "
                   "without zcmp, whose accesses it does not know");
    assert_refused("isa: any\nclock_hz: 1\npipeline: classic\n",
                   "t.yaml:1: isa: 'any' is not possible; pipeline classic needs one instruction "
                   "set, not any");
    assert_refused("isa: mips1\nclock_hz: 1\npipeline: picorv32\n",
                   "t.yaml:1: isa: 'mips1' is not possible; pipeline picorv32 needs an rv32 isa");
    assert_refused("isa: rv32imc\nclock_hz: 1\npipeline: vexriscv\n",
                   "t.yaml:1: isa: 'rv32imc' is not possible; pipeline vexriscv needs an rv32 isa "
                   "without c");
    assert_refused("isa: rv32i\nclock_hz: 1\npipeline: tiger\n",
                   "t.yaml:1: isa: 'rv32i' is not possible; pipeline tiger needs a mips isa");
    assert_refused(SEQUENTIAL "classes: {HILO: {cycles: 2}}\n",
                   "t.yaml:4: classes.HILO: no rv32im instruction is of this class");
    assert_refused("isa: mips32\nclock_hz: 1\npipeline: classic\nmisaligned: allow\n",
                   "t.yaml:4: misaligned: 'allow' is not possible; a MIPS processor traps");
}

static void test_keys_without_meaning(void **state)
{
    (void)state;
    assert_refused(CLASSIC "fetch:\n  jump_misaligned: 1\n",
                   "t.yaml:5: fetch.jump_misaligned: this key has no meaning for pipeline classic; "
                   "it has for sequential");
    assert_refused(SEQUENTIAL "classes: {LOAD: {latency: 1}}\n",
                   "t.yaml:4: classes.LOAD.latency: this key has no meaning for pipeline "
                   "sequential; it has for classic, vexriscv, tiger, vliw");
    assert_refused(SEQUENTIAL "dcache: " CACHE "\n",
                   "t.yaml:4: dcache: this key has no meaning for pipeline sequential; it has for "
                   "classic, vexriscv, tiger, vliw");
    assert_refused(SEQUENTIAL "issue_width: 2\n",
                   "t.yaml:4: issue_width: this key has no meaning for pipeline sequential; it has "
                   "for classic, vliw");
    assert_refused(SEQUENTIAL "branch: {predictor: {scheme: btfn}}\n",
                   "t.yaml:4: branch.predictor: this key has no meaning for pipeline sequential; "
                   "it has for classic, vexriscv, vliw");
    assert_refused(SEQUENTIAL "branch: {resolve: decode}\n",
                   "t.yaml:4: branch.resolve: this key has no meaning for pipeline sequential; it "
                   "has for classic");
    assert_refused(SEQUENTIAL "units: [{name: a, classes: [ALU]}]\n",
                   "t.yaml:4: units: this key has no meaning for pipeline sequential; it has for "
                   "classic, vliw");
    assert_refused(CLASSIC "memory: {shared: yes}\n",
                   "t.yaml:4: memory.shared: this key has no meaning for pipeline classic; it has "
                   "for tiger");
    assert_refused(TIGER "icache: " CACHE "\ndcache: {size: 1K, line: 16, ways: 2}\n",
                   "t.yaml:5: dcache.ways: this key has no meaning for pipeline tiger; it has for "
                   "classic, vliw");
    assert_refused(TIGER "icache: " CACHE "\ndcache: {size: 1K, line: 16, write: back}\n",
                   "t.yaml:5: dcache.write: this key has no meaning for pipeline tiger; it has for "
                   "classic, vliw");
    assert_refused(TIGER "icache: " CACHE "\ndcache: " CACHE "\nmemory: {priority: fetch}\n",
                   "t.yaml:6: memory.priority: this key has no meaning without shared: yes");
    assert_refused(TIGER "icache: " CACHE "\n",
                   "t.yaml:1: the key 'dcache' is missing: pipeline tiger needs it");
    assert_refused(TIGER "classes: {DIV: {operand: early-out, step: 1}}\n",
                   "t.yaml:4: classes.DIV.operand: this key has no meaning for pipeline tiger; it "
                   "has for sequential, picorv32, classic, hazard3");
    assert_refused(CLASSIC "icache: " CACHE "\nfetch: {wait: 1}\n",
                   "t.yaml:5: fetch.wait: this key has no meaning with an instruction cache");
    assert_refused(CLASSIC "dcache: " CACHE "\nmemory: {load_wait: 1}\n",
                   "t.yaml:5: memory.load_wait: this key has no meaning with a data cache");
    assert_refused(CLASSIC "icache: " CACHE "\ndcache: " CACHE "\nmemory: {wait: 1}\n",
                   "t.yaml:6: memory.wait: this key has no meaning with both caches");
    assert_refused(CLASSIC "memory: {first: 3, wait: 1}\n",
                   "t.yaml:4: memory.first: this key has no meaning without a cache where wait "
                   "states are given");
    assert_refused(CLASSIC "icache: " CACHE "\nmemory: {uncached: 3}\n",
                   "t.yaml:5: memory.uncached: this key has no meaning without a data cache");
    assert_refused(CLASSIC "icache: " CACHE "\nmemory: {write: 3, wait: 0}\n",
                   "t.yaml:5: memory.write: this key has no meaning without a data cache or a "
                   "write buffer");
    assert_refused(CLASSIC "dcache: {size: 1K, line: 16, seed: 3}\n",
                   "t.yaml:4: dcache.seed: this key has no meaning without replacement: random");
    assert_set_refused("flatfoot", "isa=rv32imf",
                       "isa: 'rv32imf' has instructions of class FP_MOVE, and the core does not "
                       "say what they cost; give classes.FP_MOVE, or classes.FP_DEFAULT for all "
                       "floating point classes that have no key of their own");
    assert_refused(SEQUENTIAL "verified_over: [memory.wait]\n",
                   "t.yaml:4: verified_over: this key has no meaning without verified: yes");
    assert_refused(SEQUENTIAL "verified: yes\nverified_over: [memory.speed]\n",
                   "t.yaml:5: verified_over: there is no key 'memory.speed'");
}

static void test_operand_rules(void **state)
{
    (void)state;
    assert_refused(SEQUENTIAL "classes: {SHIFT: {operand: slow}}\n",
                   "t.yaml:4: classes.SHIFT.operand: 'slow' is not allowed; allowed: shift-steps, "
                   "early-out, divisor-zero, negative-dividend");
    assert_refused(SEQUENTIAL "classes: {LOAD: {operand: shift-steps, step: 4}}\n",
                   "t.yaml:4: classes.LOAD.operand: this rule is not for class LOAD; shift-steps "
                   "is for SHIFT, early-out for MUL, MULH, MULT and DIV, divisor-zero and "
                   "negative-dividend for DIV");
    assert_refused(
        SEQUENTIAL "classes: {DEFAULT: {operand: shift-steps, step: 4}}\n",
        "t.yaml:4: classes.DEFAULT.operand: this rule is not for class DEFAULT; "
        "shift-steps is for SHIFT, early-out for MUL, MULH, MULT and DIV, divisor-zero and "
        "negative-dividend for DIV");
    assert_refused(SEQUENTIAL "classes: {SHIFT: {operand: shift-steps}}\n",
                   "t.yaml:4: classes.SHIFT.operand: this rule needs the key 'step' as well");
    assert_refused(SEQUENTIAL "classes: {DIV: {operand: divisor-zero}}\n",
                   "t.yaml:4: classes.DIV.operand: this rule needs the key 'special' as well");
    assert_refused(SEQUENTIAL "classes: {SHIFT: {operand: shift-steps, step: 0}}\n",
                   "t.yaml:4: classes.SHIFT.step: 0 is out of range; allowed are 1 to 32");
    assert_refused(SEQUENTIAL "classes: {SHIFT: {step: 4}}\n",
                   "t.yaml:4: classes.SHIFT.step: this key has no meaning without operand: "
                   "shift-steps or early-out");
    assert_refused(SEQUENTIAL "classes: {DIV: {operand: early-out, step: 1, special: 4}}\n",
                   "t.yaml:4: classes.DIV.special: this key has no meaning without operand: "
                   "divisor-zero");
}

static void test_units(void **state)
{
    (void)state;
    assert_refused(CLASSIC "units:\n  - name: a\n",
                   "t.yaml:5: units[0]: the key 'classes' is missing");
    assert_refused(CLASSIC "units:\n  - {name: a, classes: [ALU]}\n  - {name: a, classes: [MUL]}\n",
                   "t.yaml:6: units[1].name: there are two units 'a'");
    assert_refused(CLASSIC "units:\n  - {name: a, classes: [ALU]}\n  - {name: b, classes: [ALU]}\n",
                   "t.yaml:6: units[1].classes[0]: unit 'a' has class ALU already");
    assert_refused(CLASSIC "units: [{name: a, count: 5, classes: [ALU]}]\n",
                   "t.yaml:4: units[0].count: 5 is out of range; allowed are 1 to 4");
    assert_refused(CLASSIC "units: [{name: a, classes: [ALU, HILO]}]\n",
                   "t.yaml:4: units[0].classes[1]: no rv32im instruction is of class HILO");
    assert_refused(CLASSIC "units: [{name: a, classes: []}]\n",
                   "t.yaml:4: units[0].classes: at least 1 entry is needed");
    assert_refused(
        CLASSIC "units: [{name: a, classes: [NOP]}]\n",
        "t.yaml:4: units[0].classes[0]: 'NOP' is not allowed; allowed: ALU, SHIFT, MUL, "
        "MULH, MULT, DIV, HILO, LOAD, STORE, ATOMIC, BRANCH, JUMP, JUMP_REG, CSR, FENCE, "
        "FENCE_I, SYSTEM, FP_MOVE, FP_ADD, FP_MUL, FP_FMA, FP_DIV, FP_SQRT, FP_CMP, "
        "FP_CVT, FP_LOAD, FP_STORE");
}

static void test_vliw(void **state)
{
    (void)state;
    assert_refused(CLASSIC "vliw: {delay: 1}\n",
                   "t.yaml:4: vliw: this key has no meaning for pipeline classic; it has for vliw");
    assert_refused(VLIW "vliw: {delays: 1}\n",
                   "t.yaml:4: vliw: unknown key 'delays'; allowed: interlocked, bundles, regions, "
                   "pipelining, alias, hardware_loops, delay, address_latency, data_latency, "
                   "registers, float_registers, loop_setup, slot_bytes, slots, fuse, why");
    assert_refused(VLIW "vliw: {registers: 4}\n",
                   "t.yaml:4: vliw.registers: 4 is out of range; allowed are 8 to 1024");
    assert_refused(
        VLIW "classes: {ALU: {cycles: 2}}\n",
        "t.yaml:4: classes.ALU.cycles: this key has no meaning for pipeline vliw; it has "
        "for sequential, picorv32, classic, vexriscv, tiger, hazard3");
    assert_refused(VLIW "branch: {mispredicted: 2}\n",
                   "t.yaml:4: branch.mispredicted: this key has no meaning without "
                   "branch.predictor");
    assert_refused("isa: mips1\nclock_hz: 1\npipeline: vliw\n",
                   "t.yaml:1: isa: 'mips1' is not possible; pipeline vliw needs an rv32 isa");
}

static void test_vliw_slots(void **state)
{
    (void)state;
    assert_refused(VLIW "vliw: {slots: [{count: 2, classes: [ALU, MUL]}]}\n",
                   "t.yaml:4: vliw.slots: none of the slots takes class SHIFT, which 'rv32im' has");
    assert_refused(VLIW "vliw: {slots: [{count: 5}, {count: 4}]}\n",
                   "t.yaml:4: vliw.slots: a bundle has at most 8 slots, these are 9");
    assert_refused(VLIW "issue_width: 2\nvliw: {slots: [{count: 2}]}\n",
                   "t.yaml:4: issue_width: this key has no meaning with vliw.slots, which has the "
                   "slots one by one");
}

static void test_vliw_patterns(void **state)
{
    (void)state;
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [mul]}]}\n",
                   "t.yaml:4: vliw.fuse[0].of: at least 2 entries are needed");
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [mul, sum]}]}\n",
                   "t.yaml:4: vliw.fuse[0].of: there is no instruction 'sum'");
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [mul, add|]}]}\n",
                   "t.yaml:4: vliw.fuse[0].of: there is no instruction ''");
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [sw, add]}]}\n",
                   "t.yaml:4: vliw.fuse[0].of: sw makes no value for an instruction behind it: it "
                   "can only stand last");
    assert_refused(
        VLIW "vliw: {fuse: [{name: a, of: [add, jalr]}]}\n",
        "t.yaml:4: vliw.fuse[0].of: jalr, of class JUMP_REG, cannot be a part of another "
        "operation");
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [fadd_s, fmul_s]}]}\n",
                   "t.yaml:4: vliw.fuse[0].of: 'rv32im' has no instruction 'fadd_s'");
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [mul, add]}, {name: a, of: [mul, sub]}]}\n",
                   "t.yaml:4: vliw.fuse[1].name: there are two operations 'a'");
    assert_refused(VLIW "vliw: {fuse: [{name: a, of: [mul, add], inputs: 1, latency: 1001}]}\n",
                   "t.yaml:4: vliw.fuse[0].latency: 1001 is out of range; allowed are 0 to 1000");
}

static void test_cache_geometry(void **state)
{
    (void)state;
    assert_refused(CLASSIC "dcache:\n  size: 5000\n  line: 16\n",
                   "t.yaml:5: dcache.size: a cache of 5000 bytes is not possible: allowed are "
                   "powers of two from its line size, 16, to 67108864");
    assert_refused(CLASSIC "dcache:\n  size: 1K\n  line: 24\n",
                   "t.yaml:6: dcache.line: a cache line of 24 bytes is not possible: allowed are "
                   "powers of two from 4 to 4096");
    assert_refused(CLASSIC "icache:\n  size: 16\n  line: 32\n",
                   "t.yaml:5: icache.size: a cache of 16 bytes cannot hold a line of 32 bytes: "
                   "allowed are caches of 32 bytes or more, or lines of 16 bytes or less");
    assert_refused(CLASSIC "dcache:\n  size: 1K\n  line: 16\n  ways: 3\n",
                   "t.yaml:7: dcache.ways: a cache of 3 ways is not possible: allowed are 1, 2, 4, "
                   "8, 16, and 0 for fully associative");
    assert_refused(CLASSIC "dcache: {size: 64, line: 16, ways: 8}\n",
                   "t.yaml:4: dcache.size: a cache of 64 bytes has 4 lines of 16 bytes, too few "
                   "for 8 ways: allowed are 4 ways or less, or 128 bytes or more");
    assert_refused(CLASSIC "dcache: {size: 1G, line: 16}\n",
                   "t.yaml:4: dcache.size: 1G is out of range; allowed are 0x4 to 0x4000000");
    assert_refused(CLASSIC "dcache: {size: 1K, line: 16, ways: 2, replacement: plru}\n",
                   "t.yaml:4: dcache.replacement: 'plru' is not allowed; allowed: lru, fifo, "
                   "round-robin, random");
    assert_refused(CLASSIC "dcache: {size: 1K, line: 16, write: around}\n",
                   "t.yaml:4: dcache.write: 'around' is not allowed; allowed: through, back");
    assert_refused(CLASSIC "dcache: " CACHE "\nmemory: {width: 3}\n",
                   "t.yaml:5: memory.width: 3 is not possible; allowed are powers of two from 1 to "
                   "64");
    assert_refused(CLASSIC "dcache: " CACHE "\nmemory: {width: 32}\n",
                   "t.yaml:5: memory.width: memory.width, 32 bytes, is more than a cache line");
}

static void test_predictors(void **state)
{
    (void)state;
    assert_refused(CLASSIC "branch: {predictor: {scheme: perceptron}}\n",
                   "t.yaml:4: branch.predictor.scheme: 'perceptron' is not allowed; allowed: "
                   "not-taken, taken, btfn, bimodal, gshare");
    assert_refused(CLASSIC "branch: {predictor: {scheme: gshare}}\n",
                   "t.yaml:4: branch.predictor: the key 'entries' is missing");
    assert_refused(CLASSIC "branch: {predictor: {scheme: btfn, entries: 4}}\n",
                   "t.yaml:4: branch.predictor.entries: this key has no meaning unless the scheme "
                   "is bimodal or gshare");
    assert_refused(CLASSIC "branch: {predictor: {scheme: bimodal, entries: 4, history_bits: 2}}\n",
                   "t.yaml:4: branch.predictor.history_bits: this key has no meaning unless the "
                   "scheme is gshare");
    assert_refused(CLASSIC "branch: {predictor: {scheme: bimodal, entries: 100}}\n",
                   "t.yaml:4: branch.predictor: a bimodal predictor of 100 entries is not "
                   "possible: allowed are powers of two from 1 to 1048576");
    assert_refused(CLASSIC "branch: {predictor: {scheme: gshare, entries: 16, history_bits: 5}}\n",
                   "t.yaml:4: branch.predictor: a gshare predictor of 16 entries cannot use 5 bits "
                   "of history: allowed are 1 to 4");
    assert_refused(CLASSIC "branch: {predictor: {scheme: taken, btb_entries: 12}}\n",
                   "t.yaml:4: branch.predictor: a branch target buffer of 12 entries is not "
                   "possible: allowed are 0 and powers of two up to 65536");
    assert_refused("isa: rv32im\nclock_hz: 1\npipeline: vexriscv\nicache: " CACHE "\ndcache: " CACHE
                   "\nbranch: {predictor: {scheme: bimodal, entries: 4}}\n",
                   "t.yaml:6: branch.predictor.entries: this key has no meaning for pipeline "
                   "vexriscv; it has for classic, vliw");
    assert_set_refused("vexriscv", "branch.predictor.btb_entries=64",
                       "branch.predictor.btb_entries: this key has no meaning for pipeline "
                       "vexriscv; it has for classic, vliw");
}

#define ENERGY "energy:\n  stall_mw: 1\n  others: a\n  groups:\n    - name: a\n      power_mw: 2\n"

static void test_energy(void **state)
{
    (void)state;
    assert_refused(SEQUENTIAL "energy: {groups: [{name: a, power_mw: 1}]}\n",
                   "t.yaml:4: energy: the key 'stall_mw' is missing");
    assert_refused(SEQUENTIAL "energy: {stall_mw: 1, groups: []}\n",
                   "t.yaml:4: energy.groups: at least 1 entry is needed");
    assert_refused(SEQUENTIAL ENERGY "    - {name: a, power_mw: 3}\n",
                   "t.yaml:10: energy.groups[1].name: there are two groups 'a'");
    assert_refused(SEQUENTIAL ENERGY "    - {name: b, power_mw: lots}\n",
                   "t.yaml:10: energy.groups[1].power_mw: 'lots' is not a power; allowed are forms "
                   "like 57.32, from 0 to 1000000 mW, with up to three digits after the point");
    assert_refused(SEQUENTIAL ENERGY "    - {name: b, power_mw: 1.2345}\n",
                   "t.yaml:10: energy.groups[1].power_mw: '1.2345' is not a power; allowed are "
                   "forms like 57.32, from 0 to 1000000 mW, with up to three digits after the "
                   "point");
    assert_refused(SEQUENTIAL ENERGY "    - {name: b, power_mw: 1, instructions: [lw, syscall]}\n",
                   "t.yaml:10: energy.groups[1].instructions[1]: rv32 has no instruction "
                   "'syscall'");
    assert_refused(SEQUENTIAL ENERGY "      instructions: [lw]\n"
                                     "    - {name: b, power_mw: 1, instructions: [lw]}\n",
                   "t.yaml:11: energy.groups[1].instructions[0]: 'lw' is in group 'a' already");
    assert_refused(SEQUENTIAL
                   "energy: {stall_mw: 1, others: z, groups: [{name: a, power_mw: 1}]}\n",
                   "t.yaml:4: energy.others: there is no group 'z'");
    assert_refused(SEQUENTIAL "energy: {stall_mw: 1, groups: [{name: a, power_mw: 1,\n"
                              "  instructions: [lui, auipc]}]}\n",
                   "t.yaml:4: energy: 'jal' is in no group; list it, or name a group for the rest "
                   "with the key 'others'");
    assert_refused(SEQUENTIAL ENERGY "      instructions: [nop]\n"
                                     "    - {name: b, power_mw: 1, instructions: [nop]}\n",
                   "t.yaml:11: energy.groups[1].instructions[0]: 'nop' is in group 'a' already");
    assert_refused(SEQUENTIAL "energy: {stall_mw: 2000, groups: [{name: a, power_mw: 1}]}\n",
                   "t.yaml:4: energy.stall_mw: 2000 mW at 1000000 Hz is more than a microjoule per "
                   "cycle; is one of the two in another unit?");
    assert_refused(SEQUENTIAL "energy: {stall_mw: 1, average_stall_percent: 0, groups: [{name: a, "
                              "power_mw: 1}]}\n",
                   "t.yaml:4: energy.average_stall_percent: '0' is not a share; allowed are forms "
                   "like 33.9, above 0 and up to 100, with up to three digits after the point");
    assert_refused("isa: any\nclock_hz: 1\npipeline: sequential\n" ENERGY,
                   "t.yaml:4: energy: a table needs one instruction set; the isa is 'any'");
}

static void test_settings(void **state)
{
    (void)state;
    assert_set_refused("flatfoot", "dcache.size", "this is not of the form key.key=value");
    assert_set_refused("flatfoot", "dcache.size=",
                       "there is no value after the '='; null would "
                       "take the key away");
    assert_set_refused("flatfoot", "dcache.lines=4",
                       "dcache: unknown key 'lines'; allowed: size, "
                       "line, ways, replacement, seed, write, "
                       "allocate");
    assert_set_refused("flatfoot", "dcache.size.x=4",
                       "dcache.size: a single value belongs here, not keys");
    assert_set_refused("flatfoot", "dcache=4",
                       "dcache: keys belong here, not a single value; allowed: size, line, ways, "
                       "replacement, seed, write, allocate");
    assert_set_refused("flatfoot", "dcache.size=big",
                       "dcache.size: 'big' is not a number; allowed are forms like 4096, 0x1000 "
                       "and 4K");
    assert_set_refused("flatfoot", "dcache.size=5000",
                       "dcache.size: a cache of 5000 bytes is not possible: allowed are powers of "
                       "two from its line size, 16, to 67108864");
    assert_set_refused("flatfoot", "dcache.ways=1024",
                       "dcache.ways: 1024 is out of range; allowed are 0 to 16");
    assert_set_refused("flatfoot", "memory.width=64",
                       "memory.width: memory.width, 64 bytes, is more than a cache line");
    assert_set_refused("flatfoot", "icache.line=8K",
                       "icache.line: 8K is out of range; allowed are 4 to 4096");
    assert_set_refused("flatfoot", "fetch.wait=1",
                       "fetch.wait: this key has no meaning with an instruction cache");
    assert_set_refused("tiger-mips", "memory.uncached=1",
                       "memory.uncached: this key has no meaning for pipeline tiger; it has for "
                       "sequential, classic, vexriscv, vliw");
    assert_set_refused("flatfoot", "isa=mips9",
                       "isa: 'mips9': 'mips9' is nothing Gumshoe knows; allowed are mips1, mips2, "
                       "mips32, mips32r2, each with _fpu or without");
    assert_set_refused("vexriscv", "memory.buffer=0",
                       "memory.buffer: 0 is not possible; pipeline vexriscv needs 1 or more");
    assert_set_refused("flatfoot", "extends=ideal", "extends: this can only be said in a file");
    assert_set_refused("flatfoot", "name=&a b",
                       "YAML anchors (&name) and aliases (*name) are not "
                       "supported here");
    assert_set_refused("flatfoot", "branch.predictor.entries=4",
                       "branch.predictor: the key 'scheme' is missing");
}

/* Texts made to exhaust the parser. */
static void test_bombs(void **state)
{
    (void)state;
    enum { DEEP = 200000 };
    char *text = malloc(DEEP + 1);
    gs_core *core;
    gs_error err;
    assert_non_null(text);

    memset(text, '[', DEEP);
    text[DEEP] = '\0';
    assert_refused(text, "t.yaml:1: nested too deeply");
    for (size_t i = 0; i + 4 <= DEEP; i += 4)
        memcpy(text + i, "a: {", 4);
    assert_refused(text, "t.yaml:1: nested too deeply");

    /* A hundred thousand keys, all different, none known. */
    size_t length = 0;
    for (unsigned i = 0; length < DEEP - 16; i++)
        length += (size_t)sprintf(text + length, "k%x:\n", i);
    assert_int_not_equal(gs_core_parse(&core, "t.yaml", text, length, NULL, 0, &err), GS_OK);
    assert_true(!strncmp(err.message, "t.yaml:1: unknown key 'k0'; allowed: ", 37));

    /* The same key again and again. */
    length = 0;
    while (length < DEEP - 16)
        length += (size_t)sprintf(text + length, "name: x\n");
    assert_refused(text, "t.yaml:2: the key 'name' is given twice");

    /* A long list where a short one is allowed. */
    length = (size_t)sprintf(text, CLASSIC "units: [");
    while (length < DEEP - 16)
        length += (size_t)sprintf(text + length, "x, ");
    sprintf(text + length, "x]\n");
    assert_int_not_equal(gs_core_parse(&core, "t.yaml", text, strlen(text), NULL, 0, &err), GS_OK);
    assert_non_null(strstr(err.message, "are too many; at most 16 are allowed"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_yaml),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_keys_without_meaning),
        cmocka_unit_test(test_operand_rules),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_vliw),
        cmocka_unit_test(test_vliw_slots),
        cmocka_unit_test(test_vliw_patterns),
        cmocka_unit_test(test_cache_geometry),
        cmocka_unit_test(test_predictors),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
