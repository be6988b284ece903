/*
 * energy_fit.h - from measured runs to an energy table.
 *
 * Every run is an equation: its counts times what each instruction costs make its energy. Costs
 * that cannot be negative and fit all runs best, relative to their energies, are found by least
 * squares; similar ones are put together into groups, and the groups' costs fitted again. The
 * error that matters is that of a run which was not fitted to: each one in turn is left out.
 */
#ifndef GS_TIMING_ENERGY_FIT_H
#define GS_TIMING_ENERGY_FIT_H

#include "timing/energy_samples.h"

typedef struct gs_energy_fit {
    size_t groups;        /* how many there are */
    size_t rank;          /* of the equations: below `columns`, several tables fit equally well */
    size_t columns;       /* costs that were asked for */
    double *cost_j;       /* by column of the samples: of one execution, before grouping */
    size_t *group;        /* by column; of the stall: `groups` */
    double *group_j;      /* by group, and last of the stall: of one execution */
    double *fitted_j;     /* by row: what the table says of the run */
    double *left_out_j;   /* by row: what a table fitted without the run says of it */
    double error;         /* average over all rows of |left out - measured| / measured */
    double average_stall; /* percent of all cycles, averaged over the runs */
} gs_energy_fit;

/* At most `groups` groups, from 1 to GS_CORE_GROUP_MAX. */
gs_status gs_energy_fit_open(gs_energy_fit *out, const gs_energy_samples *samples, size_t groups,
                             gs_error *err);
void gs_energy_fit_fini(gs_energy_fit *fit);

#endif
