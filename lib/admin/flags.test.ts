import { describe, expect, it } from "vitest";
import {
  cap,
  credits,
  email,
  id,
  readFlags,
  repeated,
  required,
  text,
  toggle,
  whole,
} from "@/lib/admin/flags";

const FLAGS = {
  email: text("EMAIL", ""),
  password: text("PASSWORD", ""),
  admin: toggle(""),
  "super-agent": toggle(""),
  blocked: toggle(""),
  credits: credits(""),
};

describe("the flags of the operator's command", () => {
  it("take the next word as their value, even one that starts with dashes", () => {
    expect(readFlags(["--email", "a@example.test", "--password", "--help"], FLAGS)).toMatchObject({
      email: "a@example.test",
      password: "--help",
      admin: undefined,
    });
  });

  it("may stand bare when they are switches, and take true or false", () => {
    expect(
      readFlags(["--admin", "--super-agent", "--blocked", "false", "--credits=5"], FLAGS),
    ).toMatchObject({
      admin: true,
      "super-agent": true,
      blocked: false,
      credits: 5,
    });
  });

  it("ask for help where a flag could stand, also after a bare switch", () => {
    for (const words of [
      ["--help"],
      ["-h"],
      ["--email", "a", "--help"],
      ["--admin", "--help"],
      ["--admin", "-h"],
    ])
      expect(readFlags(words, FLAGS)).toBe("help");
  });

  it("are refused when given twice, unknown, or when a word is none", () => {
    expect(() => readFlags(["--email", "a", "--email", "b"], FLAGS)).toThrow(
      "--email is given twice.",
    );
    expect(() => readFlags(["email"], FLAGS)).toThrow('"email" is not a flag');
    expect(() => readFlags(["--mail", "a"], FLAGS)).toThrow(
      "--mail is not a flag of this command. It takes --email, --password,",
    );
    expect(() => readFlags(["--constructor", "a"], FLAGS)).toThrow(
      "--constructor is not a flag of this command.",
    );
  });

  it("may be given many times when they say so, and keep their order", () => {
    expect(readFlags(["--max", "a", "--max=b"], { max: repeated(text("NAME=N", "")) })).toEqual({
      max: ["a", "b"],
    });
    expect(
      readFlags(["--max", "agents=5", "--max", "files=default"], { max: repeated(cap("")) }),
    ).toEqual({
      max: [
        ["agents", 5],
        ["files", null],
      ],
    });
    expect(readFlags([], { max: repeated(text("NAME=N", "")) })).toEqual({ max: [] });
  });

  it.each([
    ["a switch", { x: toggle("") }, "maybe", "--x takes true or false."],
    ["a whole number", { x: whole("") }, "1.5", "--x takes a whole number."],
    [
      "an amount of credits",
      { x: credits("") },
      "-1",
      "--x takes credits with up to six decimals.",
    ],
    ["an e-mail address", { x: email("") }, "no-address", "--x takes an e-mail address."],
    ["a cap", { x: cap("") }, "agent=5", "--x takes NAME=N or NAME=default, where NAME is agents,"],
    ["a cap's number", { x: cap("") }, "agents=-5", "--x takes NAME=N or NAME=default"],
    ["an id", { x: id("") }, "42", "--x takes an id."],
    ["a required one", { x: required(text("X", "")) }, "", "--x is missing."],
  ])("say what they take: %s", (_, flags, word, message) => {
    expect(() => readFlags(["--x", word], flags)).toThrow(message);
  });

  it("say when a required one is missing", () => {
    expect(() => readFlags([], { x: required(text("X", "")) })).toThrow("--x is missing.");
  });
});
