import { z } from "zod";
import { idField } from "@/lib/model/fields/shared-fields";
import { RUN_FAILURE_CODES } from "@/lib/model/run/run-failure";
import { BUILD_NEEDS, BUILD_OUTCOMES, CAPABILITIES } from "@/lib/model/run/run-result";

export const usageSchema = z
  .object({
    credits: z.number(),
    breakdown: z.array(
      z.object({
        model: z.string(),
        capability: z.enum(CAPABILITIES),
        input_tokens: z.number().int(),
        output_tokens: z.number().int(),
        cached_input_tokens: z.number().int().meta({ description: "Part of `input_tokens`." }),
        units: z.number().meta({
          description:
            "Images, seconds of video, characters of speech or searches of the web; else 0.",
        }),
        credits: z.number(),
      }),
    ),
  })
  .meta({
    id: "Usage",
    description:
      "Credits attributed to the run, with a row per model and capability. The rows add up.",
  });

export const artifactSchema = z
  .object({
    id: idField,
    title: z.string(),
    type: z.string(),
    url: z.string(),
    name: z.string(),
    size_bytes: z.number().int(),
  })
  .meta({
    id: "Artifact",
    description:
      "A file that the run made. `url` works for 15 minutes and is renewed at each fetch of " +
      "the run.",
  });

const caseCountSchema = z.object({ passed: z.number().int(), of: z.number().int() });

const buildReportSchema = z
  .object({
    outcome: z.enum(BUILD_OUTCOMES).meta({
      description:
        "`built`: stored. `unchanged`: there was nothing to change. `question`: answer it by " +
        "`conversation_id`. `refused`: see `text`.",
    }),
    assumptions: z
      .array(z.string())
      .meta({ description: "What the request left open, and how it was taken." }),
    left_out: z
      .array(z.string())
      .meta({ description: "What of the request the agent does not do, and why." }),
    needs: z
      .array(z.object({ kind: z.enum(BUILD_NEEDS), text: z.string() }))
      .meta({ description: "What somebody has to add before the agent can do its work." }),
    question: z.string().nullable().meta({ description: "What the builder asks back." }),
    cases: z
      .object({ before: caseCountSchema, after: caseCountSchema, failed: z.array(z.string()) })
      .optional()
      .meta({
        description:
          "Of an edit of an agent that has cases: how they came out before the change and " +
          "with it, and the names of those that fail now.",
      }),
  })
  .meta({
    id: "BuildReport",
    description: "What a creation or an edit came to; `text` says the same in words.",
  });

const citationSchema = z
  .object({
    text: z.string().meta({ description: "The statement, as it stands in the answer." }),
    source: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("web"), url: z.string(), title: z.string().nullable() }),
        z.object({ type: z.literal("file"), path: z.string() }),
      ])
      .meta({
        description: "A page that the run has found or fetched, or a file that it has read.",
      }),
    location: z.object({ start: z.number().int(), end: z.number().int() }).meta({
      description: "Where it stands in `text`, in UTF-16 code units; `end` is behind it.",
    }),
  })
  .meta({
    id: "Citation",
    description:
      "A statement of the answer that names its source. A source that the run has not read " +
      "is none.",
  });

export const runResultSchema = z
  .looseObject({
    text: z.string().meta({ description: "The final answer." }),
    agent_id: idField.optional().meta({
      description: "The agent that ran, or that was built or changed; absent where there is none.",
    }),
    agent_name: z.string().optional(),
    artifacts: z.array(artifactSchema),
    citations: z.array(citationSchema).optional().meta({
      description:
        "Of an answer in words that names what the run has read; absent where it names none.",
    }),
    data: z.unknown().optional().meta({
      description: "The structured output, where the agent's config has an `output_schema`.",
    }),
    build: buildReportSchema.optional().meta({ description: "Of a creation or an edit." }),
    raw_output: z
      .string()
      .optional()
      .meta({ description: "The whole transcript; with `raw_output=true` only." }),
  })
  .meta({ id: "RunResult" });

/** Why a run failed. */
const runFailureCodeSchema = z.enum(RUN_FAILURE_CODES).meta({
  id: "RunFailureCode",
  description: "Stable. Codes may be added: treat one that you do not know as `EXECUTION_FAILED`.",
});

export const runErrorSchema = z
  .object({
    code: runFailureCodeSchema,
    message: z.string().meta({ description: "Safe for a person to read." }),
  })
  .meta({ id: "RunError" });
