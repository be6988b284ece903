/*
 * board_yaml.h - the schema of board files, and the checks it cannot express.
 *
 * Private to board*.c.
 */
#ifndef GS_MACHINE_BARE_BOARD_YAML_H
#define GS_MACHINE_BARE_BOARD_YAML_H

#include "base/config.h"
#include "machine/bare/board.h"

extern const cyaml_schema_value_t gs_board_schema;

/* Fills in `board`, all zero before, from what gs_config_load() made. On failure `board` is
 * partly filled and to be freed. */
gs_status gs_board_from_yaml(gs_board *board, const gs_config *config, const void *yaml,
                             gs_error *err);

const char *gs_board_type_name(gs_board_device_type type);

#endif
