/*
 * verdicts.h - a profile held against a budget.
 */
#ifndef GS_REPORT_VERDICTS_H
#define GS_REPORT_VERDICTS_H

#include "profile/profile.h"
#include "report/budget.h"

typedef struct gs_verdict {
    const gs_part *part;
    const gs_limit *limit;
    bool skipped; /* the part is optional, and was not executed */
    bool held;
    uint64_t amount;   /* of the quantity */
    uint64_t per;      /* what it is divided by; 1 if by nothing */
    long double value; /* amount / per, or a share in percent */
} gs_verdict;

typedef struct gs_verdicts {
    gs_verdict *items; /* in the order of the file */
    size_t count, capacity;
    size_t exceeded, skipped;
} gs_verdicts;

gs_status gs_verdicts_open(gs_verdicts *verdicts, const gs_profile *profile,
                           const gs_budget *budget, gs_error *err);
void gs_verdicts_close(gs_verdicts *verdicts);

/* "crc16", "loop 2 of crc16", "core.c:20", "program" */
void gs_part_describe(const gs_part *part, char *to, size_t size);

#endif
