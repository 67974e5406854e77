import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findSecrets, secretsIn } from "./find-secrets.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("no key, token or password is in the repository, nor in a file that would be added to it", () => {
  expect(findSecrets(ROOT)).toEqual([]);
});

// Put together here, so that this file holds none.
const PLANTED = {
  "an AWS key": `AKIA${"ABCDEFGH12345678"}`,
  "a GitHub token": `ghp_${"a1B2".repeat(9)}`,
  "an Anthropic key": `sk-ant-${"api03-x1".repeat(4)}`,
  "an OpenAI key": `sk-proj-${"x1Y2".repeat(10)}`,
  "a Google key": `AIza${"Sy123".repeat(7)}`,
  "a Slack token": `xoxb-${"1234567890-abc"}`,
  "a Stripe key": `sk_live_${"x1".repeat(12)}`,
  "a key of this service": `svc_sk_${"a".repeat(48)}1`,
  "a webhook's secret": `whsec_${"abc1".repeat(8)}`,
  "a private key": `-----BEGIN RSA ${"PRIVATE KEY"}-----`,
  "a token with claims": `eyJ${"hbGciOiJIUzI1"}.eyJ${"zdWIiOiIxMjM0"}.${"sig1sig2sig3"}`,
  "an address with a password": `postgresql://lathe:${"k3yk3yk3yk3y"}@db.example.com/lathe`,
  "a value that is named a secret": `const apiKey = "${"a1b2c3d4".repeat(4)}";`,
};

for (const [kind, text] of Object.entries(PLANTED)) {
  test(`found: ${kind}`, () => {
    expect(secretsIn("a.ts", `// one\nconst x = '${text}';`)).toContain(`a.ts:2: ${kind}`);
  });
}

test("what only speaks of keys is taken", () => {
  for (const text of [
    "svc_sk_…",
    "process.env.OPENAI_API_KEY",
    'password: "correct horse"',
    `postgresql://lathe:${"$"}{PASSWORD}@db/lathe`,
    "postgresql://lathe:password@db.example.com/lathe",
  ])
    expect(secretsIn("a.ts", text)).toEqual([]);
});

test("a key in a file that git does not have yet is found, and one in an ignored file is not", () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  try {
    spawnSync("git", ["init", "-q"], { cwd: folder });
    writeFileSync(join(folder, ".gitignore"), ".env\n");
    for (const name of ["new.ts", ".env"]) writeFileSync(join(folder, name), PLANTED["an AWS key"]);
    expect(findSecrets(folder)).toEqual(["new.ts:1: an AWS key"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
