import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { examplePage, listOf, listQuery } from "@/lib/api/schemas/fields";
import { getTemplate, listTemplates } from "@/lib/domain/templates/list-templates";
import { TEMPLATE_CATEGORIES, type Template } from "@/lib/templates/templates";

const nameField = z
  .string()
  .regex(/^[a-z]+(?:-[a-z]+){0,9}$/, "must be the name of a template, such as table-questions")
  .meta({ description: "The template's name.", example: "table-questions" });

const CACHED = { "cache-control": "public, max-age=300" };

const needSchema = z.object({
  kind: z.enum(["secret", "file", "schedule", "connector", "other"]),
  text: z.string(),
});

const templateSchema = z
  .object({
    name: z
      .string()
      .meta({ description: "Stays the same; `GET /v1/templates/{name}` has the document." }),
    title: z.string(),
    category: z.enum(TEMPLATE_CATEGORIES),
    description: z.string(),
    needs: z
      .array(needSchema)
      .meta({ description: "What you bring along before its agent can work." }),
    works_offline: z.boolean().meta({
      description:
        "Whether the built-in model of rules, `builtin/offline`, does what the agent is for.",
    }),
  })
  .meta({ id: "Template" });

const templateDetailSchema = templateSchema
  .extend({
    document: z
      .looseObject({
        kind: z.literal("agent"),
        name: z.string(),
        skill_content: z.string(),
        config: z.looseObject({ version: z.literal(1) }),
      })
      .meta({
        description:
          "The agent: an `AgentDocument`, as `POST /v1/agents/import` takes it, with nothing " +
          "left out.",
      }),
    content: z.string().meta({
      description:
        "The same as YAML with its comments: send it to `POST /v1/agents/import` as it is.",
    }),
  })
  .meta({ id: "TemplateDetail" });

function toTemplate({
  name,
  title,
  category,
  needs,
  isForRules,
  document,
}: Template): z.output<typeof templateSchema> {
  return {
    name,
    title,
    category,
    description: document.description ?? "",
    needs: [...needs],
    works_offline: isForRules,
  };
}

const EXAMPLE_TEMPLATE: z.output<typeof templateSchema> = {
  name: "table-questions",
  title: "Questions about tables",
  category: "data",
  description:
    "Answers questions about CSV, TSV and JSON tables in the workspace with figures that " +
    "code worked out.",
  needs: [{ kind: "file", text: "A CSV, TSV or JSON table in the run's workspace." }],
  works_offline: true,
};

const EXAMPLE_TEMPLATE_DETAIL: z.output<typeof templateDetailSchema> = {
  ...EXAMPLE_TEMPLATE,
  document: {
    kind: "agent",
    format: 1,
    name: "Table Analyst",
    description: EXAMPLE_TEMPLATE.description,
    version: "1.0.0",
    write_autonomy: "blocked",
    skill_content: "# Table Analyst\n\n## Steps\n\n1. Read the table.\n2. Answer the question.\n",
    config: { version: 1, tools: { builtin: ["workspace_files", "run_javascript"] } },
    dashboard_template: null,
  },
  content: "kind: agent\nformat: 1\nname: Table Analyst\nskill_content: |\n  # Table Analyst\n",
};

const listTemplatesOperation = operation({
  method: "GET",
  path: "/v1/templates",
  operationId: "listTemplates",
  tag: "Templates",
  summary: "List templates",
  description:
    "Complete agents to begin with, in the order in which they are offered: first those that " +
    "work with the built-in model alone. Needs no key.",
  auth: "none",
  query: z.object({
    ...listQuery,
    category: z
      .enum(TEMPLATE_CATEGORIES)
      .optional()
      .meta({ description: "Only those of this category.", example: "data" }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of templates.",
      schema: listOf(templateSchema),
      headers: ["Cache-Control"],
      examples: examplePage(EXAMPLE_TEMPLATE),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ query }) {
    return { status: 200, body: toList(listTemplates(query), toTemplate), headers: CACHED };
  },
});

const getTemplateOperation = operation({
  method: "GET",
  path: "/v1/templates/{name}",
  operationId: "getTemplate",
  tag: "Templates",
  summary: "Fetch a template",
  description:
    "The template with its document. Send `content` to `POST /v1/agents/import`, changed or " +
    "as it is, to make an agent of it. Needs no key.",
  auth: "none",
  params: z.object({ name: nameField }),
  responses: [
    {
      status: 200,
      description: "The template.",
      schema: templateDetailSchema,
      headers: ["Cache-Control"],
      examples: { detail: EXAMPLE_TEMPLATE_DETAIL },
    },
  ],
  errors: ["INVALID_INPUT", "TEMPLATE_NOT_FOUND"],
  async handle({ params }) {
    const template = getTemplate(params.name);
    const { document, content } = template;
    return { status: 200, body: { ...toTemplate(template), document, content }, headers: CACHED };
  },
});

export const TEMPLATE_OPERATIONS = [listTemplatesOperation, getTemplateOperation];
