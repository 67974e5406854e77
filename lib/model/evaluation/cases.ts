import "server-only";
import { z } from "zod";
import { checkSchemaOfAnswer } from "@/lib/model/evaluation/checks";

/** Of an agent: each edit runs all of them twice. */
export const CASES_MAX = 12;
const NAME_MAX_CHARACTERS = 120;
const CHECKS_MAX = 20;
const FILES_MAX = 10;
const FILE_MAX_CHARACTERS = 100_000;
/** Of one case as JSON. */
const CASE_MAX_CHARACTERS = 400_000;

/** A case as it is written, by a builder or by a person, and as an agent's document says it. */
export const newCaseSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(NAME_MAX_CHARACTERS),
    input: z.record(z.string(), z.unknown()),
    answers: z.record(z.string(), z.unknown()).default({}),
    files: z
      .record(z.string().min(1).max(255), z.string().max(FILE_MAX_CHARACTERS))
      .default({})
      .refine((files) => Object.keys(files).length <= FILES_MAX, {
        error: `must have at most ${FILES_MAX} files`,
      }),
    checks: z.array(checkSchemaOfAnswer).min(1).max(CHECKS_MAX),
  })
  .refine((written) => JSON.stringify(written).length <= CASE_MAX_CHARACTERS, {
    error: `must have at most ${CASE_MAX_CHARACTERS} characters as JSON`,
  })
  // The database takes neither.
  .refine((written) => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(written)), {
    error: "must hold no NUL characters and no halves of characters",
  });

export type NewCase = z.infer<typeof newCaseSchema>;
