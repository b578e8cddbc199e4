// Colours for our languages: small tokenisers, one line at a time.

import { StreamLanguage, type StringStream } from "@codemirror/language";

interface Words {
  keywords: string;
  types?: string;
  atoms?: string;
  /** Comments to the end of the line. */
  line: string;
  /** Comments between two marks. */
  block?: [string, string];
  /** Lines that begin with # are for the preprocessor. */
  preprocessor?: boolean;
  identifier: RegExp;
  /** Names that begin with a capital letter are processes. */
  capitals?: boolean;
  strings?: RegExp;
}

interface Inside {
  comment: boolean;
}

function language(words: Words): StreamLanguage<Inside> {
  const set = (text = "") => new Set(text.split(/\s+/).filter(Boolean));
  const [keywords, types, atoms] = [set(words.keywords), set(words.types), set(words.atoms)];
  const token = (stream: StringStream, state: Inside): string | null => {
    if (state.comment) {
      if (stream.skipTo(words.block![1])) {
        stream.match(words.block![1]);
        state.comment = false;
      } else {
        stream.skipToEnd();
      }
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (words.preprocessor && stream.sol() && stream.match(/^#.*/)) return "meta";
    if (stream.match(words.line)) {
      stream.skipToEnd();
      return "comment";
    }
    if (words.block && stream.match(words.block[0])) {
      state.comment = true;
      return "comment";
    }
    if (stream.match(words.strings ?? /^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^(0[xX][0-9a-fA-F]+|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)/)) return "number";
    const found = stream.match(words.identifier) as RegExpMatchArray | null;
    if (found) {
      const word = found[0];
      if (keywords.has(word)) return "keyword";
      if (types.has(word)) return "typeName";
      if (atoms.has(word)) return "atom";
      if (words.capitals && /^[A-Z]/.test(word)) return "className";
      return "variableName";
    }
    if (stream.match(/^(->|<-|\|\||&&|::|:=|==|!=|<=|>=|=>|[-+*/%<>=!&|?^~])/)) return "operator";
    stream.next();
    return null;
  };
  return StreamLanguage.define<Inside>({
    startState: () => ({ comment: false }),
    token,
    languageData: { commentTokens: { line: words.line, block: words.block && { open: words.block[0], close: words.block[1] } } },
  });
}

const C_LIKE: Pick<Words, "line" | "block"> = { line: "//", block: ["/*", "*/"] };
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

const fsp = language({
  ...C_LIKE,
  keywords: "const range set if then else when forall property progress deterministic minimal compose menu fluent assert constraint initially",
  atoms: "STOP END ERROR True False",
  identifier: NAME,
  capitals: true,
});

const promela = language({
  ...C_LIKE,
  preprocessor: true,
  keywords:
    "active assert atomic break d_step do od else enabled fi for if goto in init inline len empty nempty full nfull ltl never notrace of priority proctype provided run select skip timeout trace typedef unless xr xs hidden local show eval printf c_code c_decl c_expr",
  types: "bit bool byte chan int mtype pid short unsigned",
  atoms: "true false _pid _last np_ accept end progress",
  identifier: NAME,
});

const smv = language({
  line: "--",
  block: ["/--", "--/"],
  keywords:
    "MODULE VAR IVAR FROZENVAR DEFINE CONSTANTS ASSIGN INIT TRANS INVAR SPEC CTLSPEC LTLSPEC INVARSPEC PSLSPEC COMPUTE NAME FAIRNESS JUSTICE COMPASSION ISA process array of init next case esac self union in mod xor xnor min max MIN MAX",
  types: "boolean integer real word signed unsigned",
  atoms: "TRUE FALSE AX AG AF EX EG EF A E U V S T X G F H O Y Z",
  identifier: /^[A-Za-z_][A-Za-z0-9_$#\\-]*/,
});

const prism = language({
  line: "//",
  keywords:
    "ctmc dtmc mdp pta nondeterministic probabilistic stochastic const global module endmodule init endinit formula label rewards endrewards system endsystem invariant endinvariant player endplayer P R S filter",
  types: "bool int double rate",
  atoms: "true false min max floor ceil pow mod log U F G X W C I",
  identifier: /^[A-Za-z_][A-Za-z0-9_]*'?/,
});

const c = language({
  ...C_LIKE,
  preprocessor: true,
  keywords: "break case continue default do else enum extern for goto if return sizeof static struct switch typedef union while const volatile register inline",
  types: "char double float int long short signed unsigned void _Bool bool",
  atoms: "true false assert __VERIFIER_error __VERIFIER_assert __VERIFIER_assume reach_error abort",
  identifier: NAME,
});

const smtlib = language({
  line: ";",
  keywords: "set-logic set-info set-option declare-fun declare-rel declare-var declare-const declare-datatypes define-fun define-fun-rec assert check-sat get-model rule query exit forall exists let not and or xor ite distinct",
  types: "Int Bool Real Array BitVec",
  atoms: "true false",
  strings: /^("(?:[^"]|"")*"|\|[^|]*\|)/,
  identifier: /^(=>|[A-Za-z~!@$%^&*_+=<>.?\/-][A-Za-z0-9~!@$%^&*_+=<>.?\/-]*)/,
});

export const parsers: Record<string, StreamLanguage<Inside>> = { fsp, promela, smv, prism, c, smtlib };

/** Where a name is defined, as far as the text alone tells. */
const DEFINITIONS: Record<string, string[]> = {
  fsp: [String.raw`(?:^|[^\w])(?:property|progress|assert|fluent|const|range|set|menu)?\s*(?:\|\|)?\s*NAME\s*(?:\([^)]*\))?\s*(?:\[[^\]]*\])*\s*=`],
  promela: [
    String.raw`\b(?:proctype|inline|ltl|typedef)\s+NAME\b`,
    String.raw`^\s*#define\s+NAME\b`,
    String.raw`\b(?:bit|bool|byte|chan|int|short|unsigned|mtype|pid)\b[^;(]*\bNAME\b`,
    String.raw`\bmtype\b[^;]*\bNAME\b`,
    String.raw`^\s*NAME\s*:`,
  ],
  smv: [String.raw`\bMODULE\s+NAME\b`, String.raw`(?:^|[;\s])NAME\s*:(?!=)`, String.raw`(?:^|[;\s])NAME\s*:=`],
  prism: [String.raw`\b(?:module|const\s+\w+|const|formula|global|label)\s+"?NAME\b`, String.raw`(?:^|[;\s])NAME\s*:\s`],
  c: [String.raw`^\s*#define\s+NAME\b`, String.raw`\b(?:int|char|long|short|unsigned|signed|void|bool|_Bool|struct|enum)\b[^;={}()]*\bNAME\b`],
  smtlib: [String.raw`\((?:declare-fun|declare-rel|declare-var|declare-const|define-fun|define-fun-rec)\s+NAME(?=[\s()])`],
};

/** The offset of the definition of a name, if there seems to be one. */
export function definition(language: string, text: string, name: string): number | null {
  const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  for (const pattern of DEFINITIONS[language] ?? []) {
    const found = new RegExp(pattern.replaceAll("NAME", quoted), "m").exec(text);
    if (found) return found.index + found[0].lastIndexOf(name);
  }
  return null;
}

export const keywordsOf: Record<string, string> = {
  fsp: "const range set if then else when forall property progress deterministic minimal fluent assert STOP END ERROR",
  promela: "active proctype init inline atomic d_step do od if fi else break goto skip assert timeout ltl never chan mtype typedef byte bool int short bit run printf",
  smv: "MODULE VAR IVAR FROZENVAR DEFINE ASSIGN INIT TRANS INVAR SPEC LTLSPEC INVARSPEC FAIRNESS JUSTICE case esac next init boolean TRUE FALSE",
  prism: "dtmc mdp ctmc module endmodule const global formula label rewards endrewards init endinit bool int double true false",
  c: "int char long short unsigned void if else while for do return break continue switch case struct assert",
  smtlib: "set-logic declare-fun define-fun assert check-sat forall exists let and or not ite Int Bool Real HORN",
};
