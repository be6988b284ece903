/*
 * insights.h - what stands out in a profile, in sentences.
 *
 * A small table of rules looks at the profile; each says how striking what it found is, as the
 * percentage of all cycles it concerns, more or less. The most striking come first.
 */
#ifndef GS_REPORT_INSIGHTS_H
#define GS_REPORT_INSIGHTS_H

#include "profile/profile.h"

typedef struct gs_insight {
    const char *rule; /* which one found it */
    double weight;    /* 0: nothing */
    char text[320];   /* a sentence; names in it are the program's */
} gs_insight;

enum { GS_INSIGHTS = 9 }; /* rules there are */

/* Writes at most GS_INSIGHTS, the most striking first; *count gets how many. */
gs_status gs_insights_find(gs_insight insights[GS_INSIGHTS], size_t *count,
                           const gs_profile *profile, gs_error *err);

#endif
