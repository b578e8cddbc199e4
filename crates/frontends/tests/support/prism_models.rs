//! Random models in the language of PRISM. Every one of them is valid: assignments stay in range and
//! probabilities add up to one.

use suppose_testkit::Rng;

/// What a random model may have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// `dtmc`, not `mdp`.
    pub dtmc: bool,
    /// Guards and updates that read variables of other modules.
    pub reads: bool,
    /// A global variable.
    pub global: bool,
    /// `system ... endsystem`.
    pub system: bool,
    /// Reward structures.
    pub rewards: bool,
    /// `init ... endinit`, mostly with several initial states.
    pub init: bool,
}

struct Variable {
    name: String,
    /// The greatest value; 0 for a truth value.
    high: usize,
}

/// The text of a random model.
pub fn random_model(rng: &mut Rng, wanted: Wanted) -> String {
    let count = rng.between(1, 3);
    let mut text = String::from(if wanted.dtmc { "dtmc\n" } else { "mdp\n" });
    text.push_str("const int N = 2;\nconst double half = 0.5;\n");
    let mut modules: Vec<Vec<Variable>> = Vec::new();
    for module in 0..count {
        let mut variables = Vec::new();
        for v in 0..rng.between(1, 2) {
            variables.push(Variable {
                name: format!("x{module}_{v}"),
                high: rng.below(3),
            });
        }
        modules.push(variables);
    }
    if wanted.global {
        let init = if wanted.init { "" } else { " init 0" };
        text.push_str(&format!("global g : [0..1]{init};\n"));
    }
    let first = &modules[0][0];
    text.push_str(&format!("formula f = {};\n", atom(rng, first)));
    let mut names = vec!["m0".to_owned()];
    for (number, variables) in modules.iter().enumerate() {
        if number > 0 {
            names.push(format!("m{number}"));
        }
        let foreign: Vec<&Variable> = modules
            .iter()
            .enumerate()
            .filter(|(m, _)| *m != number && wanted.reads)
            .flat_map(|(_, vs)| vs)
            .collect();
        text.push_str(&module(rng, number, variables, &foreign, wanted));
    }
    if rng.percent(25) && !wanted.reads {
        let pairs: Vec<String> = modules[0]
            .iter()
            .map(|v| format!("{}=c{}", v.name, v.name))
            .collect();
        let action = ["", ", a=b", ", b=c"][rng.below(3)];
        text.push_str(&format!(
            "module copy = m0 [{}{action}] endmodule\n",
            pairs.join(", ")
        ));
        names.push("copy".to_owned());
    }
    text.push_str(&format!("label \"goal\" = {};\n", atom(rng, first)));
    if wanted.init {
        let some = modules[rng.below(count)].first();
        let some = some.map_or("true".to_owned(), |v| match v.high {
            0 => format!("{} = {}", v.name, rng.percent(50)),
            high => format!("{} <= {}", v.name, rng.below(high + 1)),
        });
        text.push_str(&format!("init {some} endinit\n"));
    }
    if wanted.rewards {
        let all: Vec<&Variable> = modules.iter().flatten().collect();
        for name in ["\"r\"", "\"s\""] {
            // Storm refuses rewards of actions that the model does not have.
            let there = |action: &&str| action.trim().is_empty() || text.contains(action.trim());
            let all_earners = ["", "", "[] ", "[a] ", "[b] ", "[c] "];
            let earners: Vec<&str> = all_earners.into_iter().filter(there).collect();
            let more = rewards(rng, name, &all, &earners);
            text.push_str(&more);
        }
    }
    if wanted.system {
        let mut system = String::new();
        for (at, name) in names.iter().enumerate() {
            let changed = match rng.below(5) {
                0 => format!("({name} / {{a}})"),
                1 => format!("({name} {{a <- b}})"),
                2 => format!("({name} {{b <- d}})"),
                _ => name.clone(),
            };
            let operator = [" || ", " ||| ", " |[a]| ", " |[a, b]| "][rng.below(4)];
            system = match at {
                0 => changed,
                _ => format!("({system}){operator}{changed}"),
            };
        }
        text.push_str(&format!("system {system} endsystem\n"));
    }
    text
}

fn module(
    rng: &mut Rng,
    number: usize,
    variables: &[Variable],
    foreign: &[&Variable],
    wanted: Wanted,
) -> String {
    let mut text = format!("module m{number}\n");
    for v in variables {
        let (range, init) = match v.high {
            0 => ("bool".to_owned(), rng.percent(50).to_string()),
            high => (format!("[0..{high}]"), rng.below(high + 1).to_string()),
        };
        let init = match wanted.init {
            true => String::new(),
            false => format!(" init {init}"),
        };
        text.push_str(&format!("  {} : {range}{init};\n", v.name));
    }
    for _ in 0..rng.between(1, 5) {
        let action = ["", "", "a", "b", "c"][rng.below(5)];
        let mut guard = condition(rng, variables);
        if !foreign.is_empty() && rng.percent(60) {
            let other = foreign[rng.below(foreign.len())];
            let operator = ["&", "&", "|"][rng.below(3)];
            guard = format!("({guard}) {operator} {}", atom(rng, other));
        }
        if number == 0 && rng.percent(20) {
            guard = format!("{guard} & (f | true)");
        }
        if wanted.global && rng.percent(30) {
            guard = format!("({guard}) & g=0");
        }
        text.push_str(&format!("  [{action}] {guard} -> "));
        text.push_str(&updates(rng, action, variables, foreign, wanted));
        text.push_str(";\n");
    }
    text.push_str("endmodule\n");
    text
}

fn updates(
    rng: &mut Rng,
    action: &str,
    variables: &[Variable],
    foreign: &[&Variable],
    wanted: Wanted,
) -> String {
    let shares: Vec<&str> = match rng.below(7) {
        0 | 1 => vec![],
        2 => vec!["half", "1-half"],
        3 => vec!["0.3", "0.7"],
        4 => vec!["1/3", "1/6", "1/2"],
        5 => vec!["1e-1", "0", "0.9"],
        _ => {
            let counted = variables.iter().find(|v| v.high > 0);
            let Some(v) = counted else {
                return assignments(rng, action, variables, foreign, wanted);
            };
            let (p, h) = (&v.name, v.high + 1);
            let (a, b) = (
                assignments(rng, action, variables, foreign, wanted),
                assignments(rng, action, variables, foreign, wanted),
            );
            return format!("{p}/{h} : {a} + 1-{p}/{h} : {b}");
        }
    };
    if shares.is_empty() {
        return assignments(rng, action, variables, foreign, wanted);
    }
    let parts = shares.iter().map(|p| {
        format!(
            "{p} : {}",
            assignments(rng, action, variables, foreign, wanted)
        )
    });
    parts.collect::<Vec<_>>().join(" + ")
}

fn assignments(
    rng: &mut Rng,
    action: &str,
    variables: &[Variable],
    foreign: &[&Variable],
    wanted: Wanted,
) -> String {
    let mut parts = Vec::new();
    for v in variables {
        let (n, h) = (&v.name, v.high);
        match rng.below(4) {
            0 => {}
            1 if h == 0 => parts.push(format!("({n}'=!{n})")),
            2 if h == 0 => parts.push(format!("({n}'={})", rng.percent(50))),
            1 => parts.push(format!("({n}'=min({n}+1, {h}))")),
            2 => parts.push(format!("({n}'=mod({n}+1, {}))", h + 1)),
            _ => {
                let same = foreign.iter().find(|f| f.high == h);
                match same {
                    Some(other) if rng.percent(50) => parts.push(format!("({n}'={})", other.name)),
                    _ if h == 0 => parts.push(format!("({n}'={n})")),
                    _ => parts.push(format!("({n}'={})", rng.below(h + 1))),
                }
            }
        }
    }
    if wanted.global && action.is_empty() && rng.percent(40) {
        parts.push("(g'=1-g)".to_owned());
    }
    match parts.is_empty() {
        true => "true".to_owned(),
        false => parts.join(" & "),
    }
}

fn rewards(rng: &mut Rng, name: &str, variables: &[&Variable], earners: &[&str]) -> String {
    let mut text = format!("rewards {name}\n");
    for _ in 0..rng.between(1, 3) {
        let earner = earners[rng.below(earners.len())];
        let guard = atom(rng, variables[rng.clone().below(variables.len())]);
        let counted = variables.iter().find(|v| v.high > 0);
        let value = match (rng.below(5), counted) {
            (0, Some(v)) => format!("{} + 1/2", v.name),
            (1, Some(v)) => format!("{} * 0.3", v.name),
            (2, _) => "1/3".to_owned(),
            (3, _) => "0".to_owned(),
            _ => rng.between(1, 5).to_string(),
        };
        text.push_str(&format!("  {earner}{guard} : {value};\n"));
    }
    text.push_str("endrewards\n");
    text
}

fn condition(rng: &mut Rng, variables: &[Variable]) -> String {
    let chosen = rng.below(variables.len());
    let mut text = atom(rng, &variables[chosen]);
    if rng.percent(40) {
        let operator = ["&", "|", "=>", "<=>"][rng.below(4)];
        let chosen = rng.below(variables.len());
        let other = atom(rng, &variables[chosen]);
        text = format!("({text}) {operator} ({other})");
    }
    text
}

fn atom(rng: &mut Rng, v: &Variable) -> String {
    let n = &v.name;
    if v.high == 0 {
        return match rng.below(3) {
            0 => n.clone(),
            1 => format!("!{n}"),
            _ => "true".to_owned(),
        };
    }
    let value = rng.below(v.high + 1);
    match rng.below(6) {
        0 => format!("{n}={value}"),
        1 => format!("{n}!={value}"),
        2 => format!("{n}<={value}"),
        3 => format!("{n}+1>{value}"),
        4 => format!("floor({n}/N)<{}", value + 1),
        _ => format!("({n}={value} ? true : {n}>0)"),
    }
}
