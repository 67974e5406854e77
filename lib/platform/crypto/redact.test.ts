import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, REDACTED, redactorInSteps } from "@/lib/platform/crypto/redact";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

const SECRET = 'sk/live+ü "q&a"\\n=~(42)\n';

function streamed(secrets: string[], chunks: string[]): string {
  const scan = createRedactor(secrets).scan();
  return chunks.map((chunk) => scan.push(chunk)).join("") + scan.end();
}

describe("createRedactor", () => {
  it.each([
    [[], true],
    [["", ""], true],
    [["", "a"], false],
  ])("says of %j whether there is nothing to look for: %s", (secrets, isEmpty) => {
    expect(createRedactor(secrets).isEmpty).toBe(isEmpty);
  });

  const bytes = Buffer.from(SECRET);
  const forms: [string, string][] = [
    ["plain", SECRET],
    ["base64", bytes.toString("base64").replace(/=+$/, "")],
    ["base64url", bytes.toString("base64url")],
    ["hex", bytes.toString("hex")],
    ["upper-case hex", bytes.toString("hex").toUpperCase()],
    ["encodeURIComponent", encodeURIComponent(SECRET)],
    [
      "lower-case percent codes",
      encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ["a form's value", new URLSearchParams({ v: SECRET }).toString().slice(2)],
    ["encodeURI", encodeURI(SECRET)],
    [
      "RFC 3986",
      encodeURIComponent(SECRET).replace(
        /[!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    ],
    ["JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["JSON in ASCII", JSON.stringify(SECRET).slice(1, -1).replace("ü", "\\u00fc")],
    ["JSON with escaped slashes", JSON.stringify(SECRET).slice(1, -1).replaceAll("/", "\\/")],
    ["JSON safe in HTML", JSON.stringify(SECRET).slice(1, -1).replaceAll("&", "\\u0026")],
    ["JSON in JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ["HTML", SECRET.replaceAll("&", "&amp;").replaceAll('"', "&quot;")],
  ];

  it.each(forms)("removes a secret as %s", (_, form) => {
    expect(createRedactor([SECRET]).redact(`before ${form} after`)).toBe(
      `before ${REDACTED} after`,
    );
  });

  it("removes it from Base64 of a longer text, at each alignment", () => {
    for (const user of ["", "u", "us", "use"]) {
      for (const tail of ["", "x", "xy"]) {
        const basic = Buffer.from(`${user}:correct-horse-battery${tail}`).toString("base64");
        const left = createRedactor(["correct-horse-battery"]).redact(basic);
        expect(left, basic).toContain(REDACTED);
        expect(Buffer.from(left.replace(REDACTED, ""), "base64").toString("latin1")).not.toMatch(
          /horse|correct|battery/,
        );
      }
    }
  });

  it("removes each of several, the longer of nested ones, overlapping ones whole", () => {
    const { redact } = createRedactor(["token", "token-extended", "abcd1", "1efgh", ""]);
    expect(redact("token token-extended tokentoken abcd1efgh.")).toBe(
      `${REDACTED} ${REDACTED} ${REDACTED} ${REDACTED}.`,
    );
  });

  it("removes even a value of one character", () => {
    expect(createRedactor(["7"]).redact("a7b77")).toBe(`a${REDACTED}b${REDACTED}`);
  });

  it("removes a long key whole, and a long part of it too", () => {
    const key = Array.from({ length: 4000 }, (_, at) =>
      String.fromCharCode(33 + ((at * at * 7 + at) % 90)),
    ).join("");
    const { redact } = createRedactor([key]);
    expect(redact(`<${key}>`)).toBe(`<${REDACTED}>`);
    expect(redact(`<${Buffer.from(key).toString("base64url")}>`)).toMatch(/^<\[redacted\]=*>$/);
    expect(redact(key.slice(100, 900)).length).toBeLessThan(150);
  });

  it("leaves every other text as it is", () => {
    const { redact } = createRedactor([SECRET, "correct-horse"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => void expect(redact(text)).toBe(text)),
    );
    expect(createRedactor([]).redact("anything")).toBe("anything");
  });

  it("lets no secret through, wherever it stands and however the stream is cut", () => {
    const secret = fc.string({
      minLength: 5,
      maxLength: 20,
      unit: fc.constantFrom("a", "b", "\\", "%", "ü"),
    });
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(fc.nat(2), fc.string())),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (secrets, parts, cuts) => {
          const text = parts
            .map((part) =>
              typeof part === "number" ? (secrets[part % secrets.length] ?? "") : part,
            )
            .join("");
          const chunks: string[] = [];
          for (let at = 0; at < text.length; ) {
            const size = cuts.next().value;
            chunks.push(text.slice(at, at + size));
            at += size;
          }
          const whole = createRedactor(secrets).redact(text);
          for (const one of secrets)
            expect(whole.split(REDACTED).some((rest) => rest.includes(one))).toBe(false);
          expect(streamed(secrets, chunks)).toBe(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("holds back of a stream only what may be the beginning of a secret", () => {
    const scan = createRedactor(["secret-of-many-letters"]).scan();
    expect(scan.push("nothing to hide")).toBe("nothing to hide");
    expect(scan.push(" but sec")).toBe(" but ");
    expect(scan.push("onds, and secret-of-many-")).toBe("seconds, and ");
    expect(scan.push("letters.")).toBe(`${REDACTED}.`);
    expect([scan.push("secret"), scan.end()]).toEqual(["", "secret"]);
  });

  // What an attacker would choose: texts in which a secret begins everywhere and never ends.
  const HOSTILE: Record<string, string[]> = {
    "one long periodic secret": [`${"A".repeat(65_535)}B`],
    "long secrets that begin alike": Array.from(
      { length: 300 },
      (_, at) => `${"A".repeat(300)}${at}`,
    ),
    "short secrets that begin alike": Array.from(
      { length: 1_000 },
      (_, at) => `${"A".repeat(40)}${at}`,
    ),
    "secrets of each length": Array.from({ length: 60 }, (_, at) => `${"A".repeat(at)}B`),
  };
  it.each(Object.entries(HOSTILE))(
    "needs time that grows with the text alone, for %s",
    async (_, secrets) => {
      const { redact } = createRedactor(secrets);
      await expectLinear(
        25_000,
        (size) => "A".repeat(size).replace(/A{300}/g, (run) => `${run.slice(1)}C`),
        redact,
      );
    },
  );

  it("needs no more time for a thousand secrets that begin alike than for one", async () => {
    const alike = Array.from(
      { length: 1_000 },
      (_, at) => `${"A".repeat(40)}${String(at).padStart(4, "0")}`,
    );
    const one = createRedactor(alike.slice(0, 1));
    const many = createRedactor(alike);
    await expectLinear(
      12_500,
      (size) => ({ text: "A".repeat(size), redactor: size === 12_500 ? one : many }),
      (input) => input.redactor.redact(input.text),
    );
  });

  it.each<[string, string[]]>([
    [
      "a thousand that begin alike",
      Array.from({ length: 1_000 }, (_, at) => `${"A".repeat(380)}${String(at).padStart(4, "0")}`),
    ],
    [
      "six whose every character is escaped",
      Array.from({ length: 6 }, (_, at) => '"&\\/é\n'.repeat(9_000 + at)),
    ],
    [
      "six of control characters",
      Array.from({ length: 6 }, (_, at) => "\u0001".repeat(65_000 + at)),
    ],
  ])("is made of all the secrets that an account may have in short steps: %s", (_, secrets) => {
    expectShortSteps(() => redactorInSteps(secrets));
  });

  it.each(Object.entries(HOSTILE))("goes over a long text in short steps, for %s", (_, secrets) => {
    const { redactInSteps } = createRedactor(secrets);
    expectShortSteps(() => redactInSteps("A".repeat(524_288)));
  });
});
