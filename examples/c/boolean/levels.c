// After Fig. 1.1 of the thesis of Komuravelli (a Boolean program with exponential unwinding): each level
// calls the next one twice, so the tree of calls has 2^N leaves, while the number of states is
// linear in N. Set N, from 1 to 160, with -DN=... or --set N=...
// Two calls on level 1 turn the flag twice: the assertion holds.
#include <assert.h>
#include <stdbool.h>

#ifndef N
#define N 5
#endif

extern bool __VERIFIER_nondet_bool(void);

// Level N turns the flag and calls nobody; those after it are never called.
#define LEVEL(i, next)            \
    bool level##i(bool b) {       \
        if (i < N && !b) {        \
            b = level##next(b);   \
            b = level##next(b);   \
        }                         \
        return !b;                \
    }

bool level161(bool b) { return !b; }
LEVEL(160, 161) LEVEL(159, 160) LEVEL(158, 159) LEVEL(157, 158)
LEVEL(156, 157) LEVEL(155, 156) LEVEL(154, 155) LEVEL(153, 154)
LEVEL(152, 153) LEVEL(151, 152) LEVEL(150, 151) LEVEL(149, 150)
LEVEL(148, 149) LEVEL(147, 148) LEVEL(146, 147) LEVEL(145, 146)
LEVEL(144, 145) LEVEL(143, 144) LEVEL(142, 143) LEVEL(141, 142)
LEVEL(140, 141) LEVEL(139, 140) LEVEL(138, 139) LEVEL(137, 138)
LEVEL(136, 137) LEVEL(135, 136) LEVEL(134, 135) LEVEL(133, 134)
LEVEL(132, 133) LEVEL(131, 132) LEVEL(130, 131) LEVEL(129, 130)
LEVEL(128, 129) LEVEL(127, 128) LEVEL(126, 127) LEVEL(125, 126)
LEVEL(124, 125) LEVEL(123, 124) LEVEL(122, 123) LEVEL(121, 122)
LEVEL(120, 121) LEVEL(119, 120) LEVEL(118, 119) LEVEL(117, 118)
LEVEL(116, 117) LEVEL(115, 116) LEVEL(114, 115) LEVEL(113, 114)
LEVEL(112, 113) LEVEL(111, 112) LEVEL(110, 111) LEVEL(109, 110)
LEVEL(108, 109) LEVEL(107, 108) LEVEL(106, 107) LEVEL(105, 106)
LEVEL(104, 105) LEVEL(103, 104) LEVEL(102, 103) LEVEL(101, 102)
LEVEL(100, 101) LEVEL(99, 100) LEVEL(98, 99) LEVEL(97, 98)
LEVEL(96, 97) LEVEL(95, 96) LEVEL(94, 95) LEVEL(93, 94)
LEVEL(92, 93) LEVEL(91, 92) LEVEL(90, 91) LEVEL(89, 90)
LEVEL(88, 89) LEVEL(87, 88) LEVEL(86, 87) LEVEL(85, 86)
LEVEL(84, 85) LEVEL(83, 84) LEVEL(82, 83) LEVEL(81, 82)
LEVEL(80, 81) LEVEL(79, 80) LEVEL(78, 79) LEVEL(77, 78)
LEVEL(76, 77) LEVEL(75, 76) LEVEL(74, 75) LEVEL(73, 74)
LEVEL(72, 73) LEVEL(71, 72) LEVEL(70, 71) LEVEL(69, 70)
LEVEL(68, 69) LEVEL(67, 68) LEVEL(66, 67) LEVEL(65, 66)
LEVEL(64, 65) LEVEL(63, 64) LEVEL(62, 63) LEVEL(61, 62)
LEVEL(60, 61) LEVEL(59, 60) LEVEL(58, 59) LEVEL(57, 58)
LEVEL(56, 57) LEVEL(55, 56) LEVEL(54, 55) LEVEL(53, 54)
LEVEL(52, 53) LEVEL(51, 52) LEVEL(50, 51) LEVEL(49, 50)
LEVEL(48, 49) LEVEL(47, 48) LEVEL(46, 47) LEVEL(45, 46)
LEVEL(44, 45) LEVEL(43, 44) LEVEL(42, 43) LEVEL(41, 42)
LEVEL(40, 41) LEVEL(39, 40) LEVEL(38, 39) LEVEL(37, 38)
LEVEL(36, 37) LEVEL(35, 36) LEVEL(34, 35) LEVEL(33, 34)
LEVEL(32, 33) LEVEL(31, 32) LEVEL(30, 31) LEVEL(29, 30)
LEVEL(28, 29) LEVEL(27, 28) LEVEL(26, 27) LEVEL(25, 26)
LEVEL(24, 25) LEVEL(23, 24) LEVEL(22, 23) LEVEL(21, 22)
LEVEL(20, 21) LEVEL(19, 20) LEVEL(18, 19) LEVEL(17, 18)
LEVEL(16, 17) LEVEL(15, 16) LEVEL(14, 15) LEVEL(13, 14)
LEVEL(12, 13) LEVEL(11, 12) LEVEL(10, 11) LEVEL(9, 10)
LEVEL(8, 9) LEVEL(7, 8) LEVEL(6, 7) LEVEL(5, 6)
LEVEL(4, 5) LEVEL(3, 4) LEVEL(2, 3) LEVEL(1, 2)

int main(void) {
    bool b = __VERIFIER_nondet_bool();
    bool before = b;
    b = level1(b);
    b = level1(b);
    assert(b == before);
    return 0;
}
