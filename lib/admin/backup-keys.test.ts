import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readOpenWith, readSealTo } from "@/lib/admin/backup-keys";
import { run } from "@/lib/admin/main";

const folder = mkdtempSync(join(tmpdir(), "backup-keys-"));
const NONE = {
  BACKUP_RECIPIENT: [],
  BACKUP_PASSPHRASE: "",
  BACKUP_PASSPHRASE_FILE: "",
  BACKUP_IDENTITY_FILE: "",
};

function fileOf(text: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, text);
  return path;
}

test("a backup is sealed as the flags say, else as the environment does, else not", async () => {
  const file = fileOf("two words\r\n");
  const every = { ...NONE, BACKUP_PASSPHRASE_FILE: fileOf("of the environment\n") };
  expect(await readSealTo({ recipient: [] }, NONE)).toBeNull();
  expect(await readSealTo({ recipient: ["age1a", "age1b"] }, every)).toEqual({
    recipients: ["age1a", "age1b"],
  });
  expect(
    await readSealTo(
      { recipient: [], "passphrase-file": file },
      { ...NONE, BACKUP_RECIPIENT: ["age1c"] },
    ),
  ).toEqual({
    passphrase: "two words",
  });
  expect(await readSealTo({ recipient: [] }, every)).toEqual({ passphrase: "of the environment" });
  expect(await readSealTo({ recipient: [] }, { ...NONE, BACKUP_RECIPIENT: ["age1c"] })).toEqual({
    recipients: ["age1c"],
  });
  expect(await readSealTo({ recipient: [] }, { ...NONE, BACKUP_PASSPHRASE: "p" })).toEqual({
    passphrase: "p",
  });
  expect(
    await readSealTo(
      { recipient: [], "passphrase-file": "-" },
      NONE,
      Readable.from([Buffer.from("typed\n")]),
    ),
  ).toEqual({
    passphrase: "typed",
  });
});

test("a backup opens by identity or passphrase, of the flags before the environment", async () => {
  const file = fileOf("AGE-SECRET-KEY-1X\n");
  expect(await readOpenWith({}, NONE)).toBeNull();
  expect(
    await readOpenWith({ "identity-file": file }, { ...NONE, BACKUP_PASSPHRASE: "p" }),
  ).toEqual({ identities: "AGE-SECRET-KEY-1X\n" });
  expect(await readOpenWith({}, { ...NONE, BACKUP_IDENTITY_FILE: file })).toEqual({
    identities: "AGE-SECRET-KEY-1X\n",
  });
  expect(await readOpenWith({}, { ...NONE, BACKUP_PASSPHRASE: "p" })).toEqual({ passphrase: "p" });
});

test("two ways at once, an empty passphrase and a missing file are refused", async () => {
  const empty = fileOf("\n");
  for (const [flags, env, said] of [
    [{ recipient: ["age1a"], "passphrase-file": empty }, NONE, "give one of them"],
    [{ recipient: [], "passphrase-file": empty }, NONE, "is empty"],
    [{ recipient: [], "passphrase-file": join(folder, "none") }, NONE, "ENOENT"],
    [
      { recipient: [] },
      { ...NONE, BACKUP_PASSPHRASE_FILE: join(folder, "none") },
      "BACKUP_PASSPHRASE_FILE cannot be read",
    ],
    [
      { recipient: [] },
      { ...NONE, BACKUP_PASSPHRASE: "p", BACKUP_RECIPIENT: ["age1a"] },
      "both set",
    ],
  ] as const)
    await expect(
      readSealTo(
        { ...flags, recipient: [...flags.recipient] },
        { ...env, BACKUP_RECIPIENT: [...env.BACKUP_RECIPIENT] },
      ),
    ).rejects.toThrow(said);
  await expect(
    readOpenWith({ "identity-file": "a", "passphrase-file": "b" }, NONE),
  ).rejects.toThrow("give one of them");
});

test("a backup takes its folder first; a passphrase is no argument", async () => {
  for (const words of [
    ["backup"],
    ["backup", "--recipient", "age1a"],
    ["backup", "a", "b"],
    ["restore", ""],
  ])
    await expect(run(words)).rejects.toThrow("Say the one folder");
  await expect(run(["backup", "a", "--passphrase", "p"])).rejects.toThrow(
    "--passphrase is not a flag",
  );
  expect(await run(["backup", "--help"])).toContain("--passphrase-file FILE");
  expect(await run(["restore", "a", "--help"])).toContain("--revoke-keys");
});
