import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readPassword } from "@/lib/admin/account-commands";

test("a password is taken from standard input whole, without the line break", async () => {
  for (const [input, password] of [
    ["s3cret words \n", "s3cret words "],
    ["s3cret\r\n", "s3cret"],
    ["two\nlines\n\n", "two\nlines\n"],
    ["bare", "bare"],
  ] as const)
    expect(
      await readPassword({ "password-stdin": true }, Readable.from([Buffer.from(input)])),
    ).toBe(password);
});

test("without the flag standard input is not read", async () => {
  const stdin = new Readable({ read: () => expect.unreachable() });
  expect(await readPassword({ password: "given" }, stdin)).toBe("given");
  expect(await readPassword({}, stdin)).toBeUndefined();
});

test("a password that is given twice, empty or too long to sign in with is refused", async () => {
  const stdin = (text: string) => Readable.from([Buffer.from(text)]);
  await expect(readPassword({ password: "a", "password-stdin": true }, stdin("b"))).rejects.toThrow(
    "give one of them",
  );
  await expect(readPassword({ "password-stdin": true }, stdin("\n"))).rejects.toThrow(
    "The password is empty.",
  );
  await expect(readPassword({ password: "" }, stdin(""))).rejects.toThrow("The password is empty.");
  await expect(readPassword({ "password-stdin": true }, stdin("x".repeat(201)))).rejects.toThrow(
    "at most 200 characters",
  );
});
