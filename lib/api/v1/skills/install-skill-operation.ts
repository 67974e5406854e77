import "server-only";
import { z } from "zod";
import type { ApiRequest } from "@/lib/api/http/api-request";
import { operation } from "@/lib/api/http/operation";
import { parseWith } from "@/lib/api/http/parse-with";
import { readJson } from "@/lib/api/http/read-json";
import { EXAMPLE_SKILL, EXAMPLE_SKILL_TEXT } from "@/lib/api/v1/skills/skill-examples";
import { skillSchema, toSkill } from "@/lib/api/v1/skills/skill-schema";
import type { Principal } from "@/lib/domain/principal";
import { installSkill, type SkillPackage } from "@/lib/domain/skills/install-skill";
import { readSkillText } from "@/lib/domain/skills/read-skill-text";
import { receiveSkillZip } from "@/lib/domain/skills/receive-skill-zip";
import { invalidInput } from "@/lib/model/errors";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";

const contentBody = z
  .strictObject({
    content: z.string().meta({
      description: `A SKILL.md: frontmatter with name and description, then Markdown; at most ${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8.`,
    }),
  })
  .meta({ id: "InstallSkillRequest" });

const zipBody = z
  .strictObject({
    file: z.string().meta({
      format: "binary",
      description: "A .zip with SKILL.md at its root or in its one folder: at most 5 MiB packed, 20 MiB unpacked, 200 files.",
    }),
  })
  .meta({ id: "InstallSkillUpload" });

export const installSkillOperation = operation({
  method: "POST",
  path: "/v1/skills",
  operationId: "installSkill",
  tag: "Skills",
  summary: "Install a skill",
  description:
    "Takes the text of a SKILL.md, or a zip with more files beside it. A name that is taken answers 409; with `replace=true` this becomes the skill's next version.",
  hourlyWrite: true,
  query: z.object({
    replace: z
      .enum(["true", "false"], "must be true or false")
      .default("false")
      .meta({
        description: "Whether to replace a skill of this name.",
        examples: [true],
        override: { type: "boolean", enum: undefined, default: false },
      }),
  }),
  rawBody: {
    "application/json": {
      description: "The skill's text.",
      schema: contentBody,
      examples: { text: { content: EXAMPLE_SKILL_TEXT } },
    },
    "multipart/form-data": { description: "The skill as a zip.", schema: zipBody, examples: {} },
  },
  creates: ["skills"],
  responses: [{ status: 201, description: "The skill.", schema: skillSchema, headers: ["Location"], examples: { skill: EXAMPLE_SKILL } }],
  errors: ["INVALID_INPUT", "CONFLICT", "PAYLOAD_TOO_LARGE"],
  async handle({ principal, query, request }) {
    const skill = await installSkill(principal, await readPackage(principal, request), query.replace === "true");
    return { status: 201, body: toSkill(skill), headers: { Location: `/v1/skills/${skill.id}` } };
  },
});

async function readPackage(principal: Principal, request: ApiRequest): Promise<SkillPackage> {
  const contentType = request.headers.get("content-type") ?? "";
  if (/^multipart\/form-data\b/i.test(contentType)) return receiveSkillZip(principal, { body: request.body, contentType });
  const json = await readJson(request);
  if (json === undefined) throw invalidInput("", "This request needs a JSON body with content, or a form with the field file.");
  // Parsed by this very schema.
  const { content } = parseWith(contentBody, json) as z.output<typeof contentBody>;
  return readSkillText(content);
}
