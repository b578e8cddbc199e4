//! Controllers: of a bus, of a reactor's water, of a flight.

use super::{each, joined};

/// A bus with this many masters, round-robin grants and bursts of up to `burst` words, as on PCI.
pub fn bus_arbiter(masters: u64, burst: u64) -> String {
    let last = masters - 1;
    let instances = each(masters, |i| {
        format!("  m{i} : master(turn = {i}, owner = {i}, bus, target);\n")
    });
    let pick = |what: &str, by: &str| {
        each(last, |i| format!("    {by} = {i} : m{i}.{what};\n"))
            + &format!("    TRUE : m{last}.{what};\n")
    };
    let others = joined(masters, " | ", |i| format!("owner != {i} & m{i}.wants"));
    let (wants, ends, late) = (
        pick("wants", "turn"),
        pick("ends", "owner"),
        pick("late", "owner"),
    );
    format!(
        "\
-- A bus as PCI has it: masters ask, the arbiter lets them own the bus in turn, an owner sends a burst to a target that may insert
-- waits or end the burst, and gives the bus up when its latency timer is over and another master asks.
MODULE main
VAR
  turn : 0..{last};
  owner : 0..{last};
  bus : {{free, address, transfer, turnaround}};
  target : {{away, decodes, ready, waits, stops}};
{instances}DEFINE
  asked := case
{wants}  esac;
  ended := case
{ends}  esac;
  late := case
{late}  esac;
  others_want := {others};
ASSIGN
  init(turn) := 0;
  next(turn) := bus = free & asked | bus in {{address, transfer}} ? turn : (turn + 1) mod {masters};
  init(owner) := 0;
  next(owner) := bus = free & asked ? turn : owner;
  init(bus) := free;
  next(bus) := case
    bus = free & asked                                  : address;
    bus = address & target = decodes                    : transfer;
    bus = transfer & (ended | target = stops)           : turnaround;
    bus = transfer & late & others_want                 : turnaround;
    bus = turnaround                                    : free;
    TRUE                                                : bus;
  esac;
  init(target) := away;
  next(target) := case
    bus = address & target = away     : decodes;
    bus = address                     : {{ready, waits}};
    bus = transfer & target = stops   : away;
    bus = transfer                    : {{ready, waits, stops}};
    TRUE                              : away;
  esac;
FAIRNESS target = ready | bus != transfer
FAIRNESS !m1.waits_for_turn | turn = 1
CTLSPEC NAME one_driver := AG !(m0.drives & m1.drives)
INVARSPEC NAME drives_own := m0.drives -> owner = 0
INVARSPEC NAME target_is_there := bus = transfer -> target != away
CTLSPEC NAME comes_free := AG (bus = turnaround -> AX bus = free)
CTLSPEC NAME served := AG (m1.wants -> AF m1.drives)
LTLSPEC NAME asked_before := G (m0.drives -> O m0.wants)
CTLSPEC NAME never_stopped := AG !(m0.drives & target = stops)
CTLSPEC NAME may_serve_all := AG EF m{last}.drives

MODULE master(turned, owns, bus, target)
VAR
  wants : boolean;
  left : 0..{burst};
  timer : 0..{burst};
DEFINE
  drives := owns & bus = transfer;
  ends := left = 0;
  late := timer = {burst};
  waits_for_turn := wants & !turned & bus = free;
ASSIGN
  init(wants) := FALSE;
  next(wants) := case
    owns & bus = address : FALSE;
    wants                : TRUE;
    TRUE                 : {{TRUE, FALSE}};
  esac;
  init(left) := 0;
  next(left) := case
    turned & bus = free & wants                : 1..{burst};
    drives & target = ready & left > 0         : left - 1;
    TRUE                                       : left;
  esac;
  init(timer) := 0;
  next(timer) := case
    !owns | bus != transfer : 0;
    timer < {burst}               : timer + 1;
    TRUE                    : timer;
  esac;
"
    )
}

/// Safety injection by a pressure from 0 to `top`.
pub fn water_pressure(top: u64) -> String {
    let (low, high, first) = (top * 45 / 100, top * 80 / 100, top / 2);
    let step = (top / 200).max(1);
    let wait = (top / 8).clamp(3, 255);
    format!(
        "\
-- Safety injection: when the pressure of the water is too low for long enough, cooling starts, unless it is blocked, and the block
-- is lifted when the pressure was high in between.
MODULE main
IVAR
  flow : -{step}..{step};
  block : boolean;
  reset : boolean;
VAR
  pressure : 0..{top};
  level : {{low, permitted, high}};
  overridden : boolean;
  injecting : boolean;
  counter : 0..{wait};
ASSIGN
  init(pressure) := {first};
  init(level) := permitted;
  init(overridden) := FALSE;
  init(injecting) := FALSE;
  init(counter) := 0;
  next(pressure) := min({top}, max(0, pressure + flow));
  next(level) := case
    next(pressure) < {low}   : low;
    next(pressure) >= {high} : high;
    TRUE                     : permitted;
  esac;
  next(overridden) := case
    level = high | reset : FALSE;
    level = low & block  : TRUE;
    TRUE                 : overridden;
  esac;
  next(counter) := case
    level != low    : 0;
    counter < {wait} : counter + 1;
    TRUE            : counter;
  esac;
  next(injecting) := level = low & counter = {wait} & !overridden;
INVARSPEC NAME level_is_right := level = low <-> pressure < {low}
INVARSPEC NAME injects_only_after_low := injecting -> counter = {wait} | counter = 0
CTLSPEC NAME override_is_lifted := AG (level = high -> AX !overridden)
CTLSPEC NAME low_before_high := AG (level = low -> AX level != high)
CTLSPEC NAME injects := AG (level = low & !overridden -> AF injecting)
LTLSPEC NAME injection_was_low := G (injecting -> Y level = low)
"
    )
}

/// A flight through its phases up to an altitude, with this many sensors that may fail.
pub fn guidance(sensors: u64, top: u64) -> String {
    let instances = each(sensors, |i| format!("  s{i} : sensor(phase, altitude);\n"));
    let broken = joined(sensors, " & ", |i| format!("s{i}.health = broken"));
    let doubted = joined(sensors, " + ", |i| format!("count(s{i}.health != good)"));
    let reading = each(sensors - 1, |i| {
        format!("    s{i}.health = good : s{i}.reading;\n")
    });
    let final_ = sensors - 1;
    let (cruise, fuel) = (top * 3 / 4, 2 * top + 1);
    format!(
        "\
-- A controller that goes through the phases of a flight. It steers by the readings of sensors that may drift and break, the first good
-- one in a fixed order, and aborts when none is left or the fuel is short.
MODULE main
VAR
  phase : {{ground, ascent, cruise, descent, aborted}};
  altitude : 0..{top};
  fuel : 0..{fuel};
{instances}DEFINE
  lost := {broken};
  doubts := {doubted};
  flying := phase in {{ascent, cruise, descent}};
  reading := case
{reading}    TRUE : s{final_}.reading;
  esac;
ASSIGN
  init(phase) := ground;
  next(phase) := case
    lost & flying                             : aborted;
    phase = ground                            : {{ground, ascent}};
    flying & fuel = 0                         : aborted;
    phase = ascent & reading >= {cruise}      : cruise;
    phase = cruise                            : {{cruise, descent}};
    phase = descent & reading = 0 & altitude = 0 : ground;
    TRUE                                      : phase;
  esac;
  init(altitude) := 0;
  next(altitude) := case
    phase = ascent & altitude < {top}          : altitude + 1;
    phase in {{descent, aborted}} & altitude > 0 : altitude - 1;
    TRUE                                       : altitude;
  esac;
  init(fuel) := {fuel};
  next(fuel) := case
    phase = ground         : {fuel};
    flying & fuel > 0      : fuel - 1;
    TRUE                   : fuel;
  esac;
CTLSPEC NAME on_the_ground := AG (phase = ground -> altitude = 0)
CTLSPEC NAME aborted_lands := AG (phase = aborted -> AF altitude = 0)
CTLSPEC NAME never_aborted := AG phase != aborted
CTLSPEC NAME stays_aborted := AG (phase = aborted -> AG phase = aborted)
INVARSPEC NAME broken_reads_zero := s0.health = broken -> s0.reading = 0
LTLSPEC NAME abort_needs_flight := G (phase = aborted -> O phase in {{ascent, cruise, descent}})
CTLSPEC NAME climbs_first := A [phase != descent U phase = cruise | phase in {{ground, ascent, aborted}}]
CTLSPEC NAME flies_fuelled := AG (phase = ground -> AX fuel = {fuel})

MODULE sensor(phase, altitude)
VAR
  health : {{good, drifting, broken}};
  reading : 0..{top};
ASSIGN
  init(health) := good;
  next(health) := case
    phase = ground    : good;
    health = good     : {{good, drifting}};
    health = drifting : {{drifting, broken}};
    TRUE              : broken;
  esac;
  init(reading) := 0;
  next(reading) := case
    next(health) = good     : altitude;
    next(health) = drifting : {{reading, altitude}};
    TRUE                    : 0;
  esac;
"
    )
}
