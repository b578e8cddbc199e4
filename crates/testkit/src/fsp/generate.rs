//! Texts of random FSP models, each shape around one semantic question.

use crate::Rng;

/// What a model is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Choice, nondeterminism, END, STOP, ERROR, extension, relabelling, hiding, nesting.
    Basic,
    /// Indices, guards, ranges that are left.
    Index,
    /// `<<` and `>>`, also inside, with errors.
    Priority,
    /// Ends beside hidden actions.
    HiddenEnd,
    /// Sets of indices as one index.
    Flatten,
    /// `;` with parameters and recursion.
    Sequence,
    /// `a:P`, `{a,b}:P`, `{a,b}::P`, `forall`.
    Share,
    /// Relabelling with ranges, of one to many and many to one.
    Relabel,
    /// `minimal`, `deterministic`, `compose`.
    Reduce,
    /// One variable bound again.
    Shadow,
    /// Sets, `#S`, `@(S,i)`, operators.
    Expression,
    /// Several properties.
    Properties,
    /// Safe formulas over actions and fluents.
    Assert,
}

/// All shapes.
pub const SHAPES: [Shape; 13] = [
    Shape::Basic,
    Shape::Index,
    Shape::Priority,
    Shape::HiddenEnd,
    Shape::Flatten,
    Shape::Sequence,
    Shape::Share,
    Shape::Relabel,
    Shape::Reduce,
    Shape::Shadow,
    Shape::Expression,
    Shape::Properties,
    Shape::Assert,
];

/// A model of a shape; its system is `SYS`.
pub fn model(rng: &mut Rng, shape: Shape) -> String {
    let mut it = Text {
        rng,
        out: String::new(),
    };
    match shape {
        Shape::Basic | Shape::Priority | Shape::Properties | Shape::Reduce | Shape::HiddenEnd => {
            it.plain(shape);
        }
        Shape::Index => it.index(),
        Shape::Flatten => it.flatten(),
        Shape::Sequence => it.sequence(),
        Shape::Share => it.share(),
        Shape::Relabel => it.relabel(),
        Shape::Shadow => it.shadow(),
        Shape::Expression => it.expression(),
        Shape::Assert => it.assertions(),
    }
    it.out
}

struct Text<'r> {
    rng: &'r mut Rng,
    out: String,
}

const LETTERS: [&str; 5] = ["a", "b", "c", "d", "e"];

impl Text<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        self.rng.pick(of).copied().unwrap_or("a")
    }

    /// A few labels.
    fn letters(&mut self, most: usize) -> Vec<&'static str> {
        let mut some = self.rng.subset(&LETTERS, 50);
        some.truncate(most);
        if some.is_empty() {
            some.push(self.one(&LETTERS));
        }
        some
    }

    fn set(&mut self, most: usize) -> String {
        format!("{{{}}}", self.letters(most).join(","))
    }

    /// `P0 = P0_0, P0_0 = (a -> P0_1 | b -> c -> END), ...`, without the full stop.
    fn states(&mut self, name: &str, letters: &[&str], specials: &[&str]) -> String {
        let count = self.rng.between(1, 4);
        let mut locals = vec![format!("{name} = {name}_0")];
        for state in 0..count {
            let mut branches = Vec::new();
            for _ in 0..self.rng.between(1, 3) {
                let mut branch = String::new();
                for _ in 0..1 + usize::from(self.rng.percent(20)) {
                    branch.push_str(&format!("{} -> ", self.one(letters)));
                }
                let special = self.rng.percent(15).then(|| self.rng.pick(specials));
                match special.flatten() {
                    Some(special) => branch.push_str(special),
                    None => branch.push_str(&format!("{name}_{}", self.rng.below(count))),
                }
                branches.push(branch);
            }
            let body = match self.rng.percent(6) && state > 0 {
                true => self
                    .rng
                    .pick(specials)
                    .copied()
                    .unwrap_or("STOP")
                    .to_owned(),
                false => format!("({})", branches.join(" | ")),
            };
            locals.push(format!("{name}_{state} = {body}"));
        }
        locals.join(",\n")
    }

    fn process(&mut self, name: &str, shape: Shape) {
        let letters = self.letters(3);
        let specials: &[&str] = match shape {
            Shape::Priority => &["ERROR", "ERROR", "STOP", "END"],
            Shape::HiddenEnd => &["END", "END", "END", "STOP"],
            Shape::Reduce => &["STOP", "END"],
            _ => &["STOP", "END", "ERROR"],
        };
        let word = match (shape, self.rng.below(4)) {
            (Shape::Reduce, 0) => "minimal ",
            (Shape::Reduce, 1) => "deterministic ",
            _ => "",
        };
        let mut text = format!("{word}{}", self.states(name, &letters, specials));
        if self.rng.percent(25) {
            text.push_str(&format!(" +{}", self.set(2)));
        }
        if self.rng.percent(15) {
            let (new, old) = (self.one(&LETTERS), self.one(&LETTERS));
            text.push_str(&format!(" /{{{new}/{old}}}"));
        }
        let hides = if shape == Shape::HiddenEnd { 60 } else { 15 };
        if self.rng.percent(hides) {
            let how = self.one(&["\\", "\\", "@"]);
            text.push_str(&format!(" {how}{}", self.set(2)));
        }
        self.line(&format!("{text}."));
    }

    /// Deterministic, over its letters.
    fn property(&mut self, name: &str, letters: &[&str]) {
        let count = self.rng.between(1, 3);
        let mut locals = vec![format!("property {name} = {name}_0")];
        for state in 0..count {
            let some = self.rng.subset(letters, 75);
            let next = |t: &mut Self| format!("{name}_{}", t.rng.below(count));
            let branches: Vec<String> = some
                .iter()
                .map(|l| format!("{l} -> {}", next(self)))
                .collect();
            locals.push(match branches.is_empty() {
                true => format!("{name}_{state} = STOP"),
                false => format!("{name}_{state} = ({})", branches.join(" | ")),
            });
        }
        let all = letters.join(",");
        self.line(&format!("{} +{{{all}}}.", locals.join(",\n")));
    }

    fn instance(&mut self, name: &str) -> String {
        match self.rng.below(8) {
            0 => format!("u:{name}"),
            1 => format!("{{u,v}}::{name}"),
            2 => format!("{{u,v}}:{name}"),
            _ => name.to_owned(),
        }
    }

    fn priority(&mut self) -> String {
        let sign = self.one(&["<<", ">>"]);
        format!(" {sign} {}", self.set(3))
    }

    fn hiding(&mut self) -> String {
        let how = self.one(&["\\", "\\", "@"]);
        format!(" {how} {}", self.set(2))
    }

    /// Processes from a few states, perhaps a part, perhaps properties.
    fn plain(&mut self, shape: Shape) {
        let count = self.rng.between(2, 3);
        let mut parts = Vec::new();
        for i in 0..count {
            let name = format!("P{i}");
            self.process(&name, shape);
            parts.push(name);
        }
        let nested = self
            .rng
            .percent(if shape == Shape::Reduce { 80 } else { 35 });
        if nested && count > 1 {
            let word = match shape {
                Shape::Reduce => self.one(&["minimal ", "deterministic ", "compose ", ""]),
                _ => "",
            };
            let priority = match shape == Shape::Priority && self.rng.percent(60) {
                true => self.priority(),
                false => String::new(),
            };
            let hiding = match self.rng.percent(50) {
                true => self.hiding(),
                false => String::new(),
            };
            let inner = parts.drain(..2).collect::<Vec<_>>().join(" || ");
            self.line(&format!("{word}||SUB = ({inner}){priority}{hiding}."));
            parts.insert(0, "SUB".to_owned());
        }
        let properties = match shape {
            Shape::Properties => self.rng.between(2, 4),
            Shape::HiddenEnd => 0,
            _ => self.rng.below(2),
        };
        for i in 0..properties {
            let letters = self.letters(3);
            self.property(&format!("SAFE{i}"), &letters);
            parts.push(format!("SAFE{i}"));
        }
        let prefixed = self.rng.percent(30);
        let parts: Vec<String> = parts
            .into_iter()
            .map(|p| match prefixed {
                true => self.instance(&p),
                false => p,
            })
            .collect();
        let relabels = match self.rng.percent(15) {
            true => {
                let (new, old) = (self.one(&LETTERS), self.one(&LETTERS));
                format!("/{{{new}/{old}}}")
            }
            false => String::new(),
        };
        let chance = if shape == Shape::Priority { 90 } else { 10 };
        let priority = match self.rng.percent(chance) {
            true => self.priority(),
            false => String::new(),
        };
        let hiding = match self.rng.percent(25) {
            true => self.hiding(),
            false => String::new(),
        };
        let parts = parts.join(" || ");
        self.line(&format!("||SYS = ({parts}){relabels}{priority}{hiding}."));
    }

    fn index(&mut self) {
        let most = self.rng.between(1, 2);
        self.line(&format!(
            "const K = {most}\nrange T = 0..K\nset Q = {{x,y}}"
        ));
        let guard = self.one(&["when (i<K) ", "when (i!=1) ", ""]);
        let start = self.rng.below(most + 1);
        let extra = self.one(&["", " | at[i] -> W[i]", " | b -> STOP", " | at[T] -> W[K-i]"]);
        self.line(&format!(
            "P = W[{start}],\nW[i:T] = ({guard}up -> W[i+1] | when (i>0) down -> W[i-1]{extra})."
        ));
        let next = self.one(&["Z", "V[j][s]", "V[K-j][s]"]);
        let wrong = self.one(&["ERROR", "Z", "STOP"]);
        self.line(&format!(
            "Z = (in[j:T][s:Q] -> {next} | up -> Z),\nV[j:T][s:Q] = (out[s] -> if (j==1) then Z else {wrong} | when (j>0) in[j-1][s] -> V[j][s])."
        ));
        self.line("property SAFE = (in[j:T][Q] -> (out[Q] -> SAFE | up -> SAFE) | up -> SAFE).");
        let (p, q) = (self.instance("P"), self.instance("Z"));
        let safe = self.one(&["", " || SAFE", " || {u,v}::SAFE"]);
        let hiding = self.one(&["", "\\{up,in[0]}", "@{up,out}", "/{go/up}", "/{in/out}"]);
        self.line(&format!("||SYS = ({p} || {q}{safe}){hiding}."));
    }

    fn flatten(&mut self) {
        let most = self.rng.below(2);
        self.line(&format!("const N = {most}\nrange M = 0..N"));
        let set = self.one(&["{[M],[M][M]}", "{[M][M],[M]}", "{[M],[0][M]}", "{[M][M]}"]);
        self.line(&format!("set S = {set}"));
        let add = self.one(&["FIFO[x][h]", "FIFO[h][x]"]);
        let body = match self.rng.below(3) {
            0 => "FIFO[t:S][h:M] = (send[x:M] -> FIFO[x][t][h] | receive[h] -> FIFO[t])",
            1 => "FIFO[h:M][t:S] = (send[x:M] -> FIFO[h][t][x] | receive[h] -> FIFO[t])",
            _ => "FIFO[t:S][h:M] = (receive[h] -> FIFO[t])",
        };
        self.line(&format!(
            "FIFO = (send[x:M] -> FIFO[x]),\nFIFO[h:M] = (send[x:M] -> {add} | receive[h] -> FIFO),\n{body}."
        ));
        self.line("CL = C[0], C[e:M] = (send[e] -> C[N-e]).");
        self.line("property ORD = O[0], O[e:M] = (receive[e] -> O[N-e]) + {receive[M]}.");
        let system = self.one(&[
            "(FIFO)",
            "(FIFO || CL)",
            "(FIFO || CL || ORD)",
            "({p,q}:FIFO)",
            "(p:FIFO)/{x/p.send[0]}",
            "(FIFO || ORD)/{r/receive[0]}",
        ]);
        let hiding = self.one(&["", "", "\\{send}", "@{send}"]);
        self.line(&format!("||SYS = {system}{hiding}."));
    }

    fn sequence(&mut self) {
        let most = self.rng.between(1, 3);
        self.line(&format!("const N = {most}"));
        let other = self.one(&["", " | b -> END", " | b -> STOP", " | b -> ERROR"]);
        self.line(&format!("A(I=1) = (a[I] -> END{other})."));
        self.line("B(I=0,J=1) = if (I>J) then (b[I] -> END) else (c -> (b[J] -> END | d -> END)).");
        self.line("T(D=0) = (leaf[D] -> END | when (D>0) node[D] -> T(D-1);T(D-1);END).");
        self.line("R(K=N) = (k[K] -> Q), Q = if (K==0) then END else R(K-1);END.");
        let p = self.one(&[
            "P = A(1);B(2,0);Q, Q = (go -> A(2);P | halt -> END).",
            "P = T(N);END.",
            "P = R;A;P.",
            "P(I=0) = (x[I] -> A(I);B(I,0);END) \\ {a[0]}.",
            "P = (s -> A(1);A(2);P | t -> B;B(1,0);STOP).",
            "P = A;P.",
        ]);
        self.line(p);
        self.line("E = A;A;END.");
        self.line("property ONE = (a[i:0..3] -> ONE | b[i:0..3] -> a[j:0..3] -> ONE).");
        let system = self.one(&[
            "(P)",
            "(P || E)",
            "(P || ONE)",
            "({u,v}:P)",
            "(P || R)",
            "(P || x:E)",
        ]);
        let end = self.one(&["", "\\{c}", "@{a,b}", ">>{c}", "<<{a}"]);
        self.line(&format!("||SYS = {system}{end}."));
    }

    fn share(&mut self) {
        let resource = self.one(&[
            "RES = (acq -> rel -> RES).",
            "RES = (acq -> (rel -> RES | acq -> rel -> rel -> RES)).",
            "RES = R[0], R[i:0..2] = (when (i<2) acq -> R[i+1] | when (i>0) rel -> R[i-1]).",
            "RES = (acq -> use -> rel -> RES | probe -> RES).",
        ]);
        self.line(resource);
        let user = self.one(&[
            "USER = (acq -> rel -> USER).",
            "USER = (think -> acq -> rel -> END).",
            "USER = (acq -> (rel -> USER | fail -> rel -> USER)).",
            "USER = (acq -> acq -> rel -> rel -> USER).",
        ]);
        self.line(user);
        let property = self.one(&[
            "property MUT = (a.acq -> a.rel -> MUT | b.acq -> b.rel -> MUT).",
            "property MUT = (a.acq -> (a.rel -> MUT | b.acq -> b.rel -> a.rel -> MUT)).",
        ]);
        self.line(property);
        let users = self.one(&[
            "{a,b}:USER",
            "a:USER || b:USER",
            "forall [i:1..2] (u[i]:USER)",
        ]);
        let resource = self.one(&["{a,b}::RES", "{a,b,u[1..2]}::RES", "{a,b}::RES || c:RES"]);
        let watch = self.one(&["", " || MUT", " || x:MUT"]);
        let end = self.one(&[
            "",
            "/{go/a.acq}",
            "\\{a.rel}",
            "@{a,b.acq}",
            " << {a.acq}",
            "/{a/b}",
        ]);
        match self.rng.below(3) {
            0 => self.line(&format!(
                "||SYS = ({{x,y}}:({users} || {resource}){watch}){end}."
            )),
            1 => {
                self.line(&format!("||IN = ({users} || {resource})\\{{b.rel}}."));
                self.line(&format!("||SYS = (IN{watch}){end}."));
            }
            _ => self.line(&format!("||SYS = ({users} || {resource}{watch}){end}.")),
        }
    }

    fn relabel(&mut self) {
        self.line("const N = 2\nrange T = 0..N");
        let p = self.one(&[
            "",
            "/{{u,v}/in[0]}",
            "/{put/out}",
            "/{x[i:T]/in[i]}",
            "/{in/out}",
        ]);
        self.line(&format!("P = (in[i:T] -> out[i] -> P){p}."));
        self.line("Q = (get[0] -> put[1] -> Q | get[1..2] -> Q).");
        self.line("property OK = (in[T] -> put[T] -> OK).");
        let first = self.one(&["(P || Q)", "({c,d}:P || Q)", "(P || a:Q)"]);
        let inner = self.one(&[
            "/{forall [i:T] {mid[i]/out[i]}}",
            "/{get[2]/out[2]}",
            "/{mid[i:T]/{out[i],get[i]}}",
            "/{z/c}",
            "/{{m,n}/out}",
            "",
        ]);
        self.line(&format!("||IN = {first}{inner}."));
        let outer = self.one(&[
            "/{in/put}",
            "/{{j,k}/in}",
            "/{b[i:T]/put[i]}",
            "\\{out}",
            "",
        ]);
        let watch = self.one(&["", " || OK"]);
        self.line(&format!("||SYS = (IN{watch}){outer}."));
    }

    fn shadow(&mut self) {
        self.line("range T = 0..2\nrange R = 0..1");
        let p = self.one(&[
            "P = (a[i:T].b[i:R] -> c[i] -> P).",
            "P = (a[i:T].b[j:R] -> x[i][j] -> P | c[i:R][i:T] -> y[i] -> P).",
            "P = (a[x:{p,q}][x:T] -> c[x] -> P | b[x:{p,q}] -> d[x] -> P).",
            "P = (a[i:T] -> P | b[i:R] -> c[i] -> P).",
            "P = P[2], P[i:T] = (a[j:R][j:T] -> P[j] | b[i] -> P[R]).",
        ]);
        self.line(&p.replace("P[R]", "P[i]"));
        let q = self.one(&[
            "Q = (a[i:T] -> c[i] -> Q).",
            "Q = (b[i:T] -> a[j:T] -> Q).",
            "Q = (a[i:T].b[j:R] -> c[i] -> Q).",
        ]);
        self.line(q);
        self.line("property OK = (a[i:T] -> b[j:R] -> OK).");
        let system = self.one(&[
            "(P || Q)",
            "(forall [i:R] (w[i]:P) || Q)",
            "(u[i:R]:P || OK)",
            "(P || Q || OK)",
        ]);
        let end = self.one(&["", "\\{b}", "/{forall [i:T] {z[i]/c[i]}}"]);
        self.line(&format!("||SYS = {system}{end}."));
    }

    fn expression(&mut self) {
        let a = self.rng.between(1, 2);
        self.line(&format!(
            "const A = {a}\nconst B = A+1\nrange T = 0..B\nset S = {{red,green,blue}}\nset V = {{S,white}}\nset D = {{green,blue}}"
        ));
        let p = self.one(&[
            "P = (x[i:0..#S-1] -> y[@(S,i)] -> P | z[i:T] -> if (i+A>B) then (y[i] -> P) else P).",
            "P = (get[v:V] -> (when (v==@(V,0)) hit -> P | when (v!=@(V,0)) {miss,D} -> P)).",
            "P = (get[v:V] -> if (v=='white) then ERROR else (put[v] -> P)).",
            "P = W[A], W[i:T] = (when (i*2<=B && i!=A) up[i%2] -> W[i+1] | when (i>0 || A==1) down[i/2] -> W[i-1]).",
            "P = ({a,D} -> P | [i:T].z -> if (i-A) then P else STOP).",
        ]);
        self.line(p);
        self.line("Q = (get[D] -> Q | up[0..1] -> Q).");
        self.line("property OK = (get[V] -> OK | up[T] -> down[T] -> OK).");
        let system = self.one(&["(P || Q)", "({c,d}:P)", "(P || OK)", "(P || Q || OK)"]);
        let end = self.one(&["", "\\{get.red}", ">>{up,a}", "<<{get[V]}", "/{g/get[S]}"]);
        self.line(&format!("||SYS = {system}{end}."));
    }

    /// Processes that continue forever, mostly, and formulas about them.
    fn assertions(&mut self) {
        let count = self.rng.between(1, 3);
        let mut parts = Vec::new();
        for i in 0..count {
            let letters = self.letters(3);
            let name = format!("P{i}");
            let states = self.states(&name, &letters, &[]);
            let hiding = match self.rng.percent(15) {
                true => format!(" \\{}", self.set(1)),
                false => String::new(),
            };
            self.line(&format!("{states}{hiding}."));
            parts.push(name);
        }
        let hiding = match self.rng.percent(25) {
            true => self.hiding(),
            false => String::new(),
        };
        self.line(&format!("||SYS = ({}){hiding}.", parts.join(" || ")));
        for i in 0..2 {
            let on = self.letters(2);
            let mut off = self.letters(3);
            off.retain(|l| !on.contains(l));
            if off.is_empty() {
                off.push("z");
            }
            let (on, off, first) = (on.join(","), off.join(","), self.rng.below(2));
            self.line(&format!(
                "fluent F{i} = <{{{on}}},{{{off}}}> initially {first}"
            ));
        }
        for i in 0..self.rng.between(1, 3) {
            let formula = self.formula(3);
            self.line(&format!("assert A{i} = {formula}"));
        }
    }

    /// Without steps of time.
    fn proposition(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 6 }) {
            0 => format!("F{}", self.rng.below(2)),
            1 => self.one(&LETTERS).to_owned(),
            2 => format!("!{}", self.one(&LETTERS)),
            3 => format!("!({})", self.proposition(depth - 1)),
            4 => format!(
                "({} && {})",
                self.proposition(depth - 1),
                self.proposition(depth - 1)
            ),
            _ => format!(
                "({} || {})",
                self.proposition(depth - 1),
                self.proposition(depth - 1)
            ),
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.proposition(1);
        }
        match self.rng.below(6) {
            0 | 1 => format!("[]({})", self.formula(depth - 1)),
            2 => format!("X ({})", self.formula(depth - 1)),
            3 => format!(
                "(({}) W ({}))",
                self.formula(depth - 1),
                self.formula(depth - 1)
            ),
            4 => format!(
                "(({}) -> ({}))",
                self.proposition(1),
                self.formula(depth - 1)
            ),
            _ => format!(
                "(({}) && ({}))",
                self.formula(depth - 1),
                self.formula(depth - 1)
            ),
        }
    }
}
