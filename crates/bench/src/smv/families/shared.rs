//! What is shared by many and asked whether it can still be had: buses below a bus, a bus with split transactions, a lift.

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

const PROCESSOR: &str = "
MODULE processor(command, mine, held)
VAR
  line : {invalid, shared, owned};
  waits : {no, for_shared, for_owned};
  snooped : {nothing, give, drop};
  wish : {rest, load, store, evict};
  abort : boolean;
DEFINE
  readable := line != invalid & waits = no & snooped = nothing;
  writable := line = owned & waits = no & snooped = nothing;
  holds_up := !mine & (snooped != nothing | abort & waits != no);
  ask := case
    snooped = give                       : write_back;
    snooped = drop                       : invalidate;
    waits != no                          : idle;
    wish = load & line = invalid         : read_shared;
    wish = store & line != owned         : read_owned;
    wish = evict & line = owned          : write_back;
    TRUE                                 : idle;
  esac;
ASSIGN
  init(line) := invalid;
  next(line) := case
    mine & command = respond & waits = for_shared : shared;
    mine & command = respond & waits = for_owned  : owned;
    mine & command = write_back & snooped = give  : shared;
    mine & command = write_back                   : invalid;
    mine & command = invalidate                   : invalid;
    !mine & command = read_owned & !held & line = shared : invalid;
    TRUE                                          : line;
  esac;
  init(waits) := no;
  next(waits) := case
    mine & command = read_shared & !held : for_shared;
    mine & command = read_owned & !held  : for_owned;
    mine & command = respond             : no;
    TRUE                                 : waits;
  esac;
  init(snooped) := nothing;
  next(snooped) := case
    !mine & command = read_shared & !held & line = owned : give;
    !mine & command = read_owned & !held & line = owned  : drop;
    mine & command in {write_back, invalidate}         : nothing;
    TRUE                                                 : snooped;
  esac;
";

/// This many caches on one bus, with requests that are answered later: most states are not reachable, and from most of those a cache
/// gets its line as well.
pub fn snooping(caches: u64) -> String {
    let last = caches - 1;
    let instances = each(caches, |i| {
        format!("  p{i} : processor(command, turn = {i}, held);\n")
    });
    let asks = each(caches, |i| format!("    turn = {i} : p{i}.ask;\n"));
    let held = joined(caches, " | ", |i| format!("p{i}.holds_up"));
    format!(
        "\
-- Caches on one bus whose transactions are split: a request is answered later, by the owner if there is one, else by the memory; meanwhile others
-- use the bus. Whoever sees a request for a line that it is itself waiting for holds it up, and it is tried again. Whether a cache can
-- always get the line is asked of every reachable state; most states are not reachable.
MODULE main
VAR
  command : {{idle, read_shared, read_owned, respond, write_back, invalidate}};
  turn : 0..{last};
  busy : boolean;
  reply_to : 0..{last};
  reply : {{none, shared, owned}};
  slow : boolean;
{instances}DEFINE
  held := {held};
  ask := case
{asks}    TRUE : idle;
  esac;
ASSIGN
  init(command) := idle;
  next(command) := case
    command != idle                        : idle;
    reply != none & !slow                  : respond;
    ask in {{read_shared, read_owned}} & busy : idle;
    TRUE                                   : ask;
  esac;
  next(turn) := case
    command = idle & reply != none & !slow : reply_to;
    command = idle                         : 0..{last};
    TRUE                                   : turn;
  esac;
  init(busy) := FALSE;
  next(busy) := case
    command in {{read_shared, read_owned}} & !held : TRUE;
    command = respond                            : FALSE;
    TRUE                                         : busy;
  esac;
  next(reply_to) := command in {{read_shared, read_owned}} & !held ? turn : reply_to;
  init(reply) := none;
  next(reply) := case
    command = read_shared & !held : shared;
    command = read_owned & !held  : owned;
    command = respond             : none;
    TRUE                          : reply;
  esac;
CTLSPEC NAME can_read := AG EF p0.readable
CTLSPEC NAME can_write := AG EF p{last}.writable
CTLSPEC NAME one_writer := AG !(p0.writable & p{last}.writable)
CTLSPEC NAME no_stale_reader := AG (p0.writable -> !p{last}.readable)
CTLSPEC NAME can_lose := AG (p0.readable -> EF !p0.readable)
{PROCESSOR}"
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
