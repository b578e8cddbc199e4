//! What programs use of the usual headers.

use super::Preprocessor;
use crate::c::types::DataModel;

const BOOL: &[(&str, &str)] = &[("bool", "_Bool"), ("true", "1"), ("false", "0")];

const LIMITS: &[(&str, &str)] = &[
    ("CHAR_BIT", "8"),
    ("SCHAR_MIN", "(-128)"),
    ("SCHAR_MAX", "127"),
    ("UCHAR_MAX", "255"),
    ("CHAR_MIN", "(-128)"),
    ("CHAR_MAX", "127"),
    ("SHRT_MIN", "(-32768)"),
    ("SHRT_MAX", "32767"),
    ("USHRT_MAX", "65535"),
    ("INT_MIN", "(-2147483647 - 1)"),
    ("INT_MAX", "2147483647"),
    ("UINT_MAX", "4294967295U"),
    ("LLONG_MIN", "(-9223372036854775807LL - 1)"),
    ("LLONG_MAX", "9223372036854775807LL"),
    ("ULLONG_MAX", "18446744073709551615ULL"),
];

const LONG_64: &[(&str, &str)] = &[
    ("LONG_MIN", "(-9223372036854775807L - 1)"),
    ("LONG_MAX", "9223372036854775807L"),
    ("ULONG_MAX", "18446744073709551615UL"),
];

const LONG_32: &[(&str, &str)] = &[
    ("LONG_MIN", "(-2147483647L - 1)"),
    ("LONG_MAX", "2147483647L"),
    ("ULONG_MAX", "4294967295UL"),
];

const STDINT: &[(&str, &str)] = &[
    ("INT8_MIN", "(-128)"),
    ("INT8_MAX", "127"),
    ("UINT8_MAX", "255"),
    ("INT16_MIN", "(-32768)"),
    ("INT16_MAX", "32767"),
    ("UINT16_MAX", "65535"),
    ("INT32_MIN", "(-2147483647 - 1)"),
    ("INT32_MAX", "2147483647"),
    ("UINT32_MAX", "4294967295U"),
    ("INT64_MIN", "(-9223372036854775807LL - 1)"),
    ("INT64_MAX", "9223372036854775807LL"),
    ("UINT64_MAX", "18446744073709551615ULL"),
];

const STDLIB: &[(&str, &str)] = &[("EXIT_SUCCESS", "0"), ("EXIT_FAILURE", "1")];

const NULL: &[(&str, &str)] = &[("NULL", "((void *)0)")];

impl Preprocessor<'_> {
    /// Defines what a header does. Is it a known one?
    pub(super) fn header(&mut self, name: &str) -> bool {
        let tables: &[&[(&str, &str)]] = match name {
            "stdbool.h" => &[BOOL],
            "limits.h" | "values.h" if self.model == DataModel::Ilp32 => &[LIMITS, LONG_32],
            "limits.h" | "values.h" => &[LIMITS, LONG_64],
            "stdint.h" | "inttypes.h" => &[STDINT],
            "stdlib.h" => &[STDLIB, NULL],
            "stdio.h" | "stddef.h" | "string.h" => &[NULL],
            "assert.h" | "math.h" | "errno.h" | "unistd.h" => &[],
            _ => return false,
        };
        for (name, text) in tables.iter().copied().flatten() {
            self.define_text(name, text);
        }
        true
    }
}
