//! Protocols between equals: caches on a bus, senders and receivers, processes that share something.

use super::{each, joined};

/// Caches with words of `width` bits on a bus that snoops.
pub fn cache_coherence(caches: u64, width: u64) -> String {
    let last = caches - 1;
    let instances = each(caches, |i| {
        format!("  c{i} : cache(turn = {i}, command, current, value);\n")
    });
    let mine = each(last, |i| format!("    turn = {i} : c{i}.line;\n"));
    let held = each(last, |i| format!("    turn = {i} : c{i}.data;\n"));
    let current = each(caches, |i| format!("    c{i}.line = owned : c{i}.data;\n"));
    let elsewhere = joined(caches, " | ", |i| {
        format!("turn != {i} & c{i}.line = owned")
    });
    format!(
        "\
-- Caches and a memory on a bus that snoops: a line is invalid, shared or owned, and an owner writes back before others may read. A
-- write of what is there already needs no ownership, so the bus depends on the data.
MODULE main
IVAR
  request : {{none, read, write}};
  value : unsigned word[{width}];
VAR
  turn : 0..{last};
  command : {{idle, fetch, own, flush}};
  memory : unsigned word[{width}];
{instances}DEFINE
  mine := case
{mine}    TRUE : c{last}.line;
  esac;
  held := case
{held}    TRUE : c{last}.data;
  esac;
  owned_elsewhere := {elsewhere};
  current := case
{current}    TRUE : memory;
  esac;
ASSIGN
  init(command) := idle;
  next(command) := case
    command != idle                                                : idle;
    owned_elsewhere & request != none                              : flush;
    request = read & mine = invalid                                : fetch;
    request = write & mine != owned & !(mine = shared & held = value) : own;
    TRUE                                                           : idle;
  esac;
  next(turn) := command = idle ? 0..{last} : turn;
  init(memory) := 0ud{width}_0;
  next(memory) := command = flush ? current : memory;
CTLSPEC NAME one_owner := AG !(c0.line = owned & c1.line = owned)
CTLSPEC NAME no_stale_copy := AG (c0.line = owned -> c1.line != shared)
CTLSPEC NAME owner_possible := AG EF c0.line = owned
INVARSPEC NAME never_shared := !(c0.line = shared & c1.line = shared)
LTLSPEC NAME owned_by_command := G (c0.line = owned -> O command = own)

MODULE cache(selected, command, current, value)
VAR
  line : {{invalid, shared, owned}};
  data : unsigned word[{width}];
ASSIGN
  init(line) := invalid;
  next(line) := case
    selected & command = fetch                 : shared;
    selected & command = own                   : owned;
    !selected & command = own                  : invalid;
    line = owned & !selected & command = flush : shared;
    line = shared & command = idle             : {{shared, invalid}};
    TRUE                                       : line;
  esac;
  init(data) := 0ud{width}_0;
  next(data) := case
    selected & command in {{fetch, own}}     : current;
    line = owned & selected & command = idle : value;
    TRUE                                     : data;
  esac;
"
    )
}

/// The alternating-bit protocol with items of `width` bits over links of this many places.
pub fn alternating_bit(places: u64, width: u64) -> String {
    let chain = |name: &str, from: &str, item: &str| {
        each(places, |i| {
            let before = format!("{name}{}", i.saturating_sub(1));
            match i {
                0 => format!("  {name}0 : link({from}.send, {from}.bit, {item});\n"),
                _ => format!("  {name}{i} : link({before}.full, {before}.bit, {before}.item);\n"),
            }
        })
    };
    let ahead = chain("ahead", "sender", "sender.item");
    let back = chain("back", "receiver", &format!("0ud{width}_0"));
    let last = places - 1;
    format!(
        "\
-- The alternating-bit protocol over links of some places; every place may lose what it gets, but not always.
MODULE main
VAR
{ahead}{back}  sender   : sender(back{last}.full, back{last}.bit);
  receiver : receiver(ahead{last}.full, ahead{last}.bit, ahead{last}.item);
CTLSPEC NAME in_step := AG (receiver.fresh -> receiver.wanted = sender.bit)
INVARSPEC NAME right_item := receiver.fresh -> ahead{last}.item = sender.item
LTLSPEC NAME goes_on := G F receiver.fresh
CTLSPEC NAME may_go_on := AG EF receiver.fresh
INVARSPEC NAME no_early_turn := sender.turns -> back{last}.full
LTLSPEC NAME came_from_sender := G (receiver.fresh -> O sender.send)

MODULE sender(reply, reply_bit)
VAR
  bit : boolean;
  item : unsigned word[{width}];
  new : unsigned word[{width}];
DEFINE
  turns := reply & reply_bit = bit;
  send := !reply;
ASSIGN
  init(bit) := FALSE;
  next(bit) := turns ? !bit : bit;
  next(item) := turns ? new : item;

MODULE receiver(arrived, arrived_bit, arrived_item)
VAR
  wanted : boolean;
  bit : boolean;
  send : boolean;
  item : unsigned word[{width}];
DEFINE
  fresh := arrived & arrived_bit = wanted;
ASSIGN
  init(wanted) := FALSE;
  init(bit) := TRUE;
  init(send) := FALSE;
  init(item) := 0ud{width}_0;
  next(wanted) := fresh ? !wanted : wanted;
  next(bit) := arrived ? arrived_bit : bit;
  next(send) := arrived;
  next(item) := fresh ? arrived_item : item;

MODULE link(put, put_bit, put_item)
VAR
  full : boolean;
  bit : boolean;
  item : unsigned word[{width}];
  loses : boolean;
ASSIGN
  init(full) := FALSE;
  next(full) := put & !loses;
  init(bit) := FALSE;
  next(bit) := put_bit;
  init(item) := 0ud{width}_0;
  next(item) := put_item;
FAIRNESS put -> !loses
FAIRNESS !loses
"
    )
}

/// This many processes and one semaphore.
pub fn mutual_exclusion(processes: u64) -> String {
    let instances = each(processes, |i| {
        format!("  p{i} : process user(semaphore);\n")
    });
    format!(
        "\
-- Processes and a semaphore. Each may stay outside for ever, and fairness lets none stay inside for ever.
MODULE main
VAR
  semaphore : boolean;
{instances}ASSIGN
  init(semaphore) := FALSE;
CTLSPEC NAME safe := AG !(p0.state = inside & p1.state = inside)
CTLSPEC NAME enters := AG (p0.state = entering -> AF p0.state = inside)
CTLSPEC NAME can_enter := AG (p0.state = entering -> EF p0.state = inside)
LTLSPEC NAME leaves := G (p0.state = inside -> F p0.state != inside)
INVARSPEC NAME semaphore_is_taken := p0.state = inside -> semaphore

MODULE user(semaphore)
VAR
  state : {{idle, entering, inside, leaving}};
ASSIGN
  init(state) := idle;
  next(state) := case
    state = idle                  : {{idle, entering}};
    state = entering & !semaphore : inside;
    state = inside                : {{inside, leaving}};
    state = leaving               : idle;
    TRUE                          : state;
  esac;
  next(semaphore) := case
    state = entering : TRUE;
    state = leaving  : FALSE;
    TRUE             : semaphore;
  esac;
FAIRNESS running
FAIRNESS state != inside
"
    )
}

/// A ring of this many cells, each a process.
pub fn arbiter_ring(cells: u64) -> String {
    let last = cells - 1;
    let instances = each(cells, |i| {
        let before = (i + last) % cells;
        let after = (i + 1) % cells;
        let first = if i == 0 { "TRUE" } else { "FALSE" };
        format!("  c{i} : process cell(c{before}.out, c{after}.taken, {first});\n")
    });
    let pairs = joined(last, " & ", |i| {
        format!("!(c{i}.serving & c{}.serving)", i + 1)
    });
    format!(
        "\
-- Cells in a ring pass a token by handshakes, each at its own pace; a cell with the token may serve its user.
MODULE main
VAR
{instances}CTLSPEC NAME one_user := AG ({pairs})
CTLSPEC NAME comes_around := AG AF c1.serving
CTLSPEC NAME may_serve := AG EF c{last}.serving
LTLSPEC NAME never_served := G !c{last}.serving

MODULE cell(before, after, first)
VAR
  taken : boolean;
  out : boolean;
  serving : boolean;
DEFINE
  arrives := before != taken;
  free := out = after;
ASSIGN
  init(taken) := FALSE;
  init(out) := first;
  init(serving) := FALSE;
  next(taken) := arrives & !serving & free ? before : taken;
  next(serving) := arrives & !serving & free;
  next(out) := serving & free ? !out : out;
FAIRNESS running
"
    )
}
