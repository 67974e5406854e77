import fc from "fast-check";
import { anyText } from "./any-text";

const PLAIN = ["notes/a.txt", "notes/b.csv", "c.md", "tief/er/ü.json", "a b.txt"];
const ODD = [
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
    { weight: 4, arbitrary: fc.constantFrom(...PLAIN) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: anyText(1, 40) },
  );
}
