import "server-only";
import { FileTooLarge, ToolFailure } from "@/lib/runtime/tools/tool";
import type { FilesPort, SkillPort } from "@/lib/runtime/tools/tool-ports";

/** What the path of a file beside a skill begins with where code names it. */
const SKILL_PREFIX = "skill:";

/**
 * What code reads of files: those of its run, and those beside the skills that the run may read.
 */
export type CodeFiles = Pick<FilesPort, "readBytes"> & {
  /** The same, once found; null where there is none. */
  readIfThere(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /** The files that a name stands for: all of a skill where it names one alone. */
  namesOf(path: string): Promise<string[]>;
};

/**
 * The files of a run, with those of its skills under `skill:name/path`, so that their scripts run
 * and are not typed anew. A file of the run that is called so itself is found where no skill is.
 * @param skills null: those of the run may not be read
 */
export function withSkillFiles(
  files: Pick<FilesPort, "find" | "readBytes">,
  skills: SkillPort | null,
): CodeFiles {
  const ofSkill = async (path: string, maxBytes: number) => {
    const place = placeInSkill(path);
    const file = place && skills ? await skills.readFile(place.skill, place.path, maxBytes) : null;
    if (file !== null && file.bytes === null)
      throw new FileTooLarge(path, file.sizeBytes, maxBytes);
    return file?.bytes ?? null;
  };
  return {
    readBytes: async (path, maxBytes) =>
      (await ofSkill(path, maxBytes)) ?? (await files.readBytes(path, maxBytes)),
    async readIfThere(path, maxBytes) {
      const bytes = await ofSkill(path, maxBytes);
      if (bytes !== null) return bytes;
      return (await files.find(path)) === null ? null : await files.readBytes(path, maxBytes);
    },
    async namesOf(path) {
      const name = path.startsWith(SKILL_PREFIX) ? path.slice(SKILL_PREFIX.length) : "";
      if (name === "" || name.includes("/")) return [path];
      const skill = (await skills?.find(name)) ?? null;
      if (skill === null || skill.files.length === 0)
        throw new ToolFailure(`There is no skill ${JSON.stringify(name)} with files beside it.`);
      return skill.files.map((file) => `${path}/${file}`);
    },
  };
}

function placeInSkill(path: string): { skill: string; path: string } | null {
  if (!path.startsWith(SKILL_PREFIX)) return null;
  const slash = path.indexOf("/");
  return slash < 0
    ? null
    : { skill: path.slice(SKILL_PREFIX.length, slash), path: path.slice(slash + 1) };
}
