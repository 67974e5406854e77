import "server-only";
import { z } from "zod";
import type { MediaToolName } from "@/lib/model/agent-config/built-in-tools";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { imageSizes, type MediaRequest } from "@/lib/runtime/models/media";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";
import type { MediaPort } from "@/lib/runtime/tools/tool-ports";

const TEXT_MAX_CHARACTERS = 4_096;
const SECONDS_MAX = 20;
const SECONDS_DEFAULT = 4;

const title = z.string();
const model = z.string().optional();
const argsSchemas = {
  image: z
    .object({
      title,
      model,
      prompt: z.string(),
      size: z.templateLiteral([z.int(), "x", z.int()]).optional(),
    })
    .transform(({ prompt, size, ...rest }) => ({
      ...rest,
      request: { kind: "image" as const, prompt, size: size ?? null },
    })),
  speech: z
    .object({ title, model, text: z.string(), voice: z.string().optional() })
    .transform(({ text, voice, ...rest }) => ({
      ...rest,
      request: { kind: "speech" as const, text, voice: voice ?? null },
    })),
  video: z
    .object({ title, model, prompt: z.string(), seconds: z.int().default(SECONDS_DEFAULT) })
    .transform(({ prompt, seconds, ...rest }) => ({
      ...rest,
      request: { kind: "video" as const, prompt, seconds },
    })),
} satisfies Record<
  MediaToolName,
  z.ZodType<{ title: string; model?: string; request: MediaRequest }>
>;

const text = (description: string): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength: TEXT_MAX_CHARACTERS,
  description,
});
const FACTS: Record<MediaToolName, { description: string; needs: string; properties: JsonObject }> =
  {
    image: {
      description: "Make a picture from a description. The person gets it as a file of the result.",
      needs: "prompt",
      properties: {
        prompt: text("What is to be seen, and in which style."),
      },
    },
    speech: {
      description: "Have a text spoken. The person gets it as a sound file of the result.",
      needs: "text",
      properties: {
        text: text("What is said, word by word."),
        voice: { type: "string", minLength: 1, maxLength: 64, description: "The voice's name." },
      },
    },
    video: {
      description:
        "Make a short film from a description. It takes minutes. The person gets it as a file of the result.",
      needs: "prompt",
      properties: {
        prompt: text("What is to be seen, and how the camera moves."),
        seconds: {
          type: "integer",
          minimum: 1,
          maximum: SECONDS_MAX,
          description: `How long it is; ${SECONDS_DEFAULT} unless it is said.`,
        },
      },
    },
  };

/**
 * A tool for each kind of thing that the models at hand can make. Each call costs credits: say so
 * to the model.
 */
export function createMediaTools(models: readonly MediaModel[], port: MediaPort): RuntimeTool[] {
  const kinds = Object.keys(FACTS) as MediaToolName[]; // the keys of a record
  return kinds.flatMap((kind) => {
    const own = models.filter(({ capability }) => capability === kind);
    return own.length === 0 ? [] : [createMediaTool(kind, own, port)];
  });
}

function createMediaTool(
  kind: MediaToolName,
  models: readonly MediaModel[],
  port: MediaPort,
): RuntimeTool {
  const { description, needs, properties } = FACTS[kind];
  const sizes =
    kind === "image" ? [...new Set(models.flatMap((model) => [...imageSizes(model).keys()]))] : [];
  const choice: JsonObject = {
    ...(sizes.length > 0 && {
      size: { type: "string", enum: sizes, description: "Width and height. Large ones cost more." },
    }),
    ...(models.length > 1 && { model: { type: "string", enum: models.map(({ id }) => id) } }),
  };
  return {
    name: kind,
    description: `${description} Each call costs credits: make what was asked for, once.`,
    kind: "internal",
    isOpen: true,
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1, maxLength: 200 },
        ...properties,
        ...choice,
      },
      required: ["title", needs],
      additionalProperties: false,
    },
    async execute(args, context) {
      const { title, model: wanted, request } = argsSchemas[kind].parse(args);
      const model = models.find(({ id }) => id === wanted) ?? models[0];
      if (!model) throw new Error(`There is no model for ${kind}.`);
      const artifact = await port.make(model, request, title, context);
      context.emit({ type: "artifact.created", artifact });
      const { id, name, type, size_bytes } = artifact;
      return { succeeded: true, output: { artifact_id: id, name, type, size_bytes } };
    },
  };
}
