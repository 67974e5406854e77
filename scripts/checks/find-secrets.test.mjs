import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSecrets, secretsIn } from "./find-secrets.mjs";

/** @param {number} times */
const mixed = (times) => "a1B2".repeat(times);
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

// Put together here, so that this file holds none.
const PLANTED = {
  "of AWS": `AKIA${"ABCDEFGH12345678"}`,
  "of GitHub": `ghp_${mixed(9)}`,
  "of GitLab": `glpat-${mixed(5)}`,
  "of npm": `npm_${mixed(9)}`,
  "of Anthropic": `sk-ant-${"api03-x1".repeat(4)}`,
  "of OpenAI": `sk-proj-${mixed(10)}`,
  "of Google": `AIza${"Sy123".repeat(7)}`,
  "of Slack": `xoxb-${"1234567890-abc"}`,
  "of Stripe": `sk_live_${"x1".repeat(12)}`,
  "of this service": `svc_sk_${"a".repeat(48)}1`,
  "of an app": `appapi_${"a".repeat(48)}1`,
  "of a webhook": `whsec_${"abc1".repeat(8)}`,
  "in PEM": privateKey,
  "with claims": `eyJ${"hbGciOiJIUzI1"}.eyJ${"zdWIiOiIxMjM0"}.${"sig1sig2sig3"}`,
  "of a database": `postgresql://lathe:${"k3yk3yk3yk3y"}@db.example.com/lathe`,
  "of a mail server": `smtps://lathe:${"k3yk3yk3yk3y"}@mail.example.com`,
  "named so": `apiKey = "${"a1b2c3d4".repeat(4)}"`,
};
const HARMLESS = [
  "svc_sk_…",
  "const key = environment.OPENAI_API_KEY;",
  'password: "correct horse"',
  `postgresql://lathe:${"$"}{PASSWORD}@db/lathe`,
  "AKIA is how a key of AWS begins",
];

for (const [kind, text] of Object.entries(PLANTED)) {
  test(`found: a key ${kind}`, async () => {
    const found = await secretsIn("a.ts", `// one\nconst x = \`${text}\`;`);
    expect(found).toContainEqual(expect.stringMatching(/^a\.ts:2: /));
    expect(found.join("\n")).not.toContain(text);
  });
}

test("what only speaks of keys is taken", async () => {
  for (const text of HARMLESS) expect(await secretsIn("a.ts", text)).toEqual([]);
});

test("a line that says why it only looks like a key is taken, the next not", async () => {
  const [key, own] = [PLANTED["of AWS"], PLANTED["of this service"]];
  const text = `// secretlint-disable-next-line -- an example\n${key} ${own}\n${own}\n`;
  expect(await secretsIn("a.ts", text)).toEqual(["a.ts:3: found a key of this service"]);
});

test("a key in a file new to git is found, and one in an ignored file is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lathe-secrets-"));
  try {
    spawnSync("git", ["init", "-q"], { cwd: folder });
    writeFileSync(join(folder, ".gitignore"), ".env\n");
    for (const name of ["new.ts", ".env"]) writeFileSync(join(folder, name), PLANTED["of AWS"]);
    expect(await findSecrets(folder)).toEqual([expect.stringMatching(/^new\.ts:1: /)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
