/* A comment
   over lines, /* not nested. */
byte x; // and one to the end
active proctype P() { /* here */ x = /* there */ 1; assert(x == 1) }
