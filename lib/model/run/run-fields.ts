import { z } from "zod";
import { INPUT_MAX_BYTES } from "@/lib/model/limits";

const utf8 = new TextEncoder();

/**
 * The field `model` of requests: the published list is written into the document, and held by the
 * domain, which names it in its message.
 */
export const modelField = z.string().max(200).meta({
  id: "ModelId",
  description:
    "A model of the published list, as `provider/name`, or an alias that stands for the newest of its family, such as `anthropic/latest-sonnet`.",
});

/** The named inputs of a run, at most 256 KB as JSON. */
export const inputField = z
  .record(z.string(), z.unknown())
  .refine(
    (input) => utf8.encode(JSON.stringify(input)).length <= INPUT_MAX_BYTES,
    `must have at most ${INPUT_MAX_BYTES} bytes as JSON`,
  )
  .meta({
    description: "Named inputs to the agent; checked against its `inputs` schema when it has one.",
    example: { question: "What were the best three months?" },
  });
