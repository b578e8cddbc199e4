//! A toy language, as CONTRIBUTING.md adds it: each line is a traffic light with its colours, and all lights change independently.
//!
//! `cargo run -p suppose-frontends --example lights`

use suppose_model::lts::{Labels, LtsBuilder, Network};

/// Reads lights: `name: colour colour ...`, one a line.
fn read(text: &str) -> Result<Network, String> {
    let mut labels = Labels::new();
    let mut lights = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let at = number + 1;
        let (name, colours) = line
            .split_once(':')
            .ok_or_else(|| format!("line {at}: expected `name: colour colour ...`"))?;
        let colours: Vec<&str> = colours.split_whitespace().collect();
        if colours.is_empty() {
            return Err(format!(
                "line {at}: the light `{}` has no colour",
                name.trim()
            ));
        }
        let mut light = LtsBuilder::new(name.trim());
        for (state, colour) in colours.iter().enumerate() {
            let label = labels.intern(&format!("{}.{colour}", name.trim()));
            let next = (state + 1) % colours.len();
            light.edge(state as u32, label, next as u32);
        }
        lights.push(light.build());
    }
    let mut network = Network::new("lights", labels);
    for light in lights {
        network.add_component(light);
    }
    network.close();
    Ok(network)
}

/// Reads two lights, and a line that is none.
pub fn main() -> Result<(), String> {
    let network = read("main: red green yellow\nside: green red\n")?;
    assert_eq!(network.components.len(), 2);
    assert_eq!(network.components[0].lts.states(), 3);
    assert!(read("main red").is_err_and(|why| why.contains("line 1")));
    Ok(())
}
