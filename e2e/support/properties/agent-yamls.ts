import fc from "fast-check";

const LEVELS = 5000;
/** YAML that has brought parsers down, or means something else than it looks like. */
const ODD = [
  "",
  "---\n",
  "null",
  "- 1\n- 2\n",
  "version: 1\nversion: 1\n",
  "version: 0x1\n",
  "version: 1\n__proto__: {a: 1}\n",
  "version: 1\nconstructor: {prototype: {a: 1}}\n",
  "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nversion: 1\n",
  "version: 1\n<<: {limits: {max_steps: 1}}\n",
  "version: !!js/function 'function () {}'\n",
  "version: !!binary aGVsbG8=\n",
  "? [complex]\n: key\nversion: 1\n",
  "%YAML 9.9\n---\nversion: 1\n",
  "version: 1\n---\nversion: 1\n",
  "version: 1\nlimits: {max_steps: 99999999999999999999999}\n",
  "version: 1\nlimits: {max_steps: .inf}\n",
  "version: 1\nmodel_settings: {temperature: .nan}\n",
  "version: 1\nstarters: [2026-01-01, 12:30:45, yes, ~]\n",
  "\tversion: 1\n",
  "version: 1\n# \u0085 \u2028\n",
  "\ufeffversion: 1\n",
  'version: 1\nstarters: ["\\u0000"]\n',
  'version: 1\nstarters: ["\\ud800"]\n',
  "[".repeat(LEVELS),
  "{a: ".repeat(LEVELS),
  "- ".repeat(LEVELS),
  "? ".repeat(LEVELS),
  `version: 1\nstarters: ["${"x".repeat(100_000)}"]\n`,
  `version: 1\n${"#".repeat(120_000)}\n`,
];

/** Texts that stand where an agent's YAML is wanted; few of them are accepted. */
export function agentYamls(): fc.Arbitrary<string> {
  return fc.constantFrom(...ODD);
}
