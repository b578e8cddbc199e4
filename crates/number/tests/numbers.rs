//! Exact numbers against two-word arithmetic, and the laws of arithmetic beyond it.

use std::cmp::Ordering;

use proptest::prelude::*;
use suppose_number::{Int, Rat};

/// Numbers around the places where words end, and small ones.
fn word() -> impl Strategy<Value = i64> {
    let ends = prop::sample::select(vec![
        i64::MIN,
        i64::MAX,
        i32::MIN.into(),
        i32::MAX.into(),
        0,
    ]);
    prop_oneof![
        -20i64..=20,
        any::<i64>(),
        (ends, -3i64..=3).prop_map(|(end, step)| end.saturating_add(step)),
    ]
}

fn big() -> impl Strategy<Value = Int> {
    (word(), word(), word()).prop_map(|(a, b, c)| &(&Int::from(a) * &Int::from(b)) + &Int::from(c))
}

fn rat() -> impl Strategy<Value = Rat> {
    (big(), big()).prop_map(|(num, den)| {
        let den = if den.is_zero() { Int::ONE } else { den };
        Rat::new(num, den)
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn words_agree_with_double_words(a in word(), b in word()) {
        let (x, y) = (Int::from(a), Int::from(b));
        let (a, b) = (i128::from(a), i128::from(b));
        prop_assert_eq!(&x + &y, Int::from(a + b));
        prop_assert_eq!(&x - &y, Int::from(a - b));
        prop_assert_eq!(&x * &y, Int::from(a * b));
        prop_assert_eq!(-&x, Int::from(-a));
        prop_assert_eq!(x.abs(), Int::from(a.abs()));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.signum() as i128, a.signum());
        prop_assert_eq!(x.gcd(&y), Int::from(gcd(a.unsigned_abs(), b.unsigned_abs()) as i128));
        let mut sum = x.clone();
        sum += &y;
        prop_assert_eq!(&sum, &Int::from(a + b));
        sum *= &y;
        prop_assert_eq!(&sum, &(&Int::from(a + b) * &y));
        if b != 0 {
            let expected = (Int::from(a.div_euclid(b)), Int::from(a.rem_euclid(b)));
            prop_assert_eq!(x.div_euclid(&y), expected);
            let (q, r) = x.div_floor(&y);
            prop_assert_eq!(&(&q * &y) + &r, x.clone());
            prop_assert!(r.is_zero() || r.is_negative() == y.is_negative());
            prop_assert!(r.abs() < y.abs());
            prop_assert_eq!(x.div_ceil(&y), if r.is_zero() { q.clone() } else { &q + &Int::ONE });
            prop_assert_eq!(Int::from(a * b).div_exact(&y), x.clone());
            prop_assert_eq!(y.divides(&x), a % b == 0);
        }
    }

    #[test]
    fn one_number_has_one_form(a in big(), b in big()) {
        let back = &(&a + &b) - &b;
        prop_assert_eq!(&back, &a);
        prop_assert_eq!(back.to_i64(), a.to_i64());
        prop_assert_eq!(a.to_string().parse::<Int>(), Ok(a.clone()));
        let wide: i128 = a.to_string().parse().unwrap_or(i128::MAX);
        prop_assert_eq!(Int::from(wide).cmp(&a), Ordering::Equal);
    }

    #[test]
    fn big_numbers_keep_the_laws(a in big(), b in big(), c in big()) {
        prop_assert_eq!(&a * &(&b + &c), &(&a * &b) + &(&a * &c));
        prop_assert_eq!(&a * &b, &b * &a);
        prop_assert_eq!((&a - &b).signum(), a.cmp(&b) as i32);
        if !b.is_zero() {
            let (q, r) = a.div_floor(&b);
            prop_assert_eq!(&(&q * &b) + &r, a.clone());
            prop_assert!(r.abs() < b.abs());
            prop_assert_eq!((&a * &b).div_exact(&b), a.clone());
            prop_assert!(a.gcd(&b).divides(&a) && a.gcd(&b).divides(&b));
            prop_assert_eq!(&a.gcd(&b) * &a.lcm(&b), (&a * &b).abs());
        }
    }

    #[test]
    fn fractions_keep_the_laws(a in rat(), b in rat(), c in rat()) {
        prop_assert_eq!(&a * &(&b + &c), &(&a * &b) + &(&a * &c));
        prop_assert_eq!(&(&a + &b) - &b, a.clone());
        prop_assert_eq!((&a - &b).is_negative(), a < b);
        prop_assert!(a.den().is_positive());
        prop_assert!(a.num().gcd(a.den()).is_one());
        if !b.is_zero() {
            prop_assert_eq!(&(&a / &b) * &b, a.clone());
        }
        let mut sum = a.clone();
        sum.add_product(&b, &c);
        prop_assert_eq!(sum, &a + &(&b * &c));
        let floor = Rat::from(a.floor());
        prop_assert!(floor <= a && &a - &floor < Rat::ONE);
        prop_assert_eq!(a.ceil(), -(-&a).floor());
    }

    #[test]
    fn small_fractions_agree_with_double_words(
        (a, b, c, d) in (word(), 1i64..=i64::MAX, word(), 1i64..=i64::MAX)
    ) {
        let (x, y) = (Rat::new(a.into(), b.into()), Rat::new(c.into(), d.into()));
        let wide = |n: i64| Int::from(i128::from(n));
        let cross = &(&wide(a) * &wide(d)) + &(&wide(c) * &wide(b));
        prop_assert_eq!(&x + &y, Rat::new(cross, &wide(b) * &wide(d)));
        prop_assert_eq!(&x * &y, Rat::new(&wide(a) * &wide(c), &wide(b) * &wide(d)));
        prop_assert_eq!(x.cmp(&y), (&wide(a) * &wide(d)).cmp(&(&wide(c) * &wide(b))));
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for text in ["", "-", "+1", "1.0", "0x1", " 1", "1 ", "--1", "1_000"] {
        assert!(text.parse::<Int>().is_err(), "{text}");
    }
    assert_eq!("-0".parse(), Ok(Int::ZERO));
    let long = "9".repeat(60);
    assert_eq!(long.parse::<Int>().expect("digits").to_string(), long);
    assert_eq!(Int::from(i64::MIN).bits(), 64);
}

/// Numbers of thousands of bits with large quotients on the way, on which the library's own algorithm ran out of memory.
#[test]
fn common_divisors_of_long_numbers() {
    let number = |digit: char, count: usize| -> Int {
        let text: String = std::iter::repeat_n(digit, count).collect();
        text.parse().expect("digits")
    };
    let naive = |a: &Int, b: &Int| {
        let (mut a, mut b) = (a.abs(), b.abs());
        while !b.is_zero() {
            (a, b) = (b.clone(), a.div_floor(&b).1);
        }
        a
    };
    let ones = number('1', 3_000);
    let others = [
        number('7', 3_000),
        number('9', 2_999),
        number('3', 1_500),
        &(&ones * &number('6', 700)) + &Int::ONE,
        &ones * &number('4', 1_300),
        -&(&number('2', 2_500) * &number('9', 2_500)),
    ];
    for a in &others {
        for b in others.iter().chain([&ones, &Int::from(210)]) {
            assert_eq!(a.gcd(b), naive(a, b));
        }
    }
}
