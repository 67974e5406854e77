import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { idField, listOf, listQuery } from "@/lib/api/v1/schemas/fields";
import { installSkillOperation } from "@/lib/api/v1/skills/install-skill-operation";
import { EXAMPLE_SKILL, EXAMPLE_SKILL_DETAIL } from "@/lib/api/v1/skills/skill-examples";
import { skillDetailSchema, skillSchema, toSkill, toSkillDetail } from "@/lib/api/v1/skills/skill-schema";
import { deleteSkill } from "@/lib/domain/skills/delete-skill";
import { getSkill } from "@/lib/domain/skills/get-skill";
import { listSkills } from "@/lib/domain/skills/list-skills";
import { switchSkill } from "@/lib/domain/skills/switch-skill";

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
  responses: [{ status: 200, description: "A page of skills.", schema: listOf(skillSchema), examples: examplePage(EXAMPLE_SKILL) }],
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
  responses: [{ status: 200, description: "The skill.", schema: skillDetailSchema, examples: { detail: EXAMPLE_SKILL_DETAIL } }],
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
  responses: [{ status: 200, description: "The skill.", schema: skillSchema, examples: { skill: EXAMPLE_SKILL } }],
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
    { status: 200, description: "The skill.", schema: skillSchema, examples: { disabled: { ...EXAMPLE_SKILL, enabled: false } } },
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

export const SKILL_OPERATIONS = [
  installSkillOperation,
  listSkillsOperation,
  getSkillOperation,
  enableSkillOperation,
  disableSkillOperation,
  deleteSkillOperation,
];
