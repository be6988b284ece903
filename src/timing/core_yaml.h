/*
 * core_yaml.h - from a description's YAML to the numbers the models use.
 *
 * Private to core*.c.
 */
#ifndef GS_TIMING_CORE_YAML_H
#define GS_TIMING_CORE_YAML_H

#include "base/config.h"
#include "timing/core.h"
#include "timing/core_schema.h"

/* Fills in `core`, all zero before but for its arena, from what gs_config_load() made. */
gs_status gs_core_from_yaml(gs_core *core, const gs_config *config, const gs_yaml_core *yaml,
                            gs_error *err);

/* The energy table; the core's instruction set is known already. */
gs_status gs_core_read_energy(gs_core *core, const gs_config *config, const gs_yaml_energy *yaml,
                              gs_error *err);

/* What is particular to pipeline vliw: the target of the scheduler, of all else that is known of
 * the core. */
gs_status gs_core_read_vliw(gs_core *core, const gs_config *config, const gs_yaml_core *yaml,
                            gs_error *err);

/* What no single key can tell: whether the finished description can be built and whether its
 * pipeline looks at everything in it. */
gs_status gs_core_check(const gs_core *core, const gs_config *config, const gs_yaml_core *yaml,
                        gs_error *err);

/* The core's own copy of a text, NULL of NULL. */
gs_status gs_core_keep(gs_core *core, const char **to, const char *text, gs_error *err);

#endif
