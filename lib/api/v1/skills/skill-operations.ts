import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { parseWith } from "@/lib/api/http/parse-with";
import { readJson } from "@/lib/api/http/read-body";
import type { ApiRequest } from "@/lib/api/http/request";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  timeField,
} from "@/lib/api/schemas/fields";
import type { Principal } from "@/lib/domain/principal";
import { deleteSkill } from "@/lib/domain/skills/delete-skill";
import { installSkill, type SkillPackage } from "@/lib/domain/skills/install-skill";
import { listSkills } from "@/lib/domain/skills/list-skills";
import { readSkillText } from "@/lib/domain/skills/read-skill-text";
import { receiveSkillZip } from "@/lib/domain/skills/receive-skill-zip";
import { getSkill, type SkillDetail, type SkillView } from "@/lib/domain/skills/skill-view";
import { switchSkill } from "@/lib/domain/skills/switch-skill";
import { invalidInput } from "@/lib/model/errors";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";

const skillSchema = z
  .object({
    skill_id: idField,
    name: z.string().meta({ example: "invoice-check" }),
    description: z.string(),
    source: z.enum(["custom", "built_in"]),
    enabled: z.boolean(),
    version: z.number().int().meta({ description: "Grows by 1 with each replacement." }),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({ id: "Skill" });

const skillDetailSchema = skillSchema
  .extend({
    content: z.string().meta({ description: "The whole SKILL.md." }),
    files: z
      .array(z.object({ path: z.string(), size_bytes: z.number().int() }))
      .meta({ description: "The files beside SKILL.md." }),
  })
  .meta({ id: "SkillDetail" });

function toSkill(skill: SkillView) {
  return {
    skill_id: skill.id,
    name: skill.name,
    description: skill.description,
    source: skill.source,
    enabled: skill.enabled,
    version: skill.version,
    created_at: skill.createdAt.toISOString(),
    updated_at: skill.updatedAt.toISOString(),
  };
}

function toSkillDetail(skill: SkillDetail) {
  return {
    ...toSkill(skill),
    content: skill.content,
    files: skill.files.map(({ path, sizeBytes }) => ({ path, size_bytes: sizeBytes })),
  };
}

const EXAMPLE_SKILL_TEXT =
  "---\nname: invoice-check\ndescription: Checks invoices. Use it for any bill.\n---\n\n# " +
  "Checking\n\n1. Add the lines up.\n";

const EXAMPLE_SKILL: z.output<typeof skillSchema> = {
  skill_id: EXAMPLE_IDS.skill_id,
  name: "invoice-check",
  description: "Checks invoices. Use it for any bill.",
  source: "custom",
  enabled: true,
  version: 1,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

const EXAMPLE_SKILL_DETAIL: z.output<typeof skillDetailSchema> = {
  ...EXAMPLE_SKILL,
  content: EXAMPLE_SKILL_TEXT,
  files: [{ path: "references/vat.md", size_bytes: 2048 }],
};

const PATH = "/v1/skills/{skill_id}";
const params = z.object({ skill_id: idField });

const listSkillsOperation = operation({
  method: "GET",
  path: "/v1/skills",
  operationId: "listSkills",
  tag: "Skills",
  summary: "List skills",
  description: "The account's own skills and the built-in ones, newest first, without their texts.",
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of skills.",
      schema: listOf(skillSchema),
      examples: examplePage(EXAMPLE_SKILL),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listSkills(principal, query), toSkill) };
  },
});

const getSkillOperation = operation({
  method: "GET",
  path: PATH,
  operationId: "getSkill",
  tag: "Skills",
  summary: "Fetch a skill",
  description: "The skill with its text and the names of the files beside it.",
  params,
  responses: [
    {
      status: 200,
      description: "The skill.",
      schema: skillDetailSchema,
      examples: { detail: EXAMPLE_SKILL_DETAIL },
    },
  ],
  errors: ["INVALID_INPUT", "SKILL_NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toSkillDetail(await getSkill(principal, params.skill_id)) };
  },
});

const enableSkillOperation = operation({
  method: "POST",
  path: `${PATH}/enable`,
  operationId: "enableSkill",
  tag: "Skills",
  summary: "Enable a skill",
  description: "From now on runs are told of it.",
  hourlyWrite: true,
  params,
  responses: [
    {
      status: 200,
      description: "The skill.",
      schema: skillSchema,
      examples: { skill: EXAMPLE_SKILL },
    },
  ],
  errors: ["INVALID_INPUT", "SKILL_NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toSkill(await switchSkill(principal, params.skill_id, true)) };
  },
});

const disableSkillOperation = operation({
  method: "POST",
  path: `${PATH}/disable`,
  operationId: "disableSkill",
  tag: "Skills",
  summary: "Disable a skill",
  description: "Turns the skill off without deleting it. A built-in skill answers 409.",
  hourlyWrite: true,
  params,
  responses: [
    {
      status: 200,
      description: "The skill.",
      schema: skillSchema,
      examples: { disabled: { ...EXAMPLE_SKILL, enabled: false } },
    },
  ],
  errors: ["INVALID_INPUT", "SKILL_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }) {
    return { status: 200, body: toSkill(await switchSkill(principal, params.skill_id, false)) };
  },
});

const deleteSkillOperation = operation({
  method: "DELETE",
  path: PATH,
  operationId: "deleteSkill",
  tag: "Skills",
  summary: "Delete a skill",
  description: "Removes a custom skill with its files. A built-in skill answers 409.",
  hourlyWrite: true,
  params,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "SKILL_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }) {
    await deleteSkill(principal, params.skill_id);
    return { status: 204 };
  },
});

const contentBody = z
  .strictObject({
    content: z.string().meta({
      description:
        "A SKILL.md: frontmatter with name and description, then Markdown; at most " +
        `${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8.`,
    }),
  })
  .meta({ id: "InstallSkillRequest" });

const zipBody = z
  .strictObject({
    file: z.string().meta({
      format: "binary",
      description:
        "A .zip with SKILL.md at its root or in its one folder: at most 5 MiB packed, 20 MiB " +
        "unpacked, 200 files.",
    }),
  })
  .meta({ id: "InstallSkillUpload" });

const installSkillOperation = operation({
  method: "POST",
  path: "/v1/skills",
  operationId: "installSkill",
  tag: "Skills",
  summary: "Install a skill",
  description:
    "Takes the text of a SKILL.md, or a zip with more files beside it. A name that is taken " +
    "answers 409; with `replace=true` this becomes the skill's next version.",
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
  responses: [
    {
      status: 201,
      description: "The skill.",
      schema: skillSchema,
      headers: ["Location"],
      examples: { skill: EXAMPLE_SKILL },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT", "PAYLOAD_TOO_LARGE"],
  async handle({ principal, query, request }) {
    const skill = await installSkill(
      principal,
      await readPackage(principal, request),
      query.replace === "true",
    );
    return { status: 201, body: toSkill(skill), headers: { Location: `/v1/skills/${skill.id}` } };
  },
});

async function readPackage(principal: Principal, request: ApiRequest): Promise<SkillPackage> {
  const contentType = request.headers.get("content-type") ?? "";
  if (/^multipart\/form-data\b/i.test(contentType))
    return receiveSkillZip(principal, { body: request.body, contentType });
  const json = await readJson(request);
  if (json === undefined)
    throw invalidInput(
      "",
      "This request needs a JSON body with content, or a form with the field file.",
    );
  // Parsed by this very schema.
  const { content } = parseWith(contentBody, json) as z.output<typeof contentBody>;
  return readSkillText(principal, content);
}

export const SKILL_OPERATIONS = [
  installSkillOperation,
  listSkillsOperation,
  getSkillOperation,
  enableSkillOperation,
  disableSkillOperation,
  deleteSkillOperation,
];
