// Macros with arguments, and conditional text.
#define SQUARE(x) ((x) * (x))
#define LIMIT 5
#if LIMIT > 4 && defined(SQUARE)
byte r = SQUARE(LIMIT - 1);
#else
byte r = 0;
#endif
#undef LIMIT
#ifdef LIMIT
#error "not here"
#endif
active proctype P() {
    assert(r == 16)
}
