#!/usr/bin/env python3
"""instructions.py OUTDIR: a test program for each instruction of RV32IM, Zicsr and Zifencei.

Every program checks its results against what is worked out here, and ends with the number of the
first case that is wrong, or 0. Cases differ in where the operands come from (one to four
instructions before, memory) and where the result goes (elsewhere, in the place of an operand).
"""
import itertools
import pathlib
import subprocess
import sys

MASK = 0xffffffff
VALUES = [0, 1, 2, 5, 31, 0x7ff, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffff800,
          0xffffffff]
IMMEDIATES = [0, 1, 5, 0x555, 2047, -2048, -1]
WORD = 0x8c7f80f1


def signed(x, bits=32):
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


def divide(a, b):
    if b == 0:
        return -1
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a, b):
    return a if b == 0 else a - b * divide(a, b)


REGISTER = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "sll": lambda a, b: a << (b & 31),
    "slt": lambda a, b: signed(a) < signed(b),
    "sltu": lambda a, b: a < b,
    "xor": lambda a, b: a ^ b,
    "srl": lambda a, b: a >> (b & 31),
    "sra": lambda a, b: signed(a) >> (b & 31),
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "mul": lambda a, b: a * b,
    "mulh": lambda a, b: signed(a) * signed(b) >> 32,
    "mulhsu": lambda a, b: signed(a) * b >> 32,
    "mulhu": lambda a, b: a * b >> 32,
    "div": lambda a, b: divide(signed(a), signed(b)),
    "divu": lambda a, b: divide(a, b),
    "rem": lambda a, b: remainder(signed(a), signed(b)),
    "remu": lambda a, b: remainder(a, b),
}
IMMEDIATE = {name + "i" if name != "sltu" else "sltiu": REGISTER[name]
             for name in ("add", "slt", "sltu", "xor", "or", "and", "sll", "srl", "sra")}
BRANCH = {
    "beq": lambda a, b: a == b,
    "bne": lambda a, b: a != b,
    "blt": lambda a, b: signed(a) < signed(b),
    "bge": lambda a, b: signed(a) >= signed(b),
    "bltu": lambda a, b: a < b,
    "bgeu": lambda a, b: a >= b,
}
LOAD = {"lb": (1, True), "lh": (2, True), "lw": (4, False), "lbu": (1, False), "lhu": (2, False)}
STORE = {"sb": 1, "sh": 2, "sw": 4}

FRAME = """
    .option norelax
    .globl _start
_start:
    la      t0, trap
    csrw    mtvec, t0
    la      s1, data
{body}
    li      s0, 0
fail:
    li      t0, 0xf0000000
1:  sw      s0, 0(t0)
    j       1b
    .balign 4
trap:                       # for those who expect one: cause and value, and on behind
    csrr    s2, mcause
    csrr    s3, mtval
    csrr    s4, mepc
    addi    s5, s4, 4
    csrw    mepc, s5
    mret
    .balign 16
data:
    .word   {word}, {word}, 0, 0, 0, 0, 0, 0
"""


class Program:
    def __init__(self):
        self.lines, self.cases = [], 0

    def add(self, *lines):
        self.lines += lines

    def case(self):
        self.cases += 1
        self.add(f"li s0, {self.cases}")

    def expect(self, register, value):
        self.add(f"li t6, {value & MASK:#x}", f"beq {register}, t6, 9f", "j fail", "9:")

    def text(self):
        return FRAME.format(body="\n".join("    " + line for line in self.lines), word=hex(WORD))


def put_operands(p, a, b, way):
    """a in a1, b in a2 (if any); `way` says where they come from."""
    if way == 4:
        p.add(f"li t3, {a:#x}", "sw t3, 8(s1)")
        if b is not None:
            p.add(f"li t3, {b:#x}", "sw t3, 12(s1)", "lw a2, 12(s1)")
        p.add("lw a1, 8(s1)")
        return
    if b is not None:
        p.add(f"li t4, {b:#x}")
    p.add(f"li t3, {a:#x}", "mv a1, t3")
    if b is not None:
        p.add("mv a2, t4")
    p.add(*["nop"] * way)


def arithmetic(p, form, function, second):
    in_register = second is VALUES
    targets = ("a0", "a1", "a2") if in_register else ("a0", "a1")
    for number, (a, b) in enumerate(itertools.product(VALUES, second)):
        p.case()
        put_operands(p, a, b if in_register else None, number % 5)
        target = targets[number % len(targets)]
        p.add(form.format(rd=target, b="a2" if in_register else b))
        p.expect(target, int(function(a, b & MASK)))
    p.case()  # the same register twice, and none
    p.add("li a1, 0x89abcdef")
    if in_register:
        p.add(form.format(rd="a0", b="a1"))
        p.expect("a0", int(function(0x89abcdef, 0x89abcdef)))
    p.add(form.format(rd="zero", b="a1" if in_register else second[1]), "mv a0, zero")
    p.expect("a0", 0)


def branches(p, name, function):
    for number, (a, b) in enumerate(itertools.product(VALUES, VALUES)):
        p.case()
        put_operands(p, a, b, number % 5)
        p.add("li a0, 1", f"{name} a1, a2, 1f", "li a0, 2", "1:")
        p.expect("a0", 1 if function(a, b) else 2)
    p.case()  # backwards
    p.add("li a0, 0", "li a1, 3", "li a2, 3", "j 2f", "1: addi a0, a0, 1", "j 3f",
          f"2: {name} a1, a2, 1b", "3:")
    p.expect("a0", 1 if function(3, 3) else 0)


def loads(p, name, size, sign):
    for offset in range(-8, 8):
        p.case()
        p.add("la s1, data+8", f"li t3, {WORD:#x}", "sw t3, -8(s1)", "sw t3, -4(s1)",
              "sw t3, 0(s1)", "sw t3, 4(s1)", "li s2, -1", f"{name} a0, {offset}(s1)")
        if offset % size:
            p.expect("s2", 4)
            p.add(f"addi t5, s1, {offset}", "sub t5, t5, s3")
            p.expect("t5", 0)
            continue
        value = WORD >> 8 * (offset % 4) & ((1 << 8 * size) - 1)
        p.add("mv a1, a0")
        p.expect("a1", signed(value, 8 * size) if sign else value)
    p.case()
    p.add("li a1, 0x20000000", f"{name} a0, 0(a1)", "mv a0, s2")
    p.expect("a0", 5)
    p.add("la s1, data")


def stores(p, name, size):
    for offset in range(8):
        p.case()
        p.add(f"li t3, {WORD:#x}", "sw t3, 0(s1)", "sw t3, 4(s1)", "lw t4, 0(s1)", "li s2, -1",
              "li a1, 0x13579bdf", f"{name} a1, {offset}(s1)", "lw a0, 0(s1)", "lw a2, 4(s1)")
        memory = bytearray((WORD | WORD << 32).to_bytes(8, "little"))
        if offset % size:
            p.expect("s2", 6)
        else:
            memory[offset:offset + size] = (0x13579bdf).to_bytes(4, "little")[:size]
        p.expect("a0", int.from_bytes(memory[:4], "little"))
        p.expect("a2", int.from_bytes(memory[4:], "little"))
    p.case()
    p.add("li a1, 0x20000000", f"{name} a0, 0(a1)", "mv a0, s2")
    p.expect("a0", 7)


def csrs(p, name):
    """On mscratch; immediates have five bits."""
    change = {"w": lambda old, x: x, "s": lambda old, x: old | x, "c": lambda old, x: old & ~x}
    function, immediate = change[name[4]], name.endswith("i")
    for old in VALUES:
        for new in ([0, 1, 21, 31] if immediate else VALUES):
            p.case()
            p.add(f"li t3, {old:#x}", "csrw mscratch, t3", f"li a1, {new:#x}",
                  f"{name} a0, mscratch, {new if immediate else 'a1'}", "csrr a2, mscratch")
            p.expect("a0", old)
            p.expect("a2", function(old, new))
    p.case()  # a register that cannot be written: reading it is allowed if nothing is written
    zero = "0" if immediate else "zero"
    p.add("li s2, -1", f"{name} a0, mhartid, {zero}", "mv a0, s2")
    p.expect("a0", 2 if name[4] == "w" else -1)
    p.case()  # and one that does not exist
    p.add("li s2, -1", f"{name} a0, 0x7c0, {zero}", "mv a0, s2")
    p.expect("a0", 2)


def upper(p, name):
    for value in (0, 1, 0x12345, 0x7ffff, 0x80000, 0xfffff):
        p.case()
        if name == "lui":
            p.add(f"lui a0, {value:#x}", "mv a1, a0")
            p.expect("a1", value << 12)
        else:
            p.add("1: auipc a0, 0", f"auipc a1, {value:#x}", "sub a1, a1, a0")
            p.expect("a1", (value << 12) + 4)


def jumps(p, name):
    jump = "jal {rd}, {to}" if name == "jal" else "la a3, {to}; jalr {rd}, 0(a3)"
    p.case()
    p.add("li a0, 0", jump.format(rd="a1", to="2f"), "1: addi a0, a0, 1", "2: la a2, 1b",
          "sub a1, a1, a2")
    p.expect("a0", 0)
    p.expect("a1", 0)
    p.case()  # a return
    p.add("li a0, 0", jump.format(rd="ra", to="1f"), "j 2f", "1: addi a0, a0, 5", "ret", "2:")
    p.expect("a0", 5)
    p.case()  # without a link, and backwards
    p.add("li a0, 0", "j 2f", "1: addi a0, a0, 1", "j 3f", "2: " + jump.format(rd="zero", to="1b"),
          "3: mv a1, zero")
    p.expect("a0", 1)
    p.expect("a1", 0)
    if name == "jalr":
        p.case()  # bit 0 is dropped; the base may be the link
        p.add("li a0, 7", "la a1, 1f", "jalr a1, 1(a1)", "li a0, 8", "1: la a2, 1b - 4",
              "sub a1, a1, a2")
        p.expect("a0", 7)
        p.expect("a1", 0)
        p.case()
        p.add("la a1, 1f", "li s2, -1", "1: jalr a0, 2(a1)", "mv a0, s2", "sub a1, a1, s4")
        p.expect("a0", 0)
        p.expect("a1", 0)
        p.case()
        p.add("lui s6, 0x20000", "la s7, 1f", "csrr s8, mtvec", "la t3, 2f", "csrw mtvec, t3",
              "jr s6", ".balign 4", "2: csrr s2, mcause", "csrr s3, mtval", "csrw mepc, s7", "mret",
              "1: csrw mtvec, s8", "mv a0, s2", "sub a1, s3, s6")
        p.expect("a0", 1)
        p.expect("a1", 0)


def system(p, name):
    p.case()
    if name in ("ecall", "ebreak"):
        p.add("li s2, -1", "li s3, -1", f"1: {name}", "la a1, 1b", "sub a0, s4, a1")
        p.expect("a0", 0)
        p.expect("s2", 11 if name == "ecall" else 3)
        p.add("sub a0, s3, a1" if name == "ebreak" else "mv a0, s3")
        p.expect("a0", 0)
    elif name == "mret":
        p.add("li a0, 0x1800", "csrc mstatus, a0", "li a0, 0x80", "csrs mstatus, a0", "la a0, 1f",
              "csrw mepc, a0", "mret", "li s2, 99", "1: csrr a1, mstatus", "ecall", "mv a2, s2")
        p.expect("a2", 8)  # user mode may neither; the ecall came last
        p.add("csrr a1, mstatus")  # the handler has returned to user mode, too
        p.expect("s2", 2)
    elif name == "wfi":
        p.add("li a1, 0x02004000", "li a2, 0x0200bff8", "li t3, 0x80", "csrs mie, t3",
              "lw t4, 0(a2)", "addi t4, t4, 300", "sw t4, 0(a1)", "sw zero, 4(a1)", "wfi",
              "csrr a3, time", "csrr a4, mip", "sub a3, a3, t4", "sltiu a3, a3, 2")
        p.expect("a3", 1)
        p.expect("a4", 0x80)
        p.case()  # pending already: no sleep
        p.add("csrr a3, minstret", "wfi", "csrr a4, minstret", "sub a0, a4, a3")
        p.expect("a0", 2)
    elif name == "fence":
        p.add("li a0, 3", "sw a0, 0(s1)", "fence", "fence rw, w", "lw a0, 0(s1)")
        p.expect("a0", 3)
    else:  # fence.i: new code is seen behind it
        p.add("la a1, 1f", "la a2, 2f", "lw a3, 0(a2)", "li a0, 0", "sw a3, 0(a1)", "fence.i",
              "1: addi a0, a0, 1", "j 3f", "2: addi a0, a0, 64", "3:")
        p.expect("a0", 64)


def programs():
    for name, function in REGISTER.items():
        yield name, arithmetic, (name + " {rd}, a1, {b}", function, VALUES)
    for name, function in IMMEDIATE.items():
        second = [0, 1, 5, 31] if name in ("slli", "srli", "srai") else IMMEDIATES
        yield name, arithmetic, (name + " {rd}, a1, {b}", function, second)
    for name, function in BRANCH.items():
        yield name, branches, (name, function)
    for name, (size, sign) in LOAD.items():
        yield name, loads, (name, size, sign)
    for name, size in STORE.items():
        yield name, stores, (name, size)
    for name in ("csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"):
        yield name, csrs, (name,)
    for name in ("lui", "auipc"):
        yield name, upper, (name,)
    for name in ("jal", "jalr"):
        yield name, jumps, (name,)
    for name in ("fence", "fence.i", "ecall", "ebreak", "mret", "wfi"):
        yield name, system, (name,)


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name, make, arguments in programs():
        p = Program()
        make(p, *arguments)
        source = out / f"{name}.S"
        source.write_text(p.text())
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv32im_zicsr_zifencei", "-mabi=ilp32",
                        "-nostdlib", "-static", "-Wl,-Ttext=0x80000000", "-Wl,--build-id=none",
                        "-Wl,-N,--no-warn-rwx-segments", source, "-o", out / f"{name}.elf"], check=True)


main()
