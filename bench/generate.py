"""generate - programs that are as large as one asks for, in one dimension each.

Each is assembler text of our own, the same for RISC-V and MIPS but for a few words, and becomes a static
Linux program with symbols and line numbers. All of them but `length` and `hello` execute about EXECUTED instructions
whatever their size, so that what a size costs by itself shows.
"""
import subprocess

EXECUTED = 8_000_000
FANOUT = 16      # calls in an inner function of `functions`
BLOCK = 8        # instructions in a block of `code`

TARGETS = {
    "riscv": {
        "assemble": ["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-static", "-g",
                     "-Wl,--build-id=none,--no-relax,--no-warn-rwx-segments"],
        "head": "",
        "enter": ["addi sp, sp, -16", "sw ra, 12(sp)"],
        "leave": ["lw ra, 12(sp)", "addi sp, sp, 16", "ret"],
        "return": ["ret"],
        "call": "call {0}",
        "call_pointer": "jalr {0}",
        "load": "lw {0}, 0({1})",
        "store": "sw {0}, 0({1})",
        "synchronize": [".word 0x0000100f"],  # fence.i, which assemblers refuse without Zifencei
        "add_1_or_3": 0x00200000,  # the bits in which two additions of a constant differ
        "address": "la {0}, {1}",
        "set": "li {0}, {1}",
        "add": "addi {0}, {0}, {1}",
        "xor": "xor {0}, {0}, {1}",
        "if_zero": "beqz {0}, {1}",
        "unless_zero": "bnez {0}, {1}",
        "and": "andi {0}, {1}, {2}",
        "exit": ["li a0, 0", "li a7, 93", "ecall"],
        "write": ["li a0, 1", "la a1, text", "li a2, 6", "li a7, 64", "ecall"],
        "registers": {"work": "t0", "other": "t1", "bit": "t2", "count": "s0", "depth": "a0", "inner": "t3",
                      "next": "s1", "left": "s2"},
    },
    "mips": {
        "assemble": ["mipsel-linux-gnu-gcc", "-march=mips32r2", "-mno-abicalls", "-fno-pic", "-nostdlib", "-static",
                     "-g", "-Wl,--build-id=none", "-Wl,-e,_start"],
        "head": ".set reorder\n",
        "enter": ["addiu $sp, $sp, -16", "sw $ra, 12($sp)"],
        "leave": ["lw $ra, 12($sp)", "addiu $sp, $sp, 16", "jr $ra"],
        "return": ["jr $ra"],
        "call": "jal {0}",
        "call_pointer": "jalr {0}",
        "load": "lw {0}, 0({1})",
        "store": "sw {0}, 0({1})",
        "synchronize": ["synci 0($s1)", "sync"],
        "add_1_or_3": 0x00000002,
        "address": "la {0}, {1}",
        "set": "li {0}, {1}",
        "add": "addiu {0}, {0}, {1}",
        "xor": "xor {0}, {0}, {1}",
        "if_zero": "beqz {0}, {1}",
        "unless_zero": "bnez {0}, {1}",
        "and": "andi {0}, {1}, {2}",
        "exit": ["li $a0, 0", "li $v0, 4001", "syscall"],
        "write": ["li $a0, 1", "la $a1, text", "li $a2, 6", "li $v0, 4004", "syscall"],
        "registers": {"work": "$t0", "other": "$t1", "bit": "$t2", "count": "$s0", "depth": "$a0",
                      "inner": "$t3", "next": "$s1", "left": "$s2"},
    },
}


class Writer:
    """Assembler text of one target, function by function."""

    def __init__(self, target):
        self.words = TARGETS[target]
        self.lines = [self.words["head"]] if self.words["head"] else []
        self.labels = 0

    def put(self, name, *operands):
        """One instruction; registers are called by their purpose."""
        named = [self.words["registers"].get(operand, operand) for operand in operands]
        self.lines.append("    " + self.words[name].format(*named))

    def puts(self, name):
        self.lines += ["    " + instruction for instruction in self.words[name]]

    def label(self):
        self.labels += 1
        return f".L{self.labels}"

    def place(self, label):
        self.lines.append(f"{label}:")

    def begin(self, name, section=".text"):
        self.lines += [f"    .section {section}", f"    .globl {name}", f"    .type {name}, @function", f"{name}:"]
        self.current = name

    def end(self):
        self.lines.append(f"    .size {self.current}, . - {self.current}")

    def block(self, number):
        """BLOCK instructions with a branch in them that is taken every other time."""
        label = self.label()
        self.put("add", "work", 1 + number % 100)
        self.put("xor", "other", "work")
        self.put("and", "bit", "work", 1)
        self.put("if_zero", "bit", label)
        self.put("add", "other", 3)
        self.place(label)
        self.put("xor", "work", "other")
        self.put("add", "work", 5)
        self.put("add", "other", 7)

    def main(self, passes, body):
        """_start: `passes` times what `body` writes, then exit with 0."""
        self.begin("_start")
        self.put("set", "count", max(1, passes))
        again = self.label()
        self.place(again)
        body()
        self.put("add", "count", -1)
        self.put("unless_zero", "count", again)
        self.puts("exit")
        self.end()


def length(w, size):
    """`size` instructions of a loop in a function that is called from a loop."""
    rounds = 1000
    w.begin("leaf")
    w.put("set", "inner", rounds)
    again = w.label()
    w.place(again)
    w.block(1)
    w.put("add", "inner", -1)
    w.put("unless_zero", "inner", again)
    w.puts("return")
    w.end()
    w.main(size // (rounds * (BLOCK + 2)), lambda: w.put("call", "leaf"))


def code(w, size):
    """`size` bytes of code in sixteen functions, all of it executed."""
    blocks = max(1, size // 4 // BLOCK // 16)
    for i in range(16):
        w.begin(f"part_{i}")
        for number in range(blocks):
            w.block(number)
        w.puts("return")
        w.end()

    def body():
        for i in range(16):
            w.put("call", f"part_{i}")

    w.main(EXECUTED // (16 * blocks * BLOCK), body)


def functions(w, size):
    """`size` functions, a tree of calls with FANOUT branches."""
    for i in range(size):
        children = range(i * FANOUT + 1, min((i + 1) * FANOUT + 1, size))
        w.begin(f"node_{i}")
        if children:
            w.puts("enter")
        w.block(i)
        for child in children:
            w.put("call", f"node_{child}")
        w.puts("leave" if children else "return")
        w.end()
    w.main(EXECUTED // (size * (BLOCK + 2)), lambda: w.put("call", "node_0"))


def callees(w, size):
    """A function that calls `size` others, each from two places."""
    for i in range(size):
        w.begin(f"leaf_{i}")
        w.block(i)
        w.puts("return")
        w.end()
    w.begin("root")
    w.puts("enter")
    for i in (*range(size), *range(size)):
        w.put("call", f"leaf_{i}")
    w.puts("leave")
    w.end()
    w.main(EXECUTED // (2 * size * (BLOCK + 2)), lambda: w.put("call", "root"))


def targets(w, size):
    """A loop that calls `size` functions through pointers, one after the other, from one place."""
    for i in range(size):
        w.begin(f"target_{i}")
        w.block(i)
        w.puts("return")
        w.end()

    def body():
        again = w.label()
        w.put("address", "next", "table")
        w.put("set", "left", size)
        w.place(again)
        w.put("load", "other", "next")
        w.put("call_pointer", "other")
        w.put("add", "next", 4)
        w.put("add", "left", -1)
        w.put("unless_zero", "left", again)

    w.main(EXECUTED // (size * (BLOCK + 6)), body)
    w.lines += ["    .section .rodata", "    .balign 4", "table:"]
    w.lines += [f"    .word target_{i}" for i in range(size)]


def paths(w, size):
    """`size` call paths to one function: a binary tree of calls, each node of which is called from two places."""
    depth = max(1, size.bit_length() - 1)
    for i in range(depth):
        w.begin(f"level_{i}")
        w.puts("enter")
        w.block(i)
        if i + 1 < depth:
            w.put("call", f"level_{i + 1}")
            w.put("call", f"level_{i + 1}")
        w.puts("leave")
        w.end()
    w.main(EXECUTED // (2**depth * (BLOCK + 6)), lambda: w.put("call", "level_0"))


def loops(w, size):
    """`size` loops one after the other, sixteen in a function."""
    parts = max(1, size // 16)
    for i in range(parts):
        w.begin(f"part_{i}")
        for _ in range(min(16, size)):
            again = w.label()
            w.put("set", "inner", 4)
            w.place(again)
            w.put("add", "work", 3)
            w.put("xor", "other", "work")
            w.put("add", "inner", -1)
            w.put("unless_zero", "inner", again)
        w.puts("return")
        w.end()

    def body():
        for i in range(parts):
            w.put("call", f"part_{i}")

    w.main(EXECUTED // (size * 17), body)


def recursion(w, size):
    """A function that calls itself `size` deep."""
    w.begin("deeper")
    w.puts("enter")
    w.block(1)
    w.put("add", "depth", -1)
    done = w.label()
    w.put("if_zero", "depth", done)
    w.put("call", "deeper")
    w.place(done)
    w.puts("leave")
    w.end()

    def body():
        w.put("set", "depth", size)
        w.put("call", "deeper")

    w.main(EXECUTED // (size * (BLOCK + 8)), body)


def chain(w, size):
    """`size` functions, each of which calls the next."""
    for i in range(size):
        w.begin(f"link_{i}")
        w.puts("enter")
        w.block(i)
        if i + 1 < size:
            w.put("call", f"link_{i + 1}")
        w.puts("leave")
        w.end()
    w.main(EXECUTED // (size * (BLOCK + 6)), lambda: w.put("call", "link_0"))


def changing(w, size):
    """A loop whose code is changed `size` times: a constant in it, before it runs on."""
    iterations = max(1, EXECUTED // (size * (BLOCK + 3)))
    w.begin("changed", '.changed, "awx"')
    w.put("set", "inner", iterations)
    constant = w.label()
    w.place(constant)
    w.put("add", "work", 1)
    w.block(1)
    w.put("add", "inner", -1)
    w.put("unless_zero", "inner", constant)
    w.puts("return")
    w.end()

    def body():
        w.put("address", "next", constant)
        w.put("load", "other", "next")
        w.put("set", "bit", w.words["add_1_or_3"])
        w.put("xor", "other", "bit")
        w.put("store", "other", "next")
        w.puts("synchronize")
        w.put("call", "changed")

    w.main(size, body)


def hello(w, size):
    """A program that prints a line, whatever the size."""
    del size
    w.begin("_start")
    w.puts("write")
    w.puts("exit")
    w.end()
    w.lines += ["    .section .rodata", 'text: .ascii "hello\\n"']


SHAPES = {shape.__name__: shape for shape in (length, code, functions, callees, targets, paths,
                                            loops, recursion, chain, changing, hello)}


def build(shape, size, target, directory):
    """The program as a file in `directory`; one that is there is not made again."""
    elf = directory / f"{target}-{shape}-{size}.elf"
    if elf.exists():
        return elf
    writer = Writer(target)
    SHAPES[shape](writer, size)
    source = elf.with_suffix(".s")
    source.write_text(".globl _start\n" + "\n".join(writer.lines) + "\n")
    part = elf.with_suffix(".part")
    subprocess.run([*TARGETS[target]["assemble"], source, "-o", part], check=True)
    part.rename(elf)
    return elf
