import { describe, expect, it } from "vitest";
import { readFlags } from "./read-flags";

describe("the flags of the operator's command", () => {
  it("take the next word as their value, even one that starts with dashes", () => {
    expect(readFlags(["--email", "a@example.test", "--password", "--Ix-9"])).toEqual(
      new Map([
        ["email", "a@example.test"],
        ["password", "--Ix-9"],
      ]),
    );
  });

  it("may stand bare when they are switches, and take true or false", () => {
    expect([...readFlags(["--admin", "--super-agent", "--blocked", "false", "--credits=5"])]).toEqual([
      ["admin", ""],
      ["super-agent", ""],
      ["blocked", "false"],
      ["credits", "5"],
    ]);
  });

  it("are refused when given twice, or when a word is none", () => {
    expect(() => readFlags(["--email", "a", "--email", "b"])).toThrow("--email is given twice.");
    expect(() => readFlags(["email"])).toThrow('"email" is not a flag');
  });
});
