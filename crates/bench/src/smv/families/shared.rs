//! What is shared by many and asked whether it can still be had: buses below a bus, a lift.

use super::{each, joined};

const CLUSTER: &str = "  wants := case
    waiting & local = read & !others      : read;
    waiting & local = own & !others       : own;
    state = exclusive & !inner & !waiting : flush;
    TRUE                                  : none;
  esac;
ASSIGN
  init(state) := absent;
  next(state) := case
    selected & global.command = read  : present;
    selected & global.command = own   : exclusive;
    selected & global.command = flush : present;
    !selected & global.command = own  : absent;
    TRUE                              : state;
  esac;
  init(waiting) := FALSE;
  next(waiting) := case
    selected & global.command in {read, own}                 : FALSE;
    !waiting & ask = read & state = absent & local = none    : TRUE;
    !waiting & ask = own & state != exclusive & local = none : TRUE;
    TRUE                                                     : waiting;
  esac;
  init(local) := none;
  next(local) := case
    waiting & selected & global.command in {read, own} : none;
    waiting                                            : local;
    !selected & global.command = own                   : invalidate;
    local != none                                      : none;
    ask = read & inner                                 : flush;
    TRUE                                               : ask;
  esac;
";

const CACHE: &str = "
MODULE cache(selected, local, outside, chosen, waiting)
VAR
  line : {invalid, shared, owned};
  wish : {none, read, own};
DEFINE
  ask := case
    wish = read & line = invalid : read;
    wish = own & line != owned   : own;
    TRUE                         : none;
  esac;
ASSIGN
  init(line) := invalid;
  next(line) := case
    selected & !waiting & local = read            : shared;
    selected & waiting & chosen & outside = read  : shared;
    selected & !waiting & local = own             : owned;
    selected & waiting & chosen & outside = own   : owned;
    !selected & local = own                       : invalid;
    local = invalidate                            : invalid;
    line = owned & local = flush                  : shared;
    line = owned & local = none & !waiting        : {owned, shared};
    line = shared & local = none & !waiting       : {shared, invalid};
    TRUE                                          : line;
  esac;
  init(wish) := none;
";

/// Clusters of caches, each with a bus of its own below the bus of all. Whether a line can always be had again is asked of every state.
pub fn buses(clusters: u64, caches: u64) -> String {
    let (last, end) = (clusters - 1, caches - 1);
    let instances = each(clusters, |c| {
        format!("  k{c} : cluster(global, global.turn = {c}, others{c});\n")
    });
    let others = each(clusters, |c| {
        let all = (0..clusters).filter(|d| *d != c);
        let all: Vec<String> = all.map(|d| format!("k{d}.owns")).collect();
        format!("  others{c} := {};\n", all.join(" | "))
    });
    let granted = each(clusters, |c| {
        format!("    global.turn = {c} : k{c}.wants;\n")
    });
    let members = each(caches, |i| {
        format!("  c{i} : cache(turn = {i}, local, global.command, selected, waiting);\n")
    });
    let inner = joined(caches, " | ", |i| format!("c{i}.line = owned"));
    let ask = each(caches, |i| format!("    turn = {i} : c{i}.ask;\n"));
    format!(
        "\
-- Clusters of caches: a bus for each, and one between the clusters. What a cluster does not have it waits for; what it owns and no cache of it
-- needs it gives back. Invalidation reaches the caches one step late, so that two can own a line for a moment.
MODULE main
VAR
  global : bus;
{instances}DEFINE
{others}  granted := case
{granted}    TRUE : none;
  esac;
ASSIGN
  init(global.command) := none;
  next(global.command) := global.stall ? none : granted;
CTLSPEC NAME can_own := AG EF k0.c0.line = owned
CTLSPEC NAME can_share := AG EF k{last}.c0.line = shared
CTLSPEC NAME one_owner := AG !(k0.c0.line = owned & k{last}.c0.line = owned)
CTLSPEC NAME no_stale_copy := AG !(k0.c0.line = owned & k{last}.c0.line = shared)
CTLSPEC NAME gives_back := AG (k0.owns -> EF !k0.owns)

MODULE bus
VAR
  command : {{none, read, own, flush, invalidate}};
  turn : 0..{last};
  stall : boolean;
ASSIGN
  next(turn) := command = none ? 0..{last} : turn;

MODULE cluster(global, selected, others)
VAR
  state : {{absent, present, exclusive}};
  waiting : boolean;
  local : {{none, read, own, flush, invalidate}};
  turn : 0..{end};
{members}DEFINE
  owns := state = exclusive;
  inner := {inner};
  ask := case
{ask}    TRUE : none;
  esac;
{CLUSTER}  next(turn) := local = none & !waiting ? 0..{end} : turn;
{CACHE}"
    )
}

/// A lift for this many floors, with a button on each.
pub fn lift(floors: u64) -> String {
    let (top, middle) = (floors - 1, floors / 2);
    let buttons = each(floors, |i| format!("  b{i} : boolean;\n"));
    let wanted = |sign: &str| joined(floors, " | ", |i| format!("b{i} & at {sign} {i}"));
    let (above, below, here) = (wanted("<"), wanted(">"), wanted("="));
    let pressed = each(floors, |i| {
        format!(
            "  init(b{i}) := FALSE;
  next(b{i}) := case
    at = {i} & door = open : FALSE;
    b{i} : TRUE;
    TRUE : {{TRUE, FALSE}};
  esac;
"
        )
    });
    format!(
        "\
-- A lift that goes on in its direction as long as somebody waits there, and opens where somebody does.
MODULE main
VAR
  at : 0..{top};
  dir : {{up, down, halt}};
  door : {{open, closed}};
{buttons}DEFINE
  above := {above};
  below := {below};
  here := {here};
ASSIGN
  init(at) := 0;
  next(at) := case
    door = open                     : at;
    dir = up & at < {top} & !here   : at + 1;
    dir = down & at > 0 & !here     : at - 1;
    TRUE                            : at;
  esac;
  init(dir) := halt;
  next(dir) := case
    dir = up & above   : up;
    dir = down & below : down;
    above              : up;
    below              : down;
    TRUE               : halt;
  esac;
  init(door) := closed;
  next(door) := case
    door = closed & here : open;
    TRUE                 : closed;
  esac;
{pressed}CTLSPEC NAME served := AG (b{top} -> AF (at = {top} & door = open))
CTLSPEC NAME can_come := AG EF (at = {middle} & door = open)
LTLSPEC NAME served_below := G (b0 -> F (at = 0 & door = open))
CTLSPEC NAME shuts := AG (dir = up & door = open -> AX door = closed)
"
    )
}
