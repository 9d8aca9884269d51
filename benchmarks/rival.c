/* A classic 9x9 solver in plain C, to stand beside `sudoku-models` in benchmarks/programs.py:
 *
 *     cc -O3 -march=native -o rival benchmarks/rival.c
 *     python benchmarks/programs.py FILE --rival "./rival {input} {output}"
 *
 * It reads lines of 81 characters from a mapped file, finds the solution and looks for a second one, and writes a line
 * of 81 digits, or 81 zeros where there is not exactly one solution. Naked and hidden singles to the end, then a guess
 * in the cell with the fewest candidates: what a careful programmer writes in an afternoon, with nothing from here.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL 0x1ff

typedef struct {
    unsigned short open[81];   /* candidates, bit v for v + 1; 0 once the cell is set */
    unsigned char value[81];   /* 1 to 9, 0 while open */
    int left;
} Board;

static unsigned char peers[81][20], units[27][9];
static unsigned char found[81];
static int solutions;

static void prepare(void) {
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            units[i][j] = 9 * i + j;
            units[9 + i][j] = 9 * j + i;
            units[18 + i][j] = 9 * (i / 3 * 3 + j / 3) + i % 3 * 3 + j % 3;
        }
    for (int a = 0; a < 81; a++)
        for (int b = 0, n = 0; b < 81; b++)
            if (a != b && (a / 9 == b / 9 || a % 9 == b % 9 || (a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3)))
                peers[a][n++] = b;
}

/* Put the value of a bit into a cell; 0 when a peer is left without candidates. */
static int put(Board *board, int cell, int bit) {
    board->open[cell] = 0;
    board->value[cell] = __builtin_ctz(bit) + 1;
    board->left--;
    int good = 1;
    for (int n = 0; n < 20; n++) {
        int peer = peers[cell][n];
        if (board->value[peer])
            good &= board->value[peer] != board->value[cell];
        else
            good &= (board->open[peer] &= ~bit) != 0;
    }
    return good;
}

/* Set all singles; 0 at a contradiction. */
static int settle(Board *board) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (int cell = 0; cell < 81; cell++) {
            int bits = board->open[cell];
            if (bits && !(bits & (bits - 1))) {
                if (!put(board, cell, bits)) return 0;
                changed = 1;
            }
        }
        if (changed) continue;
        for (int u = 0; u < 27; u++) {
            int once = 0, twice = 0, set = 0;
            for (int n = 0; n < 9; n++) {
                int cell = units[u][n], bits = board->open[cell];
                twice |= once & bits;
                once |= bits;
                if (board->value[cell]) set |= 1 << (board->value[cell] - 1);
            }
            if ((once | set) != ALL) return 0;
            for (int single = once & ~twice; single; single &= single - 1) {
                int bit = single & -single;
                for (int n = 0; n < 9; n++)
                    if (board->open[units[u][n]] & bit) {
                        if (!put(board, units[u][n], bit)) return 0;
                        changed = 1;
                        break;
                    }
            }
        }
    }
    return 1;
}

static void search(Board *board) {
    if (!settle(board)) return;
    if (!board->left) {
        if (!solutions++) memcpy(found, board->value, 81);
        return;
    }
    int best = -1, fewest = 10;
    for (int cell = 0; cell < 81 && fewest > 2; cell++) {
        int count = __builtin_popcount(board->open[cell]);
        if (count && count < fewest) best = cell, fewest = count;
    }
    for (int bits = board->open[best]; bits && solutions < 2; bits &= bits - 1) {
        Board next = *board;
        if (put(&next, best, bits & -bits)) search(&next);
    }
}

int main(int count, char **words) {
    if (count != 3) return fprintf(stderr, "usage: rival INPUT OUTPUT\n"), 2;
    int in = open(words[1], O_RDONLY);
    struct stat size;
    if (in < 0 || fstat(in, &size) || !size.st_size) return perror(words[1]), 1;
    const char *text = mmap(NULL, size.st_size, PROT_READ, MAP_PRIVATE, in, 0);
    FILE *out = fopen(words[2], "w");
    if (text == MAP_FAILED || !out) return perror(words[2]), 1;
    setvbuf(out, NULL, _IOFBF, 1 << 20);
    prepare();
    for (const char *line = text, *end = text + size.st_size; line + 81 <= end;) {
        Board board = {.left = 81};
        for (int cell = 0; cell < 81; cell++) board.open[cell] = ALL;
        int good = 1;
        for (int cell = 0; cell < 81 && good; cell++) {
            int digit = line[cell] - '0';
            if (digit >= 1 && digit <= 9) good = (board.open[cell] >> (digit - 1) & 1) && put(&board, cell, 1 << (digit - 1));
        }
        solutions = 0;
        if (good) search(&board);
        char row[82];
        for (int cell = 0; cell < 81; cell++) row[cell] = solutions == 1 ? '0' + found[cell] : '0';
        row[81] = '\n';
        fwrite(row, 1, 82, out);
        const char *next = memchr(line, '\n', end - line);
        line = next ? next + 1 : end;
    }
    return fclose(out) ? (perror(words[2]), 1) : 0;
}
