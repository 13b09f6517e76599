/* Tile removal from the checkerboard, red to move. Boards up to 8x8 are one word, larger ones two words of five rows. */
#include "limit.h"

static struct tally tally;

static void small(int size, word rng, long games) {
    const word inner = 0x7F7F7F7F7F7F7F7Fu;
    word start[2] = {0, 0};
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) start[(row + column) % 2 == 0] |= (word)1 << (8 * row + column);
    long plies = 0;
    for (long game = 0; game < games; game++) {
        word mine = start[0], theirs = start[1], gaps = 0;
        int player = 0;
        while (mine && theirs) {
            word tile = pick(mine, &rng);
            word near = (tile & inner) << 1 | ((tile >> 1) & inner) | tile << 8 | tile >> 8;
            word open = (gaps & inner) << 1 | ((gaps >> 1) & inner) | gaps << 8 | gaps >> 8;
            word gone = tile | (near & (mine | theirs) & open), left = mine & ~gone;
            mine = theirs & ~gone;
            theirs = left;
            gaps |= gone;
            player ^= 1;
            plies++;
        }
        tally.won[mine ? player ^ 1 : theirs ? player : 2]++;
    }
    tally.plies = plies;
}

#define FULL 0xFFFFFFFFFFFFFFFu

static void large(int size, word rng, long games) {
    word start[2][2] = {{0, 0}, {0, 0}};
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            start[(row + column) % 2 == 0][row / 5] |= (word)1 << (12 * (row % 5) + column);
    long plies = 0;
    for (long game = 0; game < games; game++) {
        word mine_a = start[0][0], mine_b = start[0][1], theirs_a = start[1][0], theirs_b = start[1][1];
        word gaps_a = 0, gaps_b = 0;
        int player = 0;
        while ((mine_a | mine_b) && (theirs_a | theirs_b)) {
            int first = popcount(mine_a), index = below(&rng, first + popcount(mine_b));
            word early = -(word)(index < first); /* a mask: which word is random, a branch would be guessed wrong */
            word tile = nth_bit(mine_b ^ ((mine_a ^ mine_b) & early), index - (first & ~(int)early));
            word a = tile & early, b = tile & ~early;
            word near_a = a << 1 | a >> 1 | ((a << 12) & FULL) | a >> 12 | ((b << 48) & FULL);
            word near_b = b << 1 | b >> 1 | ((b << 12) & FULL) | b >> 12 | a >> 48;
            word open_a = gaps_a << 1 | gaps_a >> 1 | ((gaps_a << 12) & FULL) | gaps_a >> 12 | ((gaps_b << 48) & FULL);
            word open_b = gaps_b << 1 | gaps_b >> 1 | ((gaps_b << 12) & FULL) | gaps_b >> 12 | gaps_a >> 48;
            word gone_a = a | (near_a & (mine_a | theirs_a) & open_a);
            word gone_b = b | (near_b & (mine_b | theirs_b) & open_b);
            word left_a = mine_a & ~gone_a, left_b = mine_b & ~gone_b;
            mine_a = theirs_a & ~gone_a;
            mine_b = theirs_b & ~gone_b;
            theirs_a = left_a;
            theirs_b = left_b;
            gaps_a |= gone_a;
            gaps_b |= gone_b;
            player ^= 1;
            plies++;
        }
        tally.won[mine_a | mine_b ? player ^ 1 : theirs_a | theirs_b ? player : 2]++;
    }
    tally.plies = plies;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    int size = atoi(arguments[1]);
    word rng = strtoull(arguments[2], 0, 10);
    double start = now();
    if (size <= 8) small(size, rng, atol(arguments[3]));
    else large(size, rng, atol(arguments[3]));
    return report(&tally, start);
}
