import { expect, it } from "vitest";
import { proposeSecretName } from "./secret-dialog";

it.each([
  ["crm key", "CRM_KEY"],
  ["github-token ", "GITHUB_TOKEN"],
  ["2nd key", "ND_KEY"],
  ["__a", "A"],
  [`x${"y".repeat(80)}`, `X${"Y".repeat(63)}`],
  ["123", null],
  ["—", null],
])("proposes for %j the nearest name that keeps to the rule", (typed, expected) => {
  expect(proposeSecretName(typed)).toBe(expected);
});
