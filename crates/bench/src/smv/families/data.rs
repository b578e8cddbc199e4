//! Controllers with a data path in their cone of influence: what the properties need is small, what they depend on is not.

use super::{each, joined};

/// A filter that multiplies words of `width` bits and adds the products up, behind a handshake.
pub fn multiplier(width: u64) -> String {
    let double = 2 * width;
    let high = format!("{}:{width}", double - 1);
    format!(
        "\
-- A filter behind a handshake: a sample is multiplied by a coefficient, and the products are added up. A product that does not fit
-- is computed again from a smaller sample, so the phases depend on the data.
MODULE main
IVAR
  sample : unsigned word[{width}];
  coefficient : unsigned word[{width}];
VAR
  offered : boolean;
  taken : boolean;
  phase : {{idle, load, multiply, scale, add, deliver}};
  x : unsigned word[{width}];
  k : unsigned word[{width}];
  product : unsigned word[{double}];
  sum : unsigned word[{double}];
  tries : 0..3;
  busy : boolean;
  ready : boolean;
  saturated : boolean;
DEFINE
  fits := product[{high}] = 0ud{width}_0;
ASSIGN
  init(phase) := idle;
  next(phase) := case
    phase = idle & offered             : load;
    phase = load                       : multiply;
    phase = multiply                   : fits | tries = 3 ? add : scale;
    phase = scale                      : multiply;
    phase = add & saturated            : idle;
    phase = add                        : deliver;
    phase = deliver & taken            : idle;
    TRUE                               : phase;
  esac;
  init(x) := 0ud{width}_0;
  next(x) := case
    phase = idle & offered : sample;
    phase = scale          : x >> 1;
    TRUE                   : x;
  esac;
  init(k) := 0ud{width}_1;
  next(k) := phase = idle & offered ? coefficient : k;
  init(product) := 0ud{double}_0;
  next(product) := phase in {{load, scale}} ? extend(x, {width}) * extend(k, {width}) : product;
  init(sum) := 0ud{double}_0;
  next(sum) := case
    phase = add  : sum + product;
    phase = idle & saturated : 0ud{double}_0;
    TRUE         : sum;
  esac;
  init(saturated) := FALSE;
  next(saturated) := case
    phase = add  : sum + product < sum;
    phase = idle : FALSE;
    TRUE         : saturated;
  esac;
  init(tries) := 0;
  next(tries) := case
    phase = load                : 0;
    phase = scale & tries < 3   : tries + 1;
    TRUE                        : tries;
  esac;
  init(busy) := FALSE;
  next(busy) := case
    phase = idle & offered : TRUE;
    phase = add            : FALSE;
    TRUE                   : busy;
  esac;
  init(ready) := FALSE;
  next(ready) := case
    phase = add & !saturated  : TRUE;
    phase = deliver & taken   : FALSE;
    TRUE                      : ready;
  esac;
FAIRNESS taken
INVARSPEC NAME not_both := !(busy & ready)
INVARSPEC NAME delivers_when_ready := ready <-> phase = deliver
CTLSPEC NAME busy_while_working := AG (phase in {{load, multiply, scale, add}} -> busy)
CTLSPEC NAME comes_back := AG (phase = deliver -> AF phase = idle)
LTLSPEC NAME delivered_after_adding := G (ready -> O phase = add)
"
    )
}

/// Tasks with deadlines counted by timers of `width` bits, under one supervisor.
pub fn watchdog(tasks: u64, width: u64) -> String {
    let top = 1u64 << width;
    let limit = |i: u64| top - top / (3 + i);
    let instances = each(tasks, |i| format!("  t{i} : task(mode, {});\n", limit(i)));
    let late = joined(tasks, " | ", |i| format!("t{i}.state = late"));
    let pairs = joined(tasks, " | ", |i| {
        let others = joined(tasks - i - 1, " | ", |j| {
            format!("t{}.state = late", i + 1 + j)
        });
        match i + 1 < tasks {
            true => format!("t{i}.state = late & ({others})"),
            false => "FALSE".to_owned(),
        }
    });
    let stopped = joined(tasks, " & ", |i| format!("t{i}.state != running"));
    let last = top - 1;
    format!(
        "\
-- Tasks with deadlines. The timer of a task counts while the task runs; past its limit the task is late. A supervisor degrades the
-- service when one is late, and stops all when two are.
MODULE main
VAR
  mode : {{normal, degraded, safe}};
{instances}DEFINE
  one_late := {late};
  two_late := {pairs};
ASSIGN
  init(mode) := normal;
  next(mode) := case
    mode = safe : safe;
    two_late    : safe;
    one_late    : degraded;
    TRUE        : normal;
  esac;
INVARSPEC NAME late_is_late := t0.state = late -> t0.timer >= {limit}
INVARSPEC NAME waits_at_zero := t1.state = waiting -> t1.timer = 0
CTLSPEC NAME stays_safe := AG (mode = safe -> AX (AX ({stopped})))
CTLSPEC NAME in_order := AG (mode = safe -> A [mode = safe U mode = safe & t0.state != running])
LTLSPEC NAME was_late := G (mode = degraded -> O ({late}))
CTLSPEC NAME run_together := AG (t0.state = running -> t1.state = running)

MODULE task(mode, limit)
VAR
  state : {{waiting, running, late, stopped}};
  timer : 0..{last};
  starts : boolean;
  ends : boolean;
ASSIGN
  init(state) := waiting;
  next(state) := case
    mode = safe                        : stopped;
    state = waiting & starts           : running;
    state = running & ends             : waiting;
    state = running & timer >= limit   : late;
    state = late & ends                : waiting;
    TRUE                               : state;
  esac;
  init(timer) := 0;
  next(timer) := case
    next(state) = waiting              : 0;
    state = running & timer < {last}   : timer + 1;
    TRUE                               : timer;
  esac;
",
        limit = limit(0)
    )
}

/// A cache of `ways` lines that replaces the least recently used one.
pub fn replacement(ways: u64) -> String {
    let last = ways - 1;
    let instances = each(ways, |i| {
        format!("  w{i} : way({i}, hit, touched, touched_age, victim, phase, filled, writes);\n")
    });
    let oldest = each(ways - 1, |i| format!("    w{i}.age = {last} : {i};\n"));
    let dirty = joined(ways, " | ", |i| format!("victim = {i} & w{i}.dirty"));
    let valid = each(ways, |i| format!("    touched = {i} : w{i}.valid;\n"));
    let age = each(ways - 1, |i| format!("    touched = {i} : w{i}.age;\n"));
    format!(
        "\
-- A cache with the exact order of last use: every way has an age, and the ages are always a permutation. The controller writes a
-- dirty victim back before it refills it.
MODULE main
IVAR
  asked : 0..{last};
VAR
  request : boolean;
  writes : boolean;
  memory_ready : boolean;
  phase : {{ready, lookup, evict, refill}};
  touched : 0..{last};
  victim : 0..{last};
{instances}DEFINE
  oldest := case
{oldest}    TRUE : {last};
  esac;
  present := case
{valid}    TRUE : FALSE;
  esac;
  touched_age := case
{age}    TRUE : w{last}.age;
  esac;
  victim_dirty := {dirty};
  hit := phase = lookup & present;
  filled := phase = refill & memory_ready;
ASSIGN
  init(phase) := ready;
  next(phase) := case
    phase = ready & request          : lookup;
    phase = lookup & present         : ready;
    phase = lookup                   : evict;
    phase = evict & !victim_dirty    : refill;
    filled                           : ready;
    TRUE                             : phase;
  esac;
  init(touched) := 0;
  next(touched) := phase = ready ? asked : touched;
  init(victim) := 0;
  next(victim) := phase = lookup & !present ? oldest : victim;
FAIRNESS memory_ready
INVARSPEC NAME refills_clean := phase = refill & victim = 0 -> !w0.dirty
INVARSPEC NAME dirty_is_valid := w0.dirty -> w0.valid
CTLSPEC NAME not_while_refilled := AG (phase = refill & victim = 1 -> !w1.valid)
CTLSPEC NAME ends := AG (phase = refill -> AF phase = ready)
LTLSPEC NAME evicted_first := G (phase = refill -> O phase = evict)
CTLSPEC NAME never_dirty := AG !w0.dirty

MODULE way(number, hit, touched, touched_age, victim, phase, filled, writes)
VAR
  valid : boolean;
  dirty : boolean;
  age : 0..{last};
DEFINE
  chosen := phase = refill & victim = number;
  used := hit & touched = number;
ASSIGN
  init(valid) := FALSE;
  next(valid) := case
    phase = evict & victim = number : dirty & valid;
    chosen                          : filled;
    TRUE                            : valid;
  esac;
  init(dirty) := FALSE;
  next(dirty) := case
    phase = evict & victim = number : FALSE;
    used & writes                   : TRUE;
    TRUE                            : dirty;
  esac;
  init(age) := number;
  next(age) := case
    used | chosen & filled          : 0;
    hit & age < touched_age         : age + 1;
    filled & age < {last}           : age + 1;
    TRUE                            : age;
  esac;
"
    )
}

/// A buffer of `places` words of `width` bits that drops packets with a wrong sum.
pub fn packet_buffer(places: u64, width: u64) -> String {
    let last = places - 1;
    let cells = each(places, |i| format!("  c{i} : unsigned word[{width}];\n"));
    let assigns = each(places, |i| {
        format!(
            "  init(c{i}) := 0ud{width}_0;\n  next(c{i}) := stores & tail = {i} ? word_in : c{i};\n"
        )
    });
    let front = each(last, |i| format!("    head = {i} : c{i};\n"));
    let sum = joined(places, " + ", |i| format!("c{i}"));
    format!(
        "\
-- Store and forward: the words of a packet are collected and their sum is kept; a packet whose check word is wrong is dropped, others
-- leave word by word. Control depends on the data by the sum.
MODULE main
IVAR
  word_in : unsigned word[{width}];
VAR
  arrives : boolean;
  link_free : boolean;
  mode : {{collect, verify, send}};
  head : 0..{last};
  tail : 0..{last};
  stored : 0..{places};
  check : unsigned word[{width}];
  sent : unsigned word[{width}];
{cells}DEFINE
  full := stored = {places};
  stores := mode = collect & arrives & !full;
  leaves := mode = send & link_free & stored > 0;
  front := case
{front}    TRUE : c{last};
  esac;
  sum := {sum};
ASSIGN
  init(mode) := collect;
  next(mode) := case
    mode = collect & full                  : verify;
    mode = verify                          : check = sum ? send : collect;
    mode = send & stored = 1 & link_free    : collect;
    TRUE                                   : mode;
  esac;
  init(head) := 0;
  next(head) := case
    mode = verify & check != sum : tail;
    leaves                       : (head + 1) mod {places};
    TRUE                         : head;
  esac;
  init(tail) := 0;
  next(tail) := stores ? (tail + 1) mod {places} : tail;
  init(stored) := 0;
  next(stored) := case
    mode = verify & check != sum : 0;
    stores & stored < {places}    : stored + 1;
    leaves                       : stored - 1;
    TRUE                         : stored;
  esac;
  init(check) := 0ud{width}_0;
  next(check) := mode = collect & full ? word_in : check;
  init(sent) := 0ud{width}_0;
  next(sent) := leaves ? front : sent;
{assigns}FAIRNESS link_free
INVARSPEC NAME in_step := (head + stored) mod {places} = tail
INVARSPEC NAME verifies_whole := mode = verify -> full
CTLSPEC NAME something_to_send := AG (mode = send -> stored > 0)
CTLSPEC NAME sends_all := AG (mode = send -> AF mode = collect)
LTLSPEC NAME verified_first := G (mode = send -> O mode = verify)
INVARSPEC NAME never_sends := mode != send
"
    )
}
