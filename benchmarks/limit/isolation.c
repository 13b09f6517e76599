/* Knight isolation on 7x7 from knights on d4 (to move) and d2. */
#include "limit.h"

static word jumps[64];

static void prepare(void) {
    static const int steps[8][2] = {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}};
    for (int cell = 0; cell < 64; cell++)
        for (int k = 0; k < 8; k++) {
            int row = cell / 8 + steps[k][0], column = cell % 8 + steps[k][1];
            if (row >= 0 && row < 8 && column >= 0 && column < 8) jumps[cell] |= (word)1 << (8 * row + column);
        }
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    word rng = strtoull(arguments[2], 0, 10), off = ~(word)0;
    long games = atol(arguments[3]);
    prepare();
    for (int row = 0; row < 7; row++) off &= ~((word)0x7F << (8 * row));
    struct tally tally = {{0, 0, 0}, 0};
    double start = now();
    for (long game = 0; game < games; game++) {
        int mine = 27, theirs = 11, player = 0;
        word blocked = off | (word)1 << mine | (word)1 << theirs, free;
        while ((free = jumps[mine] & ~blocked)) {
            int cell = nth(free, below(&rng, popcount(free)));
            blocked |= (word)1 << cell;
            mine = theirs;
            theirs = cell;
            player ^= 1;
            tally.plies++;
        }
        tally.won[player ^ 1]++;
    }
    return report(&tally, start);
}
