/* Trap! from the standard start. A turn is straight-line code here: walk, aim, landing. */
#include "limit.h"

#ifndef SIZE
#define SIZE 7
#endif

static word neighbours[64];
static signed char hits[64][64]; /* of twenty throws from one cell at another */

int main(int count, char **arguments) {
    if (count != 4) return 2;
    word rng = strtoull(arguments[2], 0, 10), square = 0;
    long games = atol(arguments[3]), plies = 0;
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++) {
            int rows = abs(a / 8 - b / 8), columns = abs(a % 8 - b % 8);
            if (a != b && rows <= 1 && columns <= 1) neighbours[a] |= (word)1 << b;
            hits[a][b] = (signed char)(21 - rows - columns);
        }
    for (int row = 0; row < SIZE; row++) square |= (((word)1 << SIZE) - 1) << (8 * row);
    struct tally tally = {{0, 0, 0}, 0};
    double start = now();
    for (long game = 0; game < games; game++) {
        int mine = SIZE / 2, theirs = 8 * (SIZE - 1) + SIZE / 2, player = 0, winner = 2;
        word blocked = ~square, other = (word)1 << theirs;
        for (int turns = 0;; turns++) {
            word walks = neighbours[mine] & ~(blocked | other);
            if (!walks) { winner = player ^ 1; break; }
            if (turns == 150) break;
            word own = pick(walks, &rng);
            mine = lowest(own);
            plies++;
            if (!(neighbours[theirs] & ~(blocked | own))) { winner = player; break; }
            word cells = square & ~(own | other), landing = nth_bit(cells, below(&rng, SIZE * SIZE - 2));
            int target = lowest(landing);
            if (below(&rng, 20) >= hits[mine][target]) landing = pick(neighbours[target] & cells, &rng);
            blocked |= landing;
            plies += 2;
            int swap = mine;
            mine = theirs;
            theirs = swap;
            other = own;
            player ^= 1;
        }
        tally.won[winner]++;
    }
    tally.plies = plies;
    return report(&tally, start);
}
