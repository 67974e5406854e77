import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { licenceProblems, licencesText, lockedPackages } from "./licences.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("every package has a licence that we may use, or that was looked at", () => {
  const packages = lockedPackages(ROOT);
  expect(packages.length).toBeGreaterThan(500);
  expect(licenceProblems(packages)).toEqual([]);
});

test("THIRD_PARTY_LICENSES is the lock file's: npm run task -- licences writes it anew", () => {
  expect(
    readFileSync(join(ROOT, "THIRD_PARTY_LICENSES"), "utf8") ===
      licencesText(ROOT, lockedPackages(ROOT)),
  ).toBe(true);
});

test("a licence of another kind, none, and a known package's new one are refused", () => {
  const one = { name: "one", version: "1.0.0", isDev: false, isOptional: false, folder: "" };
  const problemsOf = (/** @type {string} */ licence, name = "one") =>
    licenceProblems([{ ...one, name, licence }]);
  for (const licence of [
    "GPL-3.0-only",
    "AGPL-3.0",
    "",
    "SEE LICENSE IN LICENSE",
    "MIT AND GPL-2.0",
    "BUSL-1.1",
  ])
    expect(problemsOf(licence), licence).toHaveLength(1);
  for (const licence of ["MIT", "(MIT OR GPL-2.0)", "MIT and ISC", "Apache-2.0 AND BSD-3-Clause"])
    expect(problemsOf(licence), licence).toEqual([]);
  expect(problemsOf("MPL-2.0")).toHaveLength(1);
  expect(problemsOf("MPL-2.0", "lightningcss")).toEqual([]);
  expect(problemsOf("GPL-3.0-only", "lightningcss")).toHaveLength(1);
});
