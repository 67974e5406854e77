import "server-only";
import { z } from "zod";
import type { MediaToolName } from "@/lib/model/agent-config/built-in-tools";
import { imageSizes, type MediaRequest } from "@/lib/runtime/models/media";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";
import type { MediaPort } from "@/lib/runtime/tools/tool-ports";

const TEXT_MAX_CHARACTERS = 4_096;
const SECONDS_MAX = 20;
const SECONDS_DEFAULT = 4;

const text = (description: string) =>
  z.string().min(1).max(TEXT_MAX_CHARACTERS).meta({ description });

interface Kind {
  description: string;
  args: z.ZodRawShape;
  /** @param given fits `args`, and may name a size */
  toRequest(given: object): MediaRequest;
}

function kind<Own extends z.ZodRawShape>(
  description: string,
  args: Own,
  toRequest: (given: z.output<z.ZodObject<Own>> & { size?: Size }) => MediaRequest,
): Kind {
  // Checked against the schema that is made of `args`, and `size` is one of `imageSizes`.
  return { description, args, toRequest: (given) => toRequest(given as never) };
}

type Size = `${number}x${number}`;

const KINDS: Record<MediaToolName, Kind> = {
  image: kind(
    "Make a picture from a description. The person gets it as a file of the result.",
    { prompt: text("What is to be seen, and in which style.") },
    ({ prompt, size }) => ({ kind: "image", prompt, size: size ?? null }),
  ),
  speech: kind(
    "Have a text spoken. The person gets it as a sound file of the result.",
    {
      text: text("What is said, word by word."),
      voice: z.string().min(1).max(64).meta({ description: "The voice's name." }).optional(),
    },
    ({ text, voice }) => ({ kind: "speech", text, voice: voice ?? null }),
  ),
  video: kind(
    "Make a short film from a description. It takes minutes. The person gets it as a file of " +
      "the result.",
    {
      prompt: text("What is to be seen, and how the camera moves."),
      seconds: z
        .int()
        .min(1)
        .max(SECONDS_MAX)
        .meta({ description: `How long it is; ${SECONDS_DEFAULT} unless it is said.` })
        .default(SECONDS_DEFAULT),
    },
    ({ prompt, seconds }) => ({ kind: "video", prompt, seconds }),
  ),
};

/** A tool for each kind of thing that models can make: there while one of its kind is at hand. */
export const MEDIA_TOOLS: readonly BuiltIn[] = (Object.keys(KINDS) as MediaToolName[]) // a record's
  .map(
    (name): BuiltIn => ({
      facts: {
        name,
        offered: "config",
        writes: "inside",
        group: "media",
        within: true,
        guide: "only where they are switched on; each call costs credits",
      },
      make({ media: { models, port } }) {
        return modelsOf(name, models).length === 0 ? null : createMediaTool(name, models, port);
      },
    }),
  );

/** The arguments of the kinds while these models are at hand: the same for all runs. */
const argsOfModels = new WeakMap<readonly MediaModel[], Map<MediaToolName, z.ZodObject>>();

function argsOf(name: MediaToolName, all: readonly MediaModel[]): z.ZodObject {
  const known = argsOfModels.get(all) ?? new Map<MediaToolName, z.ZodObject>();
  argsOfModels.set(all, known);
  const made = known.get(name) ?? makeArgs(name, modelsOf(name, all));
  known.set(name, made);
  return made;
}

function modelsOf(name: MediaToolName, all: readonly MediaModel[]): MediaModel[] {
  return all.filter(({ capability }) => capability === name);
}

function makeArgs(name: MediaToolName, models: readonly MediaModel[]): z.ZodObject {
  const sizes =
    name === "image" ? [...new Set(models.flatMap((model) => [...imageSizes(model).keys()]))] : [];
  const size = z.enum(sizes).meta({ description: "Width and height. Large ones cost more." });
  const choice: z.ZodRawShape = {
    ...(sizes.length > 0 && { size: size.optional() }),
    ...(models.length > 1 && { model: z.enum(models.map(({ id }) => id)).optional() }),
  };
  return z.strictObject({ ...KINDS[name].args, ...choice, title: z.string().min(1).max(200) });
}

/** Each call costs credits: the model is told so. */
function createMediaTool(
  name: MediaToolName,
  all: readonly MediaModel[],
  port: MediaPort,
): RuntimeTool {
  const { description, toRequest } = KINDS[name];
  const models = modelsOf(name, all);
  return defineTool({
    name,
    description: `${description} Each call costs credits: make what was asked for, once.`,
    kind: "internal",
    isOpen: true,
    args: argsOf(name, all),
    async execute(given, context) {
      const said = given as { title: string; model?: string }; // by the schema above
      const model = models.find(({ id }) => id === said.model) ?? models[0];
      if (!model) throw new Error(`There is no model for ${name}.`);
      const artifact = await port.make(model, toRequest(given), said.title, context);
      context.emit({ type: "artifact.created", artifact });
      const { id, name: file, type, size_bytes } = artifact;
      return { succeeded: true, output: { artifact_id: id, name: file, type, size_bytes } };
    },
  });
}
