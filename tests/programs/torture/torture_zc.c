/*
 * Instructions that the assembler does not know (Zcb, Zcmp) by their encodings, and Zbkb's. Each
 * part runs long enough for the code around it to be translated, and knows its result.
 */
#include "rt.h"

enum { MANY = 3000, REGISTERS = 13 };

uint32_t sum_to(uint32_t n), nothing(uint32_t), moved(uint32_t first, uint32_t second);
uint32_t extended(uint32_t value), bytes(uint8_t *four), bits(uint32_t value);
void layout(uint32_t found[REGISTERS + 3]);

__asm__(".option arch, +zbkb\n"
        ".type sum_to, @function\n"
        "sum_to:\n"
        "    .2byte 0xb852\n" /* cm.push {ra, s0}, -16 */
        "    mv s0, a0\n"
        "    beqz a0, 1f\n"
        "    addi a0, a0, -1\n"
        "    jal sum_to\n"
        "    add a0, a0, s0\n"
        "1:  .2byte 0xbe52\n" /* cm.popret {ra, s0}, 16 */
        ".size sum_to, . - sum_to\n"

        ".type nothing, @function\n"
        "nothing:\n"
        "    .2byte 0xb84a\n" /* cm.push {ra}, -48 */
        "    li ra, 0\n"
        "    .2byte 0xbc4a\n" /* cm.popretz {ra}, 48 */
        ".size nothing, . - nothing\n"

        ".type moved, @function\n"
        "moved:\n"
        "    .2byte 0xb862\n" /* cm.push {ra, s0-s1}, -16 */
        "    .2byte 0xac26\n" /* cm.mvsa01 s0, s1 */
        "    li a0, 0\n"
        "    li a1, 0\n"
        "    .2byte 0xace2\n" /* cm.mva01s s1, s0 */
        "    slli a0, a0, 8\n"
        "    or a0, a0, a1\n"
        "    .2byte 0xbe62\n" /* cm.popret {ra, s0-s1}, 16 */
        ".size moved, . - moved\n"

        ".type extended, @function\n"
        "extended:\n"
        "    mv a1, a0\n"
        "    .2byte 0x9d61\n" /* c.zext.b a0 */
        "    mv a2, a0\n"
        "    mv a0, a1\n"
        "    .2byte 0x9d65\n" /* c.sext.b a0 */
        "    add a2, a2, a0\n"
        "    mv a0, a1\n"
        "    .2byte 0x9d69\n" /* c.zext.h a0 */
        "    xor a2, a2, a0\n"
        "    mv a0, a1\n"
        "    .2byte 0x9d6d\n" /* c.sext.h a0 */
        "    add a2, a2, a0\n"
        "    mv a0, a2\n"
        "    .2byte 0x9d75\n" /* c.not a0 */
        "    .2byte 0x9d4d\n" /* c.mul a0, a1 */
        "    ret\n"
        ".size extended, . - extended\n"

        ".type bytes, @function\n"
        "bytes:\n"
        "    mv a1, a0\n"
        "    .2byte 0x81c8\n" /* c.lbu a0, 1(a1) */
        "    mv a2, a0\n"
        "    .2byte 0x85a8\n" /* c.lhu a0, 2(a1) */
        "    add a2, a2, a0\n"
        "    .2byte 0x85e8\n" /* c.lh a0, 2(a1) */
        "    add a0, a0, a2\n"
        "    .2byte 0x89e8\n" /* c.sb a0, 3(a1) */
        "    .2byte 0x8d88\n" /* c.sh a0, 0(a1) */
        "    ret\n"
        ".size bytes, . - bytes\n"

        ".type bits, @function\n"
        "bits:\n"
        "    brev8 a1, a0\n"
        "    zip a2, a0\n"
        "    unzip a3, a0\n"
        "    pack a4, a1, a2\n"
        "    packh a5, a2, a3\n"
        "    xor a0, a1, a2\n"
        "    add a0, a0, a3\n"
        "    xor a0, a0, a4\n"
        "    add a0, a0, a5\n"
        "    ret\n"
        ".size bits, . - bits\n"

        /* What a push of all registers leaves in memory, in the order of addresses; how far it
         * moves the stack; and the same after the pop. */
        ".type layout, @function\n"
        "layout:\n"
        "    addi sp, sp, -64\n"
        "    sw ra, 0(sp)\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
        "    sw s\\n, 4 + 4 * \\n(sp)\n"
        "    li s\\n, 100 + \\n\n"
        "    .endr\n"
        "    li ra, 99\n"
        "    mv t2, sp\n"
        "    .2byte 0xb8f2\n" /* cm.push {ra, s0-s11}, -64 */
        "    sub t3, t2, sp\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12\n"
        "    lw t0, 12 + 4 * \\n(sp)\n"
        "    sw t0, 4 * \\n(a0)\n"
        "    .endr\n"
        "    sw t3, 52(a0)\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
        "    li s\\n, 0\n"
        "    .endr\n"
        "    li ra, 0\n"
        "    .2byte 0xbaf2\n" /* cm.pop {ra, s0-s11}, 64 */
        "    sub t3, t2, sp\n"
        "    sw t3, 56(a0)\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
        "    add ra, ra, s\\n\n"
        "    .endr\n"
        "    sw ra, 60(a0)\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
        "    lw s\\n, 4 + 4 * \\n(sp)\n"
        "    .endr\n"
        "    lw ra, 0(sp)\n"
        "    addi sp, sp, 64\n"
        "    ret\n"
        ".size layout, . - layout\n");

static void expect(const char *what, uint32_t found, uint32_t wanted)
{
    put(what);
    put(" ");
    put_dec(found);
    put(found == wanted ? "\n" : " is wrong\n");
}

static uint32_t extended_in_c(uint32_t v)
{
    uint32_t sum = (uint8_t)v + (uint32_t)(int8_t)v;
    return ~((sum ^ (uint16_t)v) + (uint32_t)(int16_t)v) * v;
}

static uint32_t bytes_in_c(uint8_t *four)
{
    uint16_t half = (uint16_t)(four[2] | four[3] << 8);
    uint32_t sum = (uint32_t)four[1] + half + (uint32_t)(int16_t)half;
    four[3] = (uint8_t)sum;
    four[0] = (uint8_t)sum;
    four[1] = (uint8_t)(sum >> 8);
    return sum;
}

static uint32_t bits_in_c(uint32_t v)
{
    uint32_t reversed = 0, zipped = 0, unzipped = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t bit = v >> i & 1;
        reversed |= bit << ((i & 24) + 7 - (i & 7));
        zipped |= bit << (i < 16 ? 2 * i : 2 * i - 31);
        unzipped |= bit << (i & 1 ? 16 + i / 2 : i / 2);
    }
    uint32_t packed = (reversed & 0xffff) | zipped << 16;
    uint32_t halves = (zipped & 0xff) | (unzipped & 0xff) << 8;
    return (((reversed ^ zipped) + unzipped) ^ packed) + halves;
}

int main(void)
{
    uint32_t sum = 0, other = 0;
    for (uint32_t i = 0; i < MANY; i++)
        sum += sum_to(i % 20) + nothing(i) + moved(i & 0xff, 3);
    for (uint32_t i = 0; i < MANY; i++)
        other += (i % 20) * (i % 20 + 1) / 2 + (3u << 8 | (i & 0xff));
    expect("lists", sum, other);

    uint32_t found[REGISTERS + 3];
    uint32_t wrong = 0;
    for (uint32_t times = 0; times < MANY / 10; times++) {
        layout(found);
        for (uint32_t i = 0; i < REGISTERS; i++)
            wrong += found[i] != 99 + i;
        wrong += found[13] != 64 || found[14] != 0 || found[15] != 99 + 12 * 100 + 66;
    }
    expect("layout", wrong, 0);

    uint8_t here[4] = {1, 2, 3, 0x94}, there[4] = {1, 2, 3, 0x94};
    sum = other = 0;
    for (uint32_t i = 0, v = 1; i < MANY; i++, v = v * 1664525 + 1013904223) {
        here[2] = there[2] = (uint8_t)v;
        sum = sum * 3 + (extended(v) ^ bytes(here) ^ bits(v));
        other = other * 3 + (extended_in_c(v) ^ bytes_in_c(there) ^ bits_in_c(v));
    }
    expect("small", sum, other);
    return 0;
}
