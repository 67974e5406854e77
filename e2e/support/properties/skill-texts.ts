import fc from "fast-check";

const BODIES = ["# Checking\n\n1. Add it up.\n", "", "Ünïcode 🌍", "```\n---\n```", "x".repeat(5000)];
const ODD = [
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
    .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/), fc.constantFrom(...BODIES))
    .map(([name, body]) => `---\nname: ${name}\ndescription: Does ${name}. Use it often.\n---\n\n${body}`);
  return fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom(...ODD) });
}
