/* A loop with markers around a part of it, which is to be measured. */
#include "marked.h"

int main(void)
{
    put_dec(work());
    put("\n");
    return 0;
}
