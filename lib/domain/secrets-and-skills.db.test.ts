import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { rotateEncryptionKey } from "@/lib/domain/admin/rotate-encryption-key";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { listSecrets } from "@/lib/domain/secrets/list-secrets";
import { getSecret } from "@/lib/domain/secrets/secret-view";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { deleteSkill } from "@/lib/domain/skills/delete-skill";
import { installSkill } from "@/lib/domain/skills/install-skill";
import { listSkills } from "@/lib/domain/skills/list-skills";
import { getSkill, listRunSkills } from "@/lib/domain/skills/skill-view";
import { switchSkill } from "@/lib/domain/skills/switch-skill";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { parseSkill, type Skill } from "@/lib/model/skill/parse-skill";
import { parseKeyRing } from "@/lib/platform/crypto/key-ring";
import { openSealed, seal } from "@/lib/platform/crypto/seal";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";

const ringKey = (byte: number) => Buffer.alloc(32, byte).toString("base64");
const database = await openDomainDatabase({
  env: {
    ENCRYPTION_KEYS: JSON.stringify([
      { id: "k2", key: ringKey(2) },
      { id: "k1", key: ringKey(1) },
    ]),
    ACCOUNT_FILES_MAX_BYTES: "1000",
  },
});

let owner: Principal;
let stranger: Principal;

beforeEach(async () => {
  const account = async () =>
    systemPrincipal(
      (await createAccount({ email: `${newId()}@example.test`, password: null })).accountId,
    );
  [owner, stranger] = [await account(), await account()];
});

afterAll(async () => {
  await database.close();
});

const capped = (writePerHour: number): Principal => ({ ...owner, writePerHour });
const writesOf = async () => {
  const { rows } = await postgres().query<{ count: number }>(
    "SELECT count FROM hour_buckets WHERE key = $1",
    [`write:${owner.accountId}`],
  );
  return rows[0]?.count ?? 0;
};
const bytesOf = async () => {
  const { rows } = await postgres().query<{ files_bytes: string }>(
    "SELECT files_bytes FROM accounts WHERE id = $1",
    [owner.accountId],
  );
  return Number(rows[0]?.files_bytes);
};
const secret = (name = "KEY") => ({
  name,
  value: "v",
  description: null,
  allowedHosts: ["a.example"],
});
/** @throws where it is none */
function readSkill(content: string): Skill {
  const parsed = parseSkill(content);
  if (!parsed.ok) throw new Error(parsed.errors.map(({ message }) => message).join("; "));
  return parsed.skill;
}
const skill = (name: string, body = "Do it.", sizes: number[] = []) => ({
  skill: readSkill(`---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`),
  files: sizes.map((size, index) => ({ path: `f${index}.txt`, bytes: Buffer.alloc(size, "x") })),
});
const refused = (code: string) => ({ code });
const all = { limit: 100, cursor: null };

describe("secrets", () => {
  test("of many with one name at once, one is stored", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => createSecret(owner, secret())),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(refused("CONFLICT"));
  });

  test("a refused write costs nothing of the cap, and one over it changes nothing", async () => {
    await createSecret(capped(2), secret());
    await expect(createSecret(capped(2), secret())).rejects.toMatchObject(refused("CONFLICT"));
    await expect(updateSecret(capped(2), "NONE", { value: "x" })).rejects.toMatchObject(
      refused("SECRET_NOT_FOUND"),
    );
    await expect(deleteSecret(capped(2), "NONE")).rejects.toMatchObject(
      refused("SECRET_NOT_FOUND"),
    );
    expect(await writesOf()).toBe(1);
    await updateSecret(capped(2), "KEY", { value: "x", description: "new" });
    for (const write of [
      () => createSecret(capped(2), secret("B")),
      () => updateSecret(capped(2), "KEY", { value: "y", description: "no" }),
      () => deleteSecret(capped(2), "KEY"),
    ])
      await expect(write()).rejects.toMatchObject(refused("RATE_LIMITED"));
    // What is not there comes first.
    for (const write of [
      () => updateSecret(capped(2), "NONE", { value: "x" }),
      () => deleteSecret(capped(2), "NONE"),
    ])
      await expect(write()).rejects.toMatchObject(refused("SECRET_NOT_FOUND"));
    expect((await listSecrets(owner, all)).data).toMatchObject([
      { name: "KEY", description: "new" },
    ]);
  });

  test("a new value keeps description and hosts left out, and replaces those given", async () => {
    await createSecret(owner, { ...secret(), description: "old" });
    expect(await updateSecret(owner, "KEY", { value: "w" })).toMatchObject({
      description: "old",
      allowedHosts: ["a.example"],
    });
    expect(
      await updateSecret(owner, "KEY", { value: "w", description: null, allowedHosts: [] }),
    ).toMatchObject({
      description: null,
      allowedHosts: [],
    });
  });

  test("another account's secret is not there, and its name is free", async () => {
    await createSecret(owner, secret());
    for (const use of [
      () => getSecret(stranger, "KEY"),
      () => updateSecret(stranger, "KEY", { value: "x" }),
      () => deleteSecret(stranger, "KEY"),
    ])
      await expect(use()).rejects.toMatchObject(refused("SECRET_NOT_FOUND"));
    expect((await listSecrets(stranger, all)).data).toEqual([]);
    await createSecret(stranger, secret());
    await deleteSecret(stranger, "KEY");
    expect(await getSecret(owner, "KEY")).toMatchObject({ name: "KEY" });
  });

  test("pages neither miss nor repeat one while others are added", async () => {
    for (const name of ["A", "B", "C", "D", "E"]) await createSecret(owner, secret(name));
    const first = await listSecrets(owner, { limit: 2, cursor: null });
    await createSecret(owner, secret("F"));
    const second = await listSecrets(owner, { limit: 2, cursor: first.nextCursor });
    const third = await listSecrets(owner, { limit: 2, cursor: second.nextCursor });
    expect([first, second, third].flatMap(({ data }) => data.map(({ name }) => name))).toEqual([
      "E",
      "D",
      "C",
      "B",
      "A",
    ]);
    expect(third.nextCursor).toBeNull();
  });

  test("six of the largest values fit, and more is refused, by a change too", async () => {
    const largest = "x".repeat(65_536);
    for (const name of ["A", "B", "C", "D", "E", "F"])
      await createSecret(owner, { ...secret(name), value: largest });
    await expect(
      createSecret(owner, { ...secret("G"), value: "x".repeat(100) }),
    ).rejects.toMatchObject(refused("CONFLICT"));
    await updateSecret(owner, "A", { value: "small" });
    await createSecret(owner, { ...secret("G"), value: "x".repeat(100) });
    await expect(updateSecret(owner, "A", { value: largest })).rejects.toMatchObject(
      refused("CONFLICT"),
    );
  });

  test("what is stored is sealed by the environment's key, anew by a rotation", async () => {
    await createSecret(owner, { ...secret(), value: "plain-text-value" });
    const { rows } = await postgres().query<{ row: string }>(
      "SELECT row_to_json(s)::text AS row FROM secrets s WHERE account_id = $1",
      [owner.accountId],
    );
    expect(rows[0]?.row).toContain("s1.k2.");
    expect(rows[0]?.row).not.toContain("plain-text-value");
    const older = parseKeyRing(
      JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
    );
    const scope = { accountId: owner.accountId, name: "KEY" };
    await postgres().query("UPDATE secrets SET sealed = $2 WHERE account_id = $1", [
      owner.accountId,
      seal(older, "plain-text-value", scope),
    ]);
    const actor = {
      kind: "operator",
      id: null,
      label: null,
      address: null,
      userAgent: null,
    } as const;
    expect(await rotateEncryptionKey(actor)).toMatchObject({
      key_id: "k2",
      secrets: 1,
      retired: [],
      removable: ["k1"],
    });
    const sealed = (
      await postgres().query("SELECT sealed FROM secrets WHERE account_id = $1", [owner.accountId])
    ).rows[0].sealed;
    const current = parseKeyRing(
      JSON.stringify([{ id: "k2", key: Buffer.alloc(32, 2).toString("base64") }]),
    );
    expect(openSealed(current, sealed, scope)).toBe("plain-text-value");
  });
});

describe("skills", () => {
  test("one name is installed once, then replaced as its next version by id", async () => {
    const installed = await installSkill(owner, skill("a-skill", "One.", [10, 20]), false);
    expect(installed).toMatchObject({
      version: 1,
      enabled: true,
      source: "custom",
      files: [
        { path: "f0.txt", sizeBytes: 10 },
        { path: "f1.txt", sizeBytes: 20 },
      ],
    });
    await expect(installSkill(owner, skill("a-skill"), false)).rejects.toMatchObject(
      refused("CONFLICT"),
    );
    await switchSkill(owner, installed.id, false);
    const replaced = await installSkill(owner, skill("a-skill", "Two.", [5]), true);
    expect(replaced).toMatchObject({
      id: installed.id,
      version: 2,
      enabled: false,
      files: [{ path: "f0.txt", sizeBytes: 5 }],
    });
    expect(replaced.content).toContain("Two.");
  });

  test("of many installs and replacements at once none is lost, or mixes files", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        installSkill(owner, skill("race", `${index}`, [index + 1]), true),
      ),
    );
    expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
    const [row] = (await listSkills(owner, all)).data.filter(({ source }) => source === "custom");
    expect(row?.version).toBe(8);
    const { files } = await getSkill(owner, row?.id ?? "");
    expect(files).toHaveLength(1);
    expect(await bytesOf()).toBe(files[0]?.sizeBytes);
  });

  test("files count against the account's space, and misfits leave nothing", async () => {
    const big = await installSkill(owner, skill("big", "x", [600]), false);
    await expect(installSkill(owner, skill("more", "x", [401]), false)).rejects.toMatchObject(
      refused("PAYLOAD_TOO_LARGE"),
    );
    expect((await listSkills(owner, all)).data.map(({ name }) => name)).not.toContain("more");
    await installSkill(owner, skill("more", "x", [400]), false);
    await deleteSkill(owner, big.id);
    expect(await bytesOf()).toBe(400);
  });

  test("a built-in skill's name cannot be taken, nor it disabled or deleted", async () => {
    const [builtIn] = (await listSkills(owner, all)).data.filter(
      ({ source }) => source === "built_in",
    );
    const id = builtIn?.id ?? "";
    await expect(installSkill(owner, skill(builtIn?.name ?? ""), true)).rejects.toMatchObject(
      refused("CONFLICT"),
    );
    await expect(switchSkill(owner, id, false)).rejects.toMatchObject(refused("CONFLICT"));
    await expect(deleteSkill(owner, id)).rejects.toMatchObject(refused("CONFLICT"));
    expect(await switchSkill(owner, id, true)).toMatchObject({ enabled: true, source: "built_in" });
    expect((await getSkill(stranger, id)).content).toContain("---");
  });

  test("custom and built-in skills are one list, paged without a gap", async () => {
    for (const name of ["x-one", "x-two", "x-three"]) await installSkill(owner, skill(name), false);
    const names: string[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await listSkills(owner, { limit: 2, cursor });
      names.push(...page.data.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(names.slice(0, 3)).toEqual(["x-three", "x-two", "x-one"]);
    expect(names).toHaveLength((await listSkills(owner, all)).data.length);
    expect(new Set(names).size).toBe(names.length);
  });

  test("another account's skill is not there", async () => {
    const { id } = await installSkill(owner, skill("mine"), false);
    for (const use of [
      () => getSkill(stranger, id),
      () => switchSkill(stranger, id, false),
      () => deleteSkill(stranger, id),
    ])
      await expect(use()).rejects.toMatchObject(refused("SKILL_NOT_FOUND"));
    expect((await listSkills(stranger, all)).data.map(({ name }) => name)).not.toContain("mine");
    expect(await getSkill(owner, id)).toMatchObject({ enabled: true });
  });

  test("a refused write costs nothing of the cap, and one over it changes nothing", async () => {
    const { id } = await installSkill(capped(2), skill("a"), false);
    await expect(installSkill(capped(2), skill("a"), false)).rejects.toMatchObject(
      refused("CONFLICT"),
    );
    await expect(switchSkill(capped(2), newId(), false)).rejects.toMatchObject(
      refused("SKILL_NOT_FOUND"),
    );
    await expect(deleteSkill(capped(2), newId())).rejects.toMatchObject(refused("SKILL_NOT_FOUND"));
    expect(await writesOf()).toBe(1);
    await switchSkill(capped(2), id, false);
    for (const write of [
      () => switchSkill(capped(2), id, true),
      () => deleteSkill(capped(2), id),
      () => installSkill(capped(2), skill("b", "x", [9]), false),
      () => installSkill(capped(2), skill("a", "new"), true),
    ])
      await expect(write()).rejects.toMatchObject(refused("RATE_LIMITED"));
    expect(await getSkill(owner, id)).toMatchObject({ enabled: false, version: 1 });
    expect(await bytesOf()).toBe(0);
  });

  test("very many skills' descriptions are shortened, lest they fill a context", async () => {
    const long = "d".repeat(1_000);
    await postgres().query(
      `INSERT INTO skills (id, account_id, name, description, content, updated_at)
       SELECT gen_random_uuid(), $1, 'bulk-' || n, $2, 'x', now() FROM generate_series(1, 400) n`,
      [owner.accountId, long],
    );
    const installed = await postgres().query<{ name: string; description: string }>(
      "SELECT name, description FROM skills WHERE account_id = $1 AND enabled",
      [owner.accountId],
    );
    const listed = listRunSkills(installed.rows);
    expect(listed.length).toBeGreaterThan(400);
    expect(
      listed.reduce((sum, { description }) => sum + description.length, 0),
    ).toBeLessThanOrEqual(40_000);
  });
});
