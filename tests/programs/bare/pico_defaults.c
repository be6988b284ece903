/* Linked where picolibc links by default, which is nowhere the board has memory. */
#include <stdio.h>
#include <stdlib.h>

static int numbers[4] = {1, 2, 3, 4};
static int zeros[100];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += numbers[i] + zeros[25 * i];
    int *heap = malloc(4000);
    for (int i = 0; i < 1000; i++)
        heap[i] = i;
    printf("%d %d\n", sum, heap[999]);
    free(heap);
    return 0;
}
