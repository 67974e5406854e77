import { expect, test, vi } from "vitest";
import { guestRead } from "@/lib/runtime/tools/code-files";
import { withSkillFiles } from "@/lib/runtime/tools/skill-files";
import { type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";
import type { SkillPort } from "@/lib/runtime/tools/tool-ports";

const utf8 = (text: string) => new TextEncoder().encode(text);
const SCRIPTS: Record<string, string> = { "scripts/a.py": "print(1)", "b.txt": "two" };
const skills: SkillPort = {
  find: async (name) => (name === "forms" ? { content: "#", files: Object.keys(SCRIPTS) } : null),
  readFile: async (name, path, maxBytes = 1_000) => {
    if (name !== "forms" || !Object.hasOwn(SCRIPTS, path)) return null;
    const bytes = utf8(SCRIPTS[path] ?? "");
    return { sizeBytes: bytes.length, bytes: bytes.length <= maxBytes ? bytes : null };
  },
};
const OWN: Record<string, string> = { "a.csv": "x", "skill:odd/a.csv": "mine" };
const files = withSkillFiles(
  {
    find: async (path) =>
      Object.hasOwn(OWN, path) ? { path, size_bytes: 1, content_type: "text/csv" } : null,
    readBytes: async (path) => {
      if (!Object.hasOwn(OWN, path)) throw new ToolFailure("There is no such file.");
      return utf8(OWN[path] ?? "");
    },
  },
  skills,
);
const textOf = async (path: string) => new TextDecoder().decode(await files.readBytes(path, 100));

test("a file beside a skill has the skill's name in its path; others are the run's", async () => {
  expect(await textOf("skill:forms/scripts/a.py")).toBe("print(1)");
  expect(await textOf("a.csv")).toBe("x");
  expect(await textOf("skill:odd/a.csv")).toBe("mine");
  expect(await files.readIfThere("a.csv", 100)).toEqual(utf8("x"));
  for (const path of ["skill:forms/gone.py", "skill:other/scripts/a.py", "skill:forms", "skill:"])
    expect(await files.readIfThere(path, 100)).toBeNull();
});

test("a file beside a skill is read once when code asks for it, as bytes or as text", async () => {
  const read = vi.fn(skills.readFile);
  const counted = withSkillFiles(
    { find: async () => null, readBytes: files.readBytes },
    { ...skills, readFile: read },
  );
  // Of the run it asks for nothing else here.
  const context = { accountId: "account" } as unknown as ToolContext;
  for (const form of ["bytes", "text"] as const) {
    const ask = guestRead(counted, context);
    expect(await ask("skill:forms/b.txt", form, 100)).toEqual(utf8("two"));
    expect(read).toHaveBeenCalledExactlyOnceWith("forms", "b.txt", 100);
    expect(await ask("skill:forms/gone#1", form, 100)).toBeNull();
    read.mockClear();
  }
});

test("a skill's name alone stands for all files beside it", async () => {
  expect(await files.namesOf("skill:forms")).toEqual([
    "skill:forms/scripts/a.py",
    "skill:forms/b.txt",
  ]);
  expect(await files.namesOf("a.csv")).toEqual(["a.csv"]);
  await expect(files.namesOf("skill:other")).rejects.toThrow('There is no skill "other"');
});

test("a file beside a skill counts like any, and none is read where skills are not", async () => {
  await expect(files.readBytes("skill:forms/b.txt", 2)).rejects.toThrow("3 bytes; at most 2");
  const without = withSkillFiles({ find: async () => null, readBytes: files.readBytes }, null);
  expect(await without.readIfThere("skill:forms/b.txt", 100)).toBeNull();
  await expect(without.namesOf("skill:forms")).rejects.toThrow("There is no skill");
});
