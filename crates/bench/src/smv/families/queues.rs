//! Places in a row: a queue by priority, and a pipeline.

use super::{each, joined};

/// A queue of this many places with keys from 0 to `top`; the largest is in front.
pub fn priority_queue(places: u64, top: u64) -> String {
    let last = places - 1;
    let instances = each(places, |i| {
        let before = match i {
            0 => format!("TRUE, {top}"),
            _ => format!("p{0}.taken, p{0}.key", i - 1),
        };
        let after = match i == last {
            true => "FALSE, 0".to_owned(),
            false => format!("p{0}.taken, p{0}.key", i + 1),
        };
        format!("  p{i} : place({before}, {after}, puts, get, put);\n")
    });
    let sorted = joined(last, " & ", |i| {
        format!("(p{0}.taken -> p{i}.key >= p{0}.key)", i + 1)
    });
    format!(
        "\
-- A queue that keeps the largest key in front. Each place compares the new key with its own and takes it, or what the place before
-- it gives up. When all places are taken, a key is accepted only if it is above the last one, which is then lost.
MODULE main
IVAR
  put : 0..{top};
VAR
  offers : boolean;
  get : boolean;
{instances}DEFINE
  full := p{last}.taken;
  puts := offers & !get & (!full | put > p{last}.key);
INVARSPEC NAME no_gap := p1.taken -> p0.taken
INVARSPEC NAME empty_is_zero := !p0.taken -> p0.key = 0
CTLSPEC NAME no_gap_at_end := AG (p{last}.taken -> p0.taken)
CTLSPEC NAME can_be_emptied := AG EF !p0.taken
CTLSPEC NAME never_full := AG !full
LTLSPEC NAME emptied := G F !p0.taken
INVARSPEC NAME sorted := {sorted}

MODULE place(taken_before, key_before, taken_after, key_after, puts, get, put)
VAR
  taken : boolean;
  key : 0..{top};
DEFINE
  above := taken_before & key_before >= put;
  stays := taken & key >= put;
ASSIGN
  init(taken) := FALSE;
  next(taken) := case
    get  : taken_after;
    puts : taken | taken_before;
    TRUE : taken;
  esac;
  init(key) := 0;
  next(key) := case
    get          : key_after;
    !puts | stays : key;
    above        : put;
    taken_before : key_before;
    TRUE         : key;
  esac;
"
    )
}

/// A pipeline of this many stages for words of `width` bits.
pub fn pipeline(stages: u64, width: u64) -> String {
    let last = stages - 1;
    let instances = each(stages, |i| match i {
        0 => "  s0 : stage(offered, item, moves);\n".to_owned(),
        _ => format!("  s{i} : stage(s{0}.valid, s{0}.value, moves);\n", i - 1),
    });
    let old = each(stages, |i| format!("  old{i} : unsigned word[{width}];\n"));
    let moves = each(stages, |i| {
        let from = match i {
            0 => "item".to_owned(),
            _ => format!("old{}", i - 1),
        };
        format!("  init(old{i}) := 0ud{width}_0;\n  next(old{i}) := moves ? {from} : old{i};\n")
    });
    let any = joined(stages, " | ", |i| format!("s{i}.valid"));
    let modulus = 1u64 << width;
    let (sum, wrong) = (stages % modulus, (stages + modulus - 1) % modulus);
    format!(
        "\
-- Stages of a pipeline with stalls. Words go through, each stage adds one; beside them the words that entered are kept.
MODULE main
IVAR
  item : unsigned word[{width}];
  offered : boolean;
  stall : boolean;
VAR
{instances}{old}DEFINE
  moves := !stall;
ASSIGN
{moves}INVARSPEC NAME adds_up := s{last}.valid -> s{last}.value = old{last} + 0ud{width}_{sum}
INVARSPEC NAME adds_less := s{last}.valid -> s{last}.value = old{last} + 0ud{width}_{wrong}
CTLSPEC NAME can_drain := AG EF !({any})
CTLSPEC NAME comes_out := AG (s0.valid -> EF s{last}.valid)
CTLSPEC NAME must_come_out := AG (s0.valid -> AF s{last}.valid)

MODULE stage(arrives, from, moves)
VAR
  valid : boolean;
  value : unsigned word[{width}];
ASSIGN
  init(valid) := FALSE;
  init(value) := 0ud{width}_0;
  next(valid) := moves ? arrives : valid;
  next(value) := moves ? from + 0ud{width}_1 : value;
"
    )
}
