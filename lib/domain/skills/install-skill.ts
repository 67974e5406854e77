import "server-only";
import { reserveStorage } from "@/lib/domain/blobs/stored-bytes";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { getSkill, type SkillDetail } from "@/lib/domain/skills/skill-view";
import { ServiceError } from "@/lib/model/errors";
import type { Skill } from "@/lib/model/skill/parse-skill";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, type Transaction } from "@/lib/platform/postgres";
import { BUILT_IN_SKILLS } from "@/lib/runtime/skills/built-in/built-in-skills";
import type { SkillFile } from "@/lib/runtime/skills/read-skill-zip";

export interface SkillPackage {
  skill: Skill;
  files: SkillFile[];
}

const UPSERT = `
INSERT INTO skills AS s (id, account_id, name, description, content, updated_at)
VALUES ($1, $2, $3, $4, $5, now())
ON CONFLICT (account_id, name) DO UPDATE SET description = excluded.description,
  content = excluded.content, version = s.version + 1, updated_at = now() WHERE $6
RETURNING id, version`;

/**
 * Installs a skill, enabled; with `replace` one of the same name gets the new text and files as its
 * next version and stays switched as it was.
 * The files count against the account's space.
 * @throws ServiceError CONFLICT for a taken name (a built-in skill's always), or when the account
 * has its fill of skills; RATE_LIMITED; PAYLOAD_TOO_LARGE (the account's space). Nothing is stored
 * then.
 */
export async function installSkill(
  principal: Principal,
  given: SkillPackage,
  replace: boolean,
): Promise<SkillDetail> {
  const { skill, files } = given;
  if (BUILT_IN_SKILLS.some((builtIn) => builtIn.skill.name === skill.name))
    throw new ServiceError(
      "CONFLICT",
      `${skill.name} is the name of a built-in skill. Choose another one.`,
    );
  const id = await accountTransaction(principal.accountId, async (tx) => {
    const values = [
      newId(),
      principal.accountId,
      skill.name,
      skill.description,
      skill.content,
      replace,
    ];
    const { rows } = await tx.query<{ id: string; version: number }>(UPSERT, values);
    const [row] = rows;
    if (!row)
      throw new ServiceError(
        "CONFLICT",
        `The skill ${skill.name} is installed already. Send ?replace=true to make this its next ` +
          "version.",
        {
          details: [{ path: "replace", message: `${skill.name} is installed already` }],
        },
      );
    if (row.version === 1) await requireRoom(tx, principal.accountId, "skills");
    const grownBytes = await replaceFiles(tx, row.id, files);
    await consumeWriteQuota(tx, principal);
    await reserveStorage(tx, principal.accountId, grownBytes);
    return row.id;
  });
  return getSkill(principal, id);
}

/** Gives how many bytes more the files have now. */
async function replaceFiles(tx: Transaction, skillId: string, files: SkillFile[]): Promise<bigint> {
  const gone = await tx.query<{ size: number }>(
    "DELETE FROM skill_files WHERE skill_id = $1 RETURNING octet_length(bytes) AS size",
    [skillId],
  );
  for (const file of files) {
    await tx.query({
      name: "insert-skill-file",
      text: "INSERT INTO skill_files (skill_id, path, bytes) VALUES ($1, $2, $3)",
      values: [skillId, file.path, file.bytes],
    });
  }
  const before = gone.rows.reduce((sum, row) => sum + row.size, 0);
  return BigInt(files.reduce((sum, file) => sum + file.bytes.length, 0) - before);
}
