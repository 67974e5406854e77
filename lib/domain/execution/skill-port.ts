import "server-only";
import { postgres } from "@/lib/platform/postgres";
import { BUILT_IN_SKILLS } from "@/lib/runtime/skills/built-in/built-in-skills";
import type { SkillPort } from "@/lib/runtime/tools/skill-port";

/** The skills that an account's runs may read: its own that are enabled, and the built-in ones. */
export function skillPort(accountId: string): SkillPort {
  return {
    async find(name) {
      const builtIn = BUILT_IN_SKILLS.find(({ skill }) => skill.name === name);
      if (builtIn) return { content: builtIn.skill.content, files: [] };
      const { rows } = await postgres().query<{ content: string; files: string[] | null }>({
        name: "read-skill",
        text: `SELECT content, (SELECT array_agg(path ORDER BY path) FROM skill_files f WHERE f.skill_id = s.id) AS files
               FROM skills s WHERE account_id = $1 AND name = $2 AND enabled`,
        values: [accountId, name],
      });
      return rows[0] ? { content: rows[0].content, files: rows[0].files ?? [] } : null;
    },
    async readFile(name, path) {
      const { rows } = await postgres().query<{ bytes: Buffer }>({
        name: "read-skill-file",
        text: "SELECT f.bytes FROM skill_files f JOIN skills s ON s.id = f.skill_id WHERE s.account_id = $1 AND s.name = $2 AND s.enabled AND f.path = $3",
        values: [accountId, name, path],
      });
      return rows[0]?.bytes ?? null;
    },
  };
}
