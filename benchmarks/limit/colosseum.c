/* Colosseum Survival! without interior walls at the start, players at the middle of the first row and opposite.
 * Compiled once for each layout: WORDS=1 for sizes to 8, 2 to 10, 3 to 12. */
#include "limit.h"

#ifndef WORDS
#define WORDS 1
#endif
#define FULL 0xFFFFFFFFFFFFFFFu
#define INLINE static inline __attribute__((always_inline))

#if WORDS == 1
#define STRIDE 8
typedef struct { word a; } board;
INLINE board single(int cell) { return (board){(word)1 << cell}; }
INLINE int has(board x, int cell) { return (x.a >> cell) & 1; }
INLINE board both(board x, board y) { return (board){x.a & y.a}; }
INLINE board either(board x, board y) { return (board){x.a | y.a}; }
INLINE board minus(board x, board y) { return (board){x.a & ~y.a}; }
INLINE int is_empty(board x) { return x.a == 0; }
INLINE int size_of(board x) { return popcount(x.a); }
INLINE int nth_cell(board x, int index) { return nth(x.a, index); }
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
INLINE int has(board x, int cell) { return ((cell < 60 ? x.a : x.b) >> (cell < 60 ? cell : cell - 60)) & 1; }
INLINE board both(board x, board y) { return (board){x.a & y.a, x.b & y.b}; }
INLINE board either(board x, board y) { return (board){x.a | y.a, x.b | y.b}; }
INLINE board minus(board x, board y) { return (board){x.a & ~y.a, x.b & ~y.b}; }
INLINE int is_empty(board x) { return (x.a | x.b) == 0; }
INLINE int size_of(board x) { return popcount(x.a) + popcount(x.b); }
INLINE int nth_cell(board x, int index) {
    int first = popcount(x.a);
    return index < first ? nth(x.a, index) : 60 + nth(x.b, index - first);
}
INLINE board right(board x) { return (board){x.a << 1, x.b << 1}; }
INLINE board left(board x) { return (board){x.a >> 1, x.b >> 1}; }
INLINE board down(board x) { return (board){(x.a << 12) & FULL, ((x.b << 12) & FULL) | x.a >> 48}; }
INLINE board up(board x) { return (board){x.a >> 12 | ((x.b << 48) & FULL), x.b >> 12}; }
#else
#define STRIDE 12
typedef struct { word a, b, c; } board;
INLINE board single(int cell) {
    int part = cell / 60;
    word bit = (word)1 << (cell - 60 * part);
    return (board){part == 0 ? bit : 0, part == 1 ? bit : 0, part == 2 ? bit : 0};
}
INLINE int has(board x, int cell) {
    int part = cell / 60;
    return ((part == 0 ? x.a : part == 1 ? x.b : x.c) >> (cell - 60 * part)) & 1;
}
INLINE board both(board x, board y) { return (board){x.a & y.a, x.b & y.b, x.c & y.c}; }
INLINE board either(board x, board y) { return (board){x.a | y.a, x.b | y.b, x.c | y.c}; }
INLINE board minus(board x, board y) { return (board){x.a & ~y.a, x.b & ~y.b, x.c & ~y.c}; }
INLINE int is_empty(board x) { return (x.a | x.b | x.c) == 0; }
INLINE int size_of(board x) { return popcount(x.a) + popcount(x.b) + popcount(x.c); }
INLINE int nth_cell(board x, int index) {
    int first = popcount(x.a), second = first + popcount(x.b);
    if (index < first) return nth(x.a, index);
    if (index < second) return 60 + nth(x.b, index - first);
    return 120 + nth(x.c, index - second);
}
INLINE board right(board x) { return (board){x.a << 1, x.b << 1, x.c << 1}; }
INLINE board left(board x) { return (board){x.a >> 1, x.b >> 1, x.c >> 1}; }
INLINE board down(board x) {
    return (board){(x.a << 12) & FULL, ((x.b << 12) & FULL) | x.a >> 48, ((x.c << 12) & FULL) | x.b >> 48};
}
INLINE board up(board x) { return (board){x.a >> 12 | ((x.b << 48) & FULL), x.b >> 12 | ((x.c << 48) & FULL), x.c >> 12}; }
#endif

INLINE board spread(board cells, board rights, board downs) {
    board sideways = either(right(both(cells, rights)), both(left(cells), rights));
    board upright = either(down(both(cells, downs)), both(up(cells), downs));
    return either(cells, either(sideways, upright));
}

INLINE int component(board rights, board downs, int cell) {
    board cells = single(cell), wider = spread(cells, rights, downs);
    while (!is_empty(minus(wider, cells))) cells = wider, wider = spread(cells, rights, downs);
    return size_of(cells);
}

INLINE int are_connected(board rights, board downs, int cell, int other) {
    board goal = single(other), cells = single(cell), wider = spread(cells, rights, downs);
    while (is_empty(both(wider, goal))) {
        if (is_empty(minus(wider, cells))) return 0;
        cells = wider, wider = spread(cells, rights, downs);
    }
    return 1;
}

INLINE int has_loose_end(board parallel, board crossing, int anchor, int along, int across) {
    if (has(crossing, anchor) && has(crossing, anchor + across) && has(parallel, anchor + along)) return 1;
    int before = anchor - along;
    return before >= 0 && has(crossing, before) && has(parallel, before) && has(crossing, before + across);
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    const int size = atoi(arguments[1]), steps = (size + 1) / 2;
    word rng = strtoull(arguments[2], 0, 10);
    long games = atol(arguments[3]);
    board all_rights = minus(single(0), single(0)), all_downs = all_rights;
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            if (column < size - 1) all_rights = either(all_rights, single(STRIDE * row + column));
            if (row < size - 1) all_downs = either(all_downs, single(STRIDE * row + column));
        }
    struct tally tally = {{0, 0, 0}, 0};
    double start = now();
    for (long game = 0; game < games; game++) {
        board rights = all_rights, downs = all_downs;
        int mine = size / 2, theirs = (size - 1) * (STRIDE + 1) - size / 2, player = 0, separated = 0;
        while (!separated) {
            board cells = single(mine), opponent = single(theirs);
            for (int step = 0; step < steps; step++) cells = minus(spread(cells, rights, downs), opponent);
            board u = both(cells, down(downs)), r = both(cells, rights), d = both(cells, downs), l = both(cells, right(rights));
            int up_to = size_of(u), right_to = up_to + size_of(r), down_to = right_to + size_of(d);
            int index = below(&rng, down_to + size_of(l)), cell, anchor, upright, loose;
            if (index < up_to) cell = nth_cell(u, index), anchor = cell - STRIDE, upright = 0;
            else if (index < right_to) anchor = cell = nth_cell(r, index - up_to), upright = 1;
            else if (index < down_to) anchor = cell = nth_cell(d, index - right_to), upright = 0;
            else cell = nth_cell(l, index - down_to), anchor = cell - 1, upright = 1;
            if (upright) {
                rights = minus(rights, single(anchor));
                loose = has_loose_end(rights, downs, anchor, STRIDE, 1);
            } else {
                downs = minus(downs, single(anchor));
                loose = has_loose_end(downs, rights, anchor, 1, STRIDE);
            }
            separated = !loose && !are_connected(rights, downs, cell, theirs);
            mine = theirs;
            theirs = cell;
            player ^= 1;
            tally.plies++;
        }
        int own = component(rights, downs, mine), other = component(rights, downs, theirs);
        tally.won[own == other ? 2 : own > other ? player : player ^ 1]++;
    }
    return report(&tally, start);
}
