//! A sensor network with a bounded buffer (SN).

use super::{Instance, Variant, numbered, renamed};

const ABOUT: &str = "\
//
// A sensor sends data until it detects something; then it sends two messages, a warning and a
// farewell, and is off. A detection is missed with probability 1/10. The channel listens to the
// sensors in turn and keeps up to five items in the order of their arrival. It loses an item with
// probability 1/20, and data with 1/5 once a detection has been announced. The process stores up
// to three data; handling one crashes it with probability 1/10. It is warned by a message, and
// locks itself if it has not heard of a detection before, which cannot happen here.
//
// After the sensor network of Feng, Kwiatkowska and Parker (2010, 2011); rebuilt from the few
// words on it and the sizes in Table 6.2 of Komuravelli (2015). The channel, the process and the
// specification have the published numbers of states, which the sensors with the channel miss by
// a twelfth at most and the whole system by a quarter in size 1 and by a twelfth beyond.
";

const CRASHES_MORE: &str = "\
//
// Wrong: the process crashes with probability 1/8.
";

const SENSOR: &str = "
// 0 measuring, 1 has detected, 2 has warned, 3 off
module sensor1
  s1 : [0..3] init 0;
  [data1] s1=0 -> true;
  [detect1] s1=0 -> 1-miss : (s1'=1) + miss : true;
  [message1] s1=1 | s1=2 -> (s1'=s1+1);
endmodule

";

const CHANNEL: &str = "
  [take_data] length>0 & mod(items,2)=0 -> (length'=length-1) & (items'=floor(items/2));
  [take_message] length>0 & mod(items,2)=1 -> (length'=length-1) & (items'=floor(items/2));
endmodule
";

const PROCESS: &str = "
// 0 up, 1 crashed, 2 warned, 3 locked
module process
  mode : [0..3] init 0;
  stored : [0..3] init 0;
  alarm : bool init false; // a detection has been heard of
  [take_data] stored<3 -> (stored'=stored+1);
  [take_message] mode=0 & alarm -> (mode'=2);
  [take_message] mode=0 & !alarm -> (mode'=3);
  [take_message] mode>1 -> true;
  [handle] mode=0 & stored>0 -> 1-crash : (stored'=stored-1) + crash : (stored'=stored-1) & (mode'=1);
  [restart] mode=1 -> (mode'=0);
  [restart] mode=3 -> (mode'=2);
  [report] mode=2 -> (stored'=0);
";

const LABELS: &str = "
// The process has crashed.
label \"bad\" = mode=1;
";

const ABOUT_SPECIFICATION: &str = "\
//
// A sensor misses a detection with probability 1/10, sends messages after one only, and nothing
// after its last. The channel is empty, full or neither, and loses an item with probability 1/20,
// or data with 1/5. Handling data crashes the process with probability 1/10. What the channel and
// the process keep, and whose turn it is, is left open.
";

const SPECIFICATION_OF_SENSOR: &str = "
// 0 measuring, 1 alarmed, 2 off
module sensor1
  s1 : [0..2] init 0;
  [data1] s1=0 -> true;
  [detect1] s1=0 -> 1-miss : (s1'=1) + miss : true;
  [message1] s1=1 -> true;
  [message1] s1=1 -> (s1'=2);
endmodule

";

const SPECIFICATION_OF_CHANNEL: &str = "\
  [take_data] fill=1 -> (fill'=0);
  [take_data] fill=1 -> true;
  [take_data] fill=2 -> (fill'=1);
  [take_message] fill=1 -> (fill'=0);
  [take_message] fill=1 -> true;
  [take_message] fill=2 -> (fill'=1);
  [next] true -> true;
endmodule
";

const SPECIFICATION_OF_PROCESS: &str = "
module process
  down : bool init false;
  [handle] !down -> 1-crash : true + crash : (down'=true);
  [restart] down -> (down'=false);
  [report] !down -> true;
  [take_message] !down -> true;
endmodule
";

/// What a sensor is renamed by.
const SENSOR_NAMES: [&str; 4] = ["s#", "data#", "detect#", "message#"];

/// `n` sensors that send to a process over a channel.
#[must_use]
pub fn sensor_network(n: usize, variant: Variant) -> Instance {
    let mut first = numbered("sensor", n);
    first.push("channel".to_owned());
    Instance {
        system: system(n, variant),
        specification: specification(n),
        split: [first, vec!["process".to_owned()]],
    }
}

fn system(n: usize, variant: Variant) -> String {
    let mut t = String::new();
    put!(
        t,
        "// A network of sensors that send data and messages to a process over one channel; size {n}."
    );
    t += ABOUT;
    let crash = match variant {
        Variant::Right => 10,
        Variant::Wrong => 8,
    };
    if variant == Variant::Wrong {
        t += CRASHES_MORE;
    }
    constants(&mut t, crash);
    channel(&mut t, n);
    t += PROCESS;
    (1..=n).for_each(|i| put!(t, "  [detect{i}] true -> (alarm'=true);"));
    put!(t, "endmodule");
    t += SENSOR;
    (2..=n).for_each(|i| renamed(&mut t, "sensor", [1, i], &SENSOR_NAMES));
    t += LABELS;
    t
}

fn constants(t: &mut String, crash: u32) {
    put!(t, "\nmdp\n");
    put!(t, "const double miss = 1/10;");
    put!(t, "const double loss = 1/20;");
    put!(t, "const double worse = 1/5;");
    put!(t, "const double crash = 1/{crash};");
}

fn channel(t: &mut String, n: usize) {
    put!(
        t,
        "\n// The oldest item is the lowest bit of items: 0 for data, 1 for a message."
    );
    put!(t, "module channel");
    put!(t, "  turn : [1..{n}] init 1;");
    put!(t, "  urgent : bool init false;");
    put!(t, "  length : [0..5] init 0;");
    put!(t, "  items : [0..31] init 0;");
    let (data, message) = (
        "(length'=length+1)",
        "(length'=length+1) & (items'=items+pow(2,length))",
    );
    for i in 1..=n {
        let next = if i == n { 1 } else { i + 1 };
        let open = format!("turn={i} & length<5");
        put!(
            t,
            "\n  [data{i}] {open} & !urgent -> 1-loss : {data} + loss : true;"
        );
        put!(
            t,
            "  [data{i}] {open} & urgent -> 1-worse : {data} + worse : true;"
        );
        put!(
            t,
            "  [message{i}] {open} -> 1-loss : {message} + loss : true;"
        );
        put!(t, "  [detect{i}] true -> (urgent'=true);");
        put!(t, "  [next] turn={i} -> (turn'={next});");
    }
    *t += CHANNEL;
}

fn specification(n: usize) -> String {
    let mut t = String::new();
    put!(t, "// Specification of the network of sensors; size {n}.");
    t += ABOUT_SPECIFICATION;
    constants(&mut t, 10);
    t += SPECIFICATION_OF_SENSOR;
    (2..=n).for_each(|i| renamed(&mut t, "sensor", [1, i], &SENSOR_NAMES));
    put!(t, "\n// 0 empty, 1 neither, 2 full");
    put!(t, "module channel");
    put!(t, "  fill : [0..2] init 0;");
    for i in 1..=n {
        for (action, p) in [("data", "loss"), ("data", "worse"), ("message", "loss")] {
            put!(
                t,
                "  [{action}{i}] fill=0 -> 1-{p} : (fill'=1) + {p} : true;"
            );
            put!(
                t,
                "  [{action}{i}] fill=1 -> 1-{p} : (fill'=2) + {p} : true;"
            );
        }
        put!(t, "  [data{i}] fill=1 -> true;");
        put!(t, "  [message{i}] fill=1 -> true;");
    }
    t += SPECIFICATION_OF_CHANNEL;
    t += SPECIFICATION_OF_PROCESS;
    t
}
