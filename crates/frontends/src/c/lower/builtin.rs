//! Functions that are known by name.

use crate::c::types::IntType;

/// What a call of a known function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    /// The first argument must be true.
    Assert,
    /// Paths where the first argument is false do not count.
    Assume,
    /// A violation.
    Error,
    /// The program ends.
    Halt,
    /// An arbitrary value.
    Nondet(IntType),
    /// Nothing that matters.
    Print,
    /// Memory of that many bytes.
    Malloc,
    /// The same for a number of elements, set to 0.
    Calloc,
    Free,
    /// A pointer to anything.
    NondetPointer,
    /// What is not supported, in words.
    Refused(&'static str),
}

/// Is this one known by name even if the program defines it?
pub(super) fn is_fixed(name: &str) -> bool {
    matches!(
        name,
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_rtn" | "abort" | "exit"
    ) || nondet(name).is_some()
}

/// What it does, if the program does not define it.
pub(super) fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "assert" | "__VERIFIER_assert" | "static_assert" => Builtin::Assert,
        "assume" | "__VERIFIER_assume" | "assume_abort_if_not" | "__builtin_assume" => {
            Builtin::Assume
        }
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_rtn" => Builtin::Error,
        "abort" | "exit" | "_exit" | "_Exit" | "__builtin_unreachable" | "__builtin_abort" => {
            Builtin::Halt
        }
        "printf" | "puts" | "putchar" | "fflush" => Builtin::Print,
        "malloc" | "alloca" | "__builtin_alloca" | "__builtin_malloc" => Builtin::Malloc,
        "calloc" => Builtin::Calloc,
        "free" | "kfree" => Builtin::Free,
        "__VERIFIER_nondet_pointer" => Builtin::NondetPointer,
        "pthread_create" | "pthread_join" | "thrd_create" => Builtin::Refused("threads"),
        "memcpy" | "memmove" | "memset" | "memcmp" | "strcpy" | "strncpy" | "strcmp"
        | "strncmp" | "strlen" | "strcat" | "realloc" => {
            Builtin::Refused("this function of the library")
        }
        _ => return nondet(name).map(Builtin::Nondet),
    })
}

/// What a known function gives back: a number of a type, or a pointer. None if it is not known, or gives back nothing.
pub(super) fn result(name: &str) -> Option<Option<IntType>> {
    match builtin(name)? {
        Builtin::Nondet(ty) => Some(Some(ty)),
        Builtin::Print => Some(Some(IntType::Int)),
        Builtin::Malloc | Builtin::Calloc | Builtin::NondetPointer => Some(None),
        _ => None,
    }
}

fn nondet(name: &str) -> Option<IntType> {
    use IntType::*;
    Some(match name.strip_prefix("__VERIFIER_nondet_")? {
        "bool" | "_Bool" => Bool,
        "char" => Char,
        "uchar" | "unsigned_char" | "u8" => UnsignedChar,
        "short" | "s16" => Short,
        "ushort" | "unsigned_short" | "u16" => UnsignedShort,
        "int" | "s32" => Int,
        "uint" | "unsigned" | "unsigned_int" | "u32" => UnsignedInt,
        "long" => Long,
        "ulong" | "unsigned_long" | "size_t" => UnsignedLong,
        "longlong" | "s64" => LongLong,
        "ulonglong" | "u64" => UnsignedLongLong,
        _ => return None,
    })
}

/// Is it the name of a function that is meant to give back anything?
pub(super) fn sounds_arbitrary(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "nd"
        || [
            "nondet", "unknown", "random", "rand", "nd_", "input", "havoc",
        ]
        .iter()
        .any(|w| name.contains(w))
}
