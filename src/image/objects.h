/*
 * objects.h - symbols with their sizes: what lies where in data.
 */
#ifndef GS_IMAGE_OBJECTS_H
#define GS_IMAGE_OBJECTS_H

#include "image/image.h"

/* Address and size of any named symbol; false if there is none. A size of 0 is one the file does
 * not tell. */
bool gs_image_find_object(const gs_image *image, const char *name, uint64_t *start, uint64_t *size);

#endif
