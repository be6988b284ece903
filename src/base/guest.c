/* Headers for guest programs, from the embedded files. */
#include "gumshoe/guest.h"

#include "base/embedded.h"

const char *gs_guest_file(const char *name)
{
    const gs_embedded *file = gs_embedded_find("guest", name);
    return file ? file->text : (const char *)0;
}
