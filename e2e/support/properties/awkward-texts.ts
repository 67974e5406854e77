import fc from "fast-check";

/**
 * Texts that have broken something somewhere: patterns, quotes, other scripts, invisible and
 * foreign spaces, non-characters.
 */
const AWKWARD = [
  "%",
  "_",
  "\\",
  "' OR 1=1 --",
  "{{7*7}}",
  "<script>",
  "../../etc/passwd",
  "null",
  "-0",
  "0x10",
  " ",
  "\t",
  "\r\n",
  "\u200b",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ufffe",
  "\ufdd0",
  "\u{10ffff}",
  "İ",
  "ß",
  "e\u0301",
  "😀",
  "👩‍👩‍👧",
  "ﷺ",
  "\u0001",
  "\u007f",
  "\u0085",
];

/**
 * A text of `least` to `most` UTF-16 units that a service may be asked to keep: no NUL, no lone
 * surrogate.
 */
export function anyText(least: number, most: number): fc.Arbitrary<string> {
  const plain = fc.string({
    minLength: least,
    maxLength: Math.max(least, Math.floor(most / 4)),
    unit: "grapheme",
  });
  const odd = fc.constantFrom(...AWKWARD).map((text) => text.padEnd(least, "."));
  const raw = fc
    .string({ minLength: least, maxLength: Math.max(least, Math.floor(most / 2)), unit: "binary" })
    .map((text) => text.replaceAll("\0", "·"));
  return fc
    .oneof(
      { weight: 3, arbitrary: plain },
      { weight: 2, arbitrary: odd },
      { weight: 1, arbitrary: raw },
    )
    .map((text) => cut(text, most));
}

function cut(text: string, most: number): string {
  const end = text.slice(0, most);
  return end.isWellFormed() ? end : `${end.slice(0, -1)}.`;
}

const PLAIN_PATHS = ["notes/a.txt", "notes/b.csv", "c.md", "tief/er/ü.json", "a b.txt"];
const ODD_PATHS = [
  "..",
  ".",
  "/",
  "/etc/passwd",
  "a/../b",
  "a//b",
  "a/",
  "./a",
  "a\\b",
  "C:\\a",
  "~",
  "CON",
  "%2e%2e/a",
  "a\u0301",
  "x".repeat(1024),
  "x".repeat(1025),
  `${"d/".repeat(500)}f`,
  "é".repeat(512),
  "é".repeat(513),
  " ",
  "a\nb",
  'q"uote.txt',
  ".hidden",
  "…",
  "\u202etxt.exe",
];

/** Paths within a workspace, good ones and ones that some systems read as more than a name. */
export function filePaths(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PLAIN_PATHS) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_PATHS) },
    { weight: 1, arbitrary: anyText(1, 40) },
  );
}

const SKILL_BODIES = [
  "# Checking\n\n1. Add it up.\n",
  "",
  "Ünïcode 🌍",
  "```\n---\n```",
  "x".repeat(5000),
];
const ODD_SKILLS = [
  "",
  "no frontmatter",
  "---\nname: a\n---\n",
  "---\nname: A B\ndescription: x\n---\n",
  "---\nname: odd\ndescription: [1, 2]\n---\n",
  "---\nname: odd\ndescription: &a x\nlicense: *a\n---\n",
  "---\nname: odd\nname: odd\ndescription: x\n---\n",
  `---\nname: odd\ndescription: ${"[".repeat(3000)}\n---\n`,
  `---\nname: ${"n".repeat(65)}\ndescription: x\n---\n`,
  `---\nname: odd\ndescription: ${"d".repeat(1025)}\n---\n`,
  "---\nname: odd\ndescription: !!js/function x\n---\n",
  "---\nname: odd\ndescription: x\n__proto__: {a: 1}\n---\n",
  "\ufeff---\nname: bom\ndescription: x\n---\n",
  "---\r\nname: crlf\r\ndescription: x\r\n---\r\nText\r\n",
];

/** Texts of a SKILL.md, mostly good ones. */
export function skillTexts(): fc.Arbitrary<string> {
  const good = fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/), fc.constantFrom(...SKILL_BODIES))
    .map(
      ([name, body]) =>
        `---\nname: ${name}\ndescription: Does ${name}. Use it often.\n---\n\n${body}`,
    );
  return fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_SKILLS) },
  );
}

const LEVELS = 5000;
/** YAML that has brought parsers down, or means something else than it looks like. */
const ODD_YAMLS = [
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
  return fc.constantFrom(...ODD_YAMLS);
}
