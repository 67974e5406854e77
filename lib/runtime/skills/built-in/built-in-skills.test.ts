import { describe, expect, it } from "vitest";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { BUILT_IN_SKILLS } from "@/lib/runtime/skills/built-in/built-in-skills";

describe("BUILT_IN_SKILLS", () => {
  it("have different names and ids, the ids being those of their day", () => {
    expect(BUILT_IN_SKILLS.map(({ skill }) => skill.name)).toEqual([
      "csv-analysis",
      "report-writing",
      "task-planning",
      "web-research",
    ]);
    expect(new Set(BUILT_IN_SKILLS.map(({ skillId }) => skillId)).size).toBe(
      BUILT_IN_SKILLS.length,
    );
    for (const { skillId, createdAt } of BUILT_IN_SKILLS) {
      expect(skillId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(skillId.replace("-", "").slice(0, 12), 16)).toBe(createdAt.getTime());
    }
  });

  it("say when to use them, fit in a prompt, and name only tools that exist", () => {
    for (const { skill } of BUILT_IN_SKILLS) {
      expect(skill.description).toContain("Use it when");
      expect(skill.body.length).toBeLessThan(8_000);
      expect(skill.allowedTools).not.toBe(null);
      for (const tool of skill.allowedTools ?? []) {
        expect(BUILT_IN_TOOL_NAMES).toContain(tool);
        expect(skill.body + skill.description).toMatch(
          tool === "artifacts"
            ? /artifact/
            : tool.startsWith("files_")
              ? /workspace|file/
              : new RegExp(tool),
        );
      }
    }
  });
});
