/* Colosseum Survival! without interior walls at the start, players at the middle of the first row and opposite.
 * Boards are one word for sizes to 8, two to 10, three to 12. */
#include "limit.h"

#ifndef SIZE
#define SIZE 6
#endif
#if SIZE <= 8
#define WORDS 1
#elif SIZE <= 10
#define WORDS 2
#else
#define WORDS 3
#endif
#define FULL 0xFFFFFFFFFFFFFFFu
#define INLINE static inline __attribute__((always_inline))

#if WORDS == 1
#define STRIDE 8
typedef struct { word a; } board;
INLINE board single(int cell) { return (board){(word)1 << cell}; }
INLINE board both(board x, board y) { return (board){x.a & y.a}; }
INLINE board either(board x, board y) { return (board){x.a | y.a}; }
INLINE board minus(board x, board y) { return (board){x.a & ~y.a}; }
INLINE int is_empty(board x) { return x.a == 0; }
INLINE int size_of(board x) { return popcount(x.a); }
INLINE board nth_of(board x, int index) { return (board){nth_bit(x.a, index)}; }
INLINE board right(board x) { return (board){x.a << 1}; }
INLINE board left(board x) { return (board){x.a >> 1}; }
INLINE board down(board x) { return (board){x.a << 8}; }
INLINE board up(board x) { return (board){x.a >> 8}; }
#elif WORDS == 2
#define STRIDE 12
typedef struct { word a, b; } board;
INLINE board single(int cell) {
    word bit = (word)1 << (cell < 60 ? cell : cell - 60);
    return (board){cell < 60 ? bit : 0, cell < 60 ? 0 : bit};
}
INLINE board both(board x, board y) { return (board){x.a & y.a, x.b & y.b}; }
INLINE board either(board x, board y) { return (board){x.a | y.a, x.b | y.b}; }
INLINE board minus(board x, board y) { return (board){x.a & ~y.a, x.b & ~y.b}; }
INLINE int is_empty(board x) { return (x.a | x.b) == 0; }
INLINE int size_of(board x) { return popcount(x.a) + popcount(x.b); }
INLINE board nth_of(board x, int index) {
    int first = popcount(x.a);
    return index < first ? (board){nth_bit(x.a, index), 0} : (board){0, nth_bit(x.b, index - first)};
}
INLINE board right(board x) { return (board){x.a << 1, x.b << 1}; }
INLINE board left(board x) { return (board){x.a >> 1, x.b >> 1}; }
INLINE board down(board x) { return (board){(x.a << 12) & FULL, ((x.b << 12) & FULL) | x.a >> 48}; }
INLINE board up(board x) { return (board){x.a >> 12 | x.b << 48, x.b >> 12}; } /* masked by the caller */
#else
#define STRIDE 12
typedef struct { word a, b, c; } board;
INLINE board single(int cell) {
    int part = cell / 60;
    word bit = (word)1 << (cell - 60 * part);
    return (board){part == 0 ? bit : 0, part == 1 ? bit : 0, part == 2 ? bit : 0};
}
INLINE board both(board x, board y) { return (board){x.a & y.a, x.b & y.b, x.c & y.c}; }
INLINE board either(board x, board y) { return (board){x.a | y.a, x.b | y.b, x.c | y.c}; }
INLINE board minus(board x, board y) { return (board){x.a & ~y.a, x.b & ~y.b, x.c & ~y.c}; }
INLINE int is_empty(board x) { return (x.a | x.b | x.c) == 0; }
INLINE int size_of(board x) { return popcount(x.a) + popcount(x.b) + popcount(x.c); }
INLINE board nth_of(board x, int index) {
    int first = popcount(x.a), second = first + popcount(x.b);
    if (index < first) return (board){nth_bit(x.a, index), 0, 0};
    if (index < second) return (board){0, nth_bit(x.b, index - first), 0};
    return (board){0, 0, nth_bit(x.c, index - second)};
}
INLINE board right(board x) { return (board){x.a << 1, x.b << 1, x.c << 1}; }
INLINE board left(board x) { return (board){x.a >> 1, x.b >> 1, x.c >> 1}; }
INLINE board down(board x) {
    return (board){(x.a << 12) & FULL, ((x.b << 12) & FULL) | x.a >> 48, ((x.c << 12) & FULL) | x.b >> 48};
}
INLINE board up(board x) { return (board){x.a >> 12 | x.b << 48, x.b >> 12 | x.c << 48, x.c >> 12}; }
#endif

INLINE board spread(board cells, board rights, board downs) {
    board sideways = either(right(both(cells, rights)), both(left(cells), rights));
    board upright = either(down(both(cells, downs)), both(up(cells), downs));
    return either(cells, either(sideways, upright));
}

INLINE int component(board rights, board downs, board cells) {
    board wider = spread(cells, rights, downs);
    while (!is_empty(minus(wider, cells))) cells = wider, wider = spread(cells, rights, downs);
    return size_of(cells);
}

INLINE int are_connected(board rights, board downs, board cells, board goal) {
    board wider = spread(cells, rights, downs);
    while (is_empty(both(wider, goal))) {
        if (is_empty(minus(wider, cells))) return 0;
        cells = wider, wider = spread(cells, rights, downs);
    }
    return 1;
}

/* Whether a wall leaves one of its ends touching nothing: then it cannot close anything off. */
INLINE int is_loose_upright(board wall, board rights, board downs) {
    board pair = both(downs, left(downs));
    return !is_empty(either(both(wall, both(pair, up(rights))), both(up(wall), both(pair, rights))));
}

INLINE int is_loose_level(board wall, board rights, board downs) {
    board pair = both(rights, up(rights));
    return !is_empty(either(both(wall, both(pair, left(downs))), both(left(wall), both(pair, downs))));
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    word rng = strtoull(arguments[2], 0, 10);
    long games = atol(arguments[3]), plies = 0;
    board all_rights = minus(single(0), single(0)), all_downs = all_rights;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++) {
            if (column < SIZE - 1) all_rights = either(all_rights, single(STRIDE * row + column));
            if (row < SIZE - 1) all_downs = either(all_downs, single(STRIDE * row + column));
        }
    struct tally tally = {{0, 0, 0}, 0};
    double start = now();
    for (long game = 0; game < games; game++) {
        board rights = all_rights, downs = all_downs;
        board mine = single(SIZE / 2), theirs = single((SIZE - 1) * (STRIDE + 1) - SIZE / 2);
        int player = 0, separated = 0;
        while (!separated) {
            board free_rights = minus(rights, either(theirs, left(theirs))), free_downs = minus(downs, either(theirs, up(theirs)));
            board cells = mine;
            for (int step = 0; step < (SIZE + 1) / 2; step++) cells = spread(cells, free_rights, free_downs);
            board u = both(cells, down(downs)), r = both(cells, rights), d = both(cells, downs), l = both(cells, right(rights));
            int up_to = size_of(u), right_to = up_to + size_of(r), down_to = right_to + size_of(d);
            int index = below(&rng, down_to + size_of(l)), side = (index >= up_to) + (index >= right_to) + (index >= down_to);
            board set = side < 2 ? (side == 0 ? u : r) : (side == 2 ? d : l);
            board cell = nth_of(set, index - (side < 2 ? (side == 0 ? 0 : up_to) : (side == 2 ? right_to : down_to)));
            board wall = side == 0 ? up(cell) : side == 3 ? left(cell) : cell;
            int loose;
            if (side & 1) {
                rights = minus(rights, wall);
                loose = is_loose_upright(wall, rights, downs);
            } else {
                downs = minus(downs, wall);
                loose = is_loose_level(wall, rights, downs);
            }
            separated = !loose && !are_connected(rights, downs, cell, theirs);
            mine = theirs;
            theirs = cell;
            player ^= 1;
            plies++;
        }
        int own = component(rights, downs, mine), other = component(rights, downs, theirs);
        tally.won[own == other ? 2 : own > other ? player : player ^ 1]++;
    }
    tally.plies = plies;
    return report(&tally, start);
}
