/* Does not end. */
int main(void)
{
    for (volatile unsigned i = 0;; i++)
        continue;
}
