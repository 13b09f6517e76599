/* What the four programs share: the generator, bits, the clock, and the printed line.
 *
 * Each program plays uniformly random games to the end as fast as plain C can, with the same generator and the same
 * order of moves as Harena's kernels: from one seed both must play the very same games, and the runner checks that
 * they do. Usage: PROGRAM SIZE SEED GAMES; prints: first second drawn plies seconds. SIZE is also known when a program
 * is compiled, as -DSIZE. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t word;

static inline word mix(word w) {
    w = (w ^ (w >> 30)) * 0xBF58476D1CE4E5B9u;
    w = (w ^ (w >> 27)) * 0x94D049BB133111EBu;
    return w ^ (w >> 31);
}

static inline word draw(word *rng) { return mix(*rng += 0x9E3779B97F4A7C15u); }

static inline int below(word *rng, int limit) {
    word bound = (word)limit, product = (draw(rng) >> 32) * bound;
    if ((product & 0xFFFFFFFFu) < bound) {
        word threshold = (0x100000000u - bound) % bound;
        while ((product & 0xFFFFFFFFu) < threshold) product = (draw(rng) >> 32) * bound;
    }
    return (int)(product >> 32);
}

static inline int popcount(word w) { return __builtin_popcountll(w); }

static inline int lowest(word w) { return __builtin_ctzll(w); }

/* The set bit with this index, as a word: no need to go through its number. */
static inline word nth_bit(word w, int index) {
#ifdef __BMI2__
    return _pdep_u64((word)1 << index, w);
#else
    while (index--) w &= w - 1;
    return w & -w;
#endif
}

static inline word pick(word w, word *rng) { return nth_bit(w, below(rng, popcount(w))); }

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct tally { long won[3], plies; };

static int report(const struct tally *tally, double start) {
    printf("%ld %ld %ld %ld %.6f\n", tally->won[0], tally->won[1], tally->won[2], tally->plies, now() - start);
    return 0;
}
