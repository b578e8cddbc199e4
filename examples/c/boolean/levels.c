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

// The last level turns the flag and calls nobody.
#define LEVEL(i, next)            \
    bool level##i(bool b) {       \
        if (!b) {                 \
            b = level##next(b);   \
            b = level##next(b);   \
        }                         \
        return !b;                \
    }
#define LAST(i)                   \
    bool level##i(bool b) {       \
        return !b;                \
    }

#if N == 160
LAST(160)
#elif N > 160
LEVEL(160, 161)
#endif
#if N == 159
LAST(159)
#elif N > 159
LEVEL(159, 160)
#endif
#if N == 158
LAST(158)
#elif N > 158
LEVEL(158, 159)
#endif
#if N == 157
LAST(157)
#elif N > 157
LEVEL(157, 158)
#endif
#if N == 156
LAST(156)
#elif N > 156
LEVEL(156, 157)
#endif
#if N == 155
LAST(155)
#elif N > 155
LEVEL(155, 156)
#endif
#if N == 154
LAST(154)
#elif N > 154
LEVEL(154, 155)
#endif
#if N == 153
LAST(153)
#elif N > 153
LEVEL(153, 154)
#endif
#if N == 152
LAST(152)
#elif N > 152
LEVEL(152, 153)
#endif
#if N == 151
LAST(151)
#elif N > 151
LEVEL(151, 152)
#endif
#if N == 150
LAST(150)
#elif N > 150
LEVEL(150, 151)
#endif
#if N == 149
LAST(149)
#elif N > 149
LEVEL(149, 150)
#endif
#if N == 148
LAST(148)
#elif N > 148
LEVEL(148, 149)
#endif
#if N == 147
LAST(147)
#elif N > 147
LEVEL(147, 148)
#endif
#if N == 146
LAST(146)
#elif N > 146
LEVEL(146, 147)
#endif
#if N == 145
LAST(145)
#elif N > 145
LEVEL(145, 146)
#endif
#if N == 144
LAST(144)
#elif N > 144
LEVEL(144, 145)
#endif
#if N == 143
LAST(143)
#elif N > 143
LEVEL(143, 144)
#endif
#if N == 142
LAST(142)
#elif N > 142
LEVEL(142, 143)
#endif
#if N == 141
LAST(141)
#elif N > 141
LEVEL(141, 142)
#endif
#if N == 140
LAST(140)
#elif N > 140
LEVEL(140, 141)
#endif
#if N == 139
LAST(139)
#elif N > 139
LEVEL(139, 140)
#endif
#if N == 138
LAST(138)
#elif N > 138
LEVEL(138, 139)
#endif
#if N == 137
LAST(137)
#elif N > 137
LEVEL(137, 138)
#endif
#if N == 136
LAST(136)
#elif N > 136
LEVEL(136, 137)
#endif
#if N == 135
LAST(135)
#elif N > 135
LEVEL(135, 136)
#endif
#if N == 134
LAST(134)
#elif N > 134
LEVEL(134, 135)
#endif
#if N == 133
LAST(133)
#elif N > 133
LEVEL(133, 134)
#endif
#if N == 132
LAST(132)
#elif N > 132
LEVEL(132, 133)
#endif
#if N == 131
LAST(131)
#elif N > 131
LEVEL(131, 132)
#endif
#if N == 130
LAST(130)
#elif N > 130
LEVEL(130, 131)
#endif
#if N == 129
LAST(129)
#elif N > 129
LEVEL(129, 130)
#endif
#if N == 128
LAST(128)
#elif N > 128
LEVEL(128, 129)
#endif
#if N == 127
LAST(127)
#elif N > 127
LEVEL(127, 128)
#endif
#if N == 126
LAST(126)
#elif N > 126
LEVEL(126, 127)
#endif
#if N == 125
LAST(125)
#elif N > 125
LEVEL(125, 126)
#endif
#if N == 124
LAST(124)
#elif N > 124
LEVEL(124, 125)
#endif
#if N == 123
LAST(123)
#elif N > 123
LEVEL(123, 124)
#endif
#if N == 122
LAST(122)
#elif N > 122
LEVEL(122, 123)
#endif
#if N == 121
LAST(121)
#elif N > 121
LEVEL(121, 122)
#endif
#if N == 120
LAST(120)
#elif N > 120
LEVEL(120, 121)
#endif
#if N == 119
LAST(119)
#elif N > 119
LEVEL(119, 120)
#endif
#if N == 118
LAST(118)
#elif N > 118
LEVEL(118, 119)
#endif
#if N == 117
LAST(117)
#elif N > 117
LEVEL(117, 118)
#endif
#if N == 116
LAST(116)
#elif N > 116
LEVEL(116, 117)
#endif
#if N == 115
LAST(115)
#elif N > 115
LEVEL(115, 116)
#endif
#if N == 114
LAST(114)
#elif N > 114
LEVEL(114, 115)
#endif
#if N == 113
LAST(113)
#elif N > 113
LEVEL(113, 114)
#endif
#if N == 112
LAST(112)
#elif N > 112
LEVEL(112, 113)
#endif
#if N == 111
LAST(111)
#elif N > 111
LEVEL(111, 112)
#endif
#if N == 110
LAST(110)
#elif N > 110
LEVEL(110, 111)
#endif
#if N == 109
LAST(109)
#elif N > 109
LEVEL(109, 110)
#endif
#if N == 108
LAST(108)
#elif N > 108
LEVEL(108, 109)
#endif
#if N == 107
LAST(107)
#elif N > 107
LEVEL(107, 108)
#endif
#if N == 106
LAST(106)
#elif N > 106
LEVEL(106, 107)
#endif
#if N == 105
LAST(105)
#elif N > 105
LEVEL(105, 106)
#endif
#if N == 104
LAST(104)
#elif N > 104
LEVEL(104, 105)
#endif
#if N == 103
LAST(103)
#elif N > 103
LEVEL(103, 104)
#endif
#if N == 102
LAST(102)
#elif N > 102
LEVEL(102, 103)
#endif
#if N == 101
LAST(101)
#elif N > 101
LEVEL(101, 102)
#endif
#if N == 100
LAST(100)
#elif N > 100
LEVEL(100, 101)
#endif
#if N == 99
LAST(99)
#elif N > 99
LEVEL(99, 100)
#endif
#if N == 98
LAST(98)
#elif N > 98
LEVEL(98, 99)
#endif
#if N == 97
LAST(97)
#elif N > 97
LEVEL(97, 98)
#endif
#if N == 96
LAST(96)
#elif N > 96
LEVEL(96, 97)
#endif
#if N == 95
LAST(95)
#elif N > 95
LEVEL(95, 96)
#endif
#if N == 94
LAST(94)
#elif N > 94
LEVEL(94, 95)
#endif
#if N == 93
LAST(93)
#elif N > 93
LEVEL(93, 94)
#endif
#if N == 92
LAST(92)
#elif N > 92
LEVEL(92, 93)
#endif
#if N == 91
LAST(91)
#elif N > 91
LEVEL(91, 92)
#endif
#if N == 90
LAST(90)
#elif N > 90
LEVEL(90, 91)
#endif
#if N == 89
LAST(89)
#elif N > 89
LEVEL(89, 90)
#endif
#if N == 88
LAST(88)
#elif N > 88
LEVEL(88, 89)
#endif
#if N == 87
LAST(87)
#elif N > 87
LEVEL(87, 88)
#endif
#if N == 86
LAST(86)
#elif N > 86
LEVEL(86, 87)
#endif
#if N == 85
LAST(85)
#elif N > 85
LEVEL(85, 86)
#endif
#if N == 84
LAST(84)
#elif N > 84
LEVEL(84, 85)
#endif
#if N == 83
LAST(83)
#elif N > 83
LEVEL(83, 84)
#endif
#if N == 82
LAST(82)
#elif N > 82
LEVEL(82, 83)
#endif
#if N == 81
LAST(81)
#elif N > 81
LEVEL(81, 82)
#endif
#if N == 80
LAST(80)
#elif N > 80
LEVEL(80, 81)
#endif
#if N == 79
LAST(79)
#elif N > 79
LEVEL(79, 80)
#endif
#if N == 78
LAST(78)
#elif N > 78
LEVEL(78, 79)
#endif
#if N == 77
LAST(77)
#elif N > 77
LEVEL(77, 78)
#endif
#if N == 76
LAST(76)
#elif N > 76
LEVEL(76, 77)
#endif
#if N == 75
LAST(75)
#elif N > 75
LEVEL(75, 76)
#endif
#if N == 74
LAST(74)
#elif N > 74
LEVEL(74, 75)
#endif
#if N == 73
LAST(73)
#elif N > 73
LEVEL(73, 74)
#endif
#if N == 72
LAST(72)
#elif N > 72
LEVEL(72, 73)
#endif
#if N == 71
LAST(71)
#elif N > 71
LEVEL(71, 72)
#endif
#if N == 70
LAST(70)
#elif N > 70
LEVEL(70, 71)
#endif
#if N == 69
LAST(69)
#elif N > 69
LEVEL(69, 70)
#endif
#if N == 68
LAST(68)
#elif N > 68
LEVEL(68, 69)
#endif
#if N == 67
LAST(67)
#elif N > 67
LEVEL(67, 68)
#endif
#if N == 66
LAST(66)
#elif N > 66
LEVEL(66, 67)
#endif
#if N == 65
LAST(65)
#elif N > 65
LEVEL(65, 66)
#endif
#if N == 64
LAST(64)
#elif N > 64
LEVEL(64, 65)
#endif
#if N == 63
LAST(63)
#elif N > 63
LEVEL(63, 64)
#endif
#if N == 62
LAST(62)
#elif N > 62
LEVEL(62, 63)
#endif
#if N == 61
LAST(61)
#elif N > 61
LEVEL(61, 62)
#endif
#if N == 60
LAST(60)
#elif N > 60
LEVEL(60, 61)
#endif
#if N == 59
LAST(59)
#elif N > 59
LEVEL(59, 60)
#endif
#if N == 58
LAST(58)
#elif N > 58
LEVEL(58, 59)
#endif
#if N == 57
LAST(57)
#elif N > 57
LEVEL(57, 58)
#endif
#if N == 56
LAST(56)
#elif N > 56
LEVEL(56, 57)
#endif
#if N == 55
LAST(55)
#elif N > 55
LEVEL(55, 56)
#endif
#if N == 54
LAST(54)
#elif N > 54
LEVEL(54, 55)
#endif
#if N == 53
LAST(53)
#elif N > 53
LEVEL(53, 54)
#endif
#if N == 52
LAST(52)
#elif N > 52
LEVEL(52, 53)
#endif
#if N == 51
LAST(51)
#elif N > 51
LEVEL(51, 52)
#endif
#if N == 50
LAST(50)
#elif N > 50
LEVEL(50, 51)
#endif
#if N == 49
LAST(49)
#elif N > 49
LEVEL(49, 50)
#endif
#if N == 48
LAST(48)
#elif N > 48
LEVEL(48, 49)
#endif
#if N == 47
LAST(47)
#elif N > 47
LEVEL(47, 48)
#endif
#if N == 46
LAST(46)
#elif N > 46
LEVEL(46, 47)
#endif
#if N == 45
LAST(45)
#elif N > 45
LEVEL(45, 46)
#endif
#if N == 44
LAST(44)
#elif N > 44
LEVEL(44, 45)
#endif
#if N == 43
LAST(43)
#elif N > 43
LEVEL(43, 44)
#endif
#if N == 42
LAST(42)
#elif N > 42
LEVEL(42, 43)
#endif
#if N == 41
LAST(41)
#elif N > 41
LEVEL(41, 42)
#endif
#if N == 40
LAST(40)
#elif N > 40
LEVEL(40, 41)
#endif
#if N == 39
LAST(39)
#elif N > 39
LEVEL(39, 40)
#endif
#if N == 38
LAST(38)
#elif N > 38
LEVEL(38, 39)
#endif
#if N == 37
LAST(37)
#elif N > 37
LEVEL(37, 38)
#endif
#if N == 36
LAST(36)
#elif N > 36
LEVEL(36, 37)
#endif
#if N == 35
LAST(35)
#elif N > 35
LEVEL(35, 36)
#endif
#if N == 34
LAST(34)
#elif N > 34
LEVEL(34, 35)
#endif
#if N == 33
LAST(33)
#elif N > 33
LEVEL(33, 34)
#endif
#if N == 32
LAST(32)
#elif N > 32
LEVEL(32, 33)
#endif
#if N == 31
LAST(31)
#elif N > 31
LEVEL(31, 32)
#endif
#if N == 30
LAST(30)
#elif N > 30
LEVEL(30, 31)
#endif
#if N == 29
LAST(29)
#elif N > 29
LEVEL(29, 30)
#endif
#if N == 28
LAST(28)
#elif N > 28
LEVEL(28, 29)
#endif
#if N == 27
LAST(27)
#elif N > 27
LEVEL(27, 28)
#endif
#if N == 26
LAST(26)
#elif N > 26
LEVEL(26, 27)
#endif
#if N == 25
LAST(25)
#elif N > 25
LEVEL(25, 26)
#endif
#if N == 24
LAST(24)
#elif N > 24
LEVEL(24, 25)
#endif
#if N == 23
LAST(23)
#elif N > 23
LEVEL(23, 24)
#endif
#if N == 22
LAST(22)
#elif N > 22
LEVEL(22, 23)
#endif
#if N == 21
LAST(21)
#elif N > 21
LEVEL(21, 22)
#endif
#if N == 20
LAST(20)
#elif N > 20
LEVEL(20, 21)
#endif
#if N == 19
LAST(19)
#elif N > 19
LEVEL(19, 20)
#endif
#if N == 18
LAST(18)
#elif N > 18
LEVEL(18, 19)
#endif
#if N == 17
LAST(17)
#elif N > 17
LEVEL(17, 18)
#endif
#if N == 16
LAST(16)
#elif N > 16
LEVEL(16, 17)
#endif
#if N == 15
LAST(15)
#elif N > 15
LEVEL(15, 16)
#endif
#if N == 14
LAST(14)
#elif N > 14
LEVEL(14, 15)
#endif
#if N == 13
LAST(13)
#elif N > 13
LEVEL(13, 14)
#endif
#if N == 12
LAST(12)
#elif N > 12
LEVEL(12, 13)
#endif
#if N == 11
LAST(11)
#elif N > 11
LEVEL(11, 12)
#endif
#if N == 10
LAST(10)
#elif N > 10
LEVEL(10, 11)
#endif
#if N == 9
LAST(9)
#elif N > 9
LEVEL(9, 10)
#endif
#if N == 8
LAST(8)
#elif N > 8
LEVEL(8, 9)
#endif
#if N == 7
LAST(7)
#elif N > 7
LEVEL(7, 8)
#endif
#if N == 6
LAST(6)
#elif N > 6
LEVEL(6, 7)
#endif
#if N == 5
LAST(5)
#elif N > 5
LEVEL(5, 6)
#endif
#if N == 4
LAST(4)
#elif N > 4
LEVEL(4, 5)
#endif
#if N == 3
LAST(3)
#elif N > 3
LEVEL(3, 4)
#endif
#if N == 2
LAST(2)
#elif N > 2
LEVEL(2, 3)
#endif
#if N == 1
LAST(1)
#elif N > 1
LEVEL(1, 2)
#endif

int main(void) {
    bool b = __VERIFIER_nondet_bool();
    bool before = b;
    b = level1(b);
    b = level1(b);
    assert(b == before);
    return 0;
}
