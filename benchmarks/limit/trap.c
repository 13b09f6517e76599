/* Trap! on 7x7 from the standard start. A turn is straight-line code here: walk, aim, landing. */
#include "limit.h"

static word neighbours[64];

int main(int count, char **arguments) {
    if (count != 4) return 2;
    const int size = atoi(arguments[1]);
    word rng = strtoull(arguments[2], 0, 10), square = 0;
    long games = atol(arguments[3]);
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++)
            if (a != b && abs(a / 8 - b / 8) <= 1 && abs(a % 8 - b % 8) <= 1) neighbours[a] |= (word)1 << b;
    for (int row = 0; row < size; row++) square |= (((word)1 << size) - 1) << (8 * row);
    struct tally tally = {{0, 0, 0}, 0};
    double start = now();
    for (long game = 0; game < games; game++) {
        int mine = size / 2, theirs = 8 * (size - 1) + size / 2, player = 0, winner = 2;
        word blocked = ~square;
        for (int turns = 0;; turns++) {
            word walks = neighbours[mine] & ~(blocked | (word)1 << theirs);
            if (!walks) { winner = player ^ 1; break; }
            if (turns == 150) break;
            mine = nth(walks, below(&rng, popcount(walks)));
            tally.plies++;
            if (!(neighbours[theirs] & ~(blocked | (word)1 << mine))) { winner = player; break; }
            word cells = square & ~((word)1 << mine | (word)1 << theirs);
            int target = nth(cells, below(&rng, popcount(cells))), landing = target;
            int distance = abs(mine / 8 - target / 8) + abs(mine % 8 - target % 8);
            if (below(&rng, 20) >= 21 - distance) {
                word misses = neighbours[target] & cells;
                landing = nth(misses, below(&rng, popcount(misses)));
            }
            blocked |= (word)1 << landing;
            tally.plies += 2;
            int swap = mine;
            mine = theirs;
            theirs = swap;
            player ^= 1;
        }
        tally.won[winner]++;
    }
    return report(&tally, start);
}
