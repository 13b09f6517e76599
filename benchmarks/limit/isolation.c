/* Knight isolation on 7x7 from knights on d4 (to move) and d2. Two plies a round, so that nobody has to be swapped. */
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
    word rng = strtoull(arguments[2], 0, 10), board = 0;
    long games = atol(arguments[3]), plies = 0, won = 0;
    prepare();
    for (int row = 0; row < 7; row++) board |= (word)0x7F << (8 * row);
    double start = now();
    for (long game = 0; game < games; game++) {
        word blank = board & ~((word)1 << 27) & ~((word)1 << 11), first = jumps[27], second = jumps[11], bit;
        for (;;) {
            if (!(first & blank)) break;
            blank ^= bit = pick(first & blank, &rng);
            first = jumps[lowest(bit)];
            plies++;
            if (!(second & blank)) {
                won++;
                break;
            }
            blank ^= bit = pick(second & blank, &rng);
            second = jumps[lowest(bit)];
            plies++;
        }
    }
    struct tally tally = {{won, games - won, 0}, plies};
    return report(&tally, start);
}
