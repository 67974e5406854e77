import { z } from "zod";

/**
 * What a call asks of a model of rules. Such a model reads no words of ours: a language model is
 * told the same by its prompt and its tools. What an agent's tools are called, and what stands in
 * its skill, says nothing of the task.
 */
export const rulesTaskSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("create"), models: z.array(z.string()) }),
  /** `agent`: the one to change, as JSON. */
  z.object({ kind: z.literal("edit"), agent: z.string(), models: z.array(z.string()) }),
  z.object({
    kind: z.literal("run"),
    /** Null where the run has no agent. */
    agent: z.object({ name: z.string(), skill: z.string() }).nullable(),
    /** As JSON; null where the answer has no form. */
    outputSchema: z.string().nullable(),
    hasWorkspace: z.boolean(),
    /** Whether it lists, makes and runs the account's agents. */
    leadsAgents: z.boolean(),
  }),
]);
export type RulesTask = z.infer<typeof rulesTaskSchema>;

/** What models of rules find among a call's options under `lathe`. */
export const rulesOptionsSchema = z.object({
  task: rulesTaskSchema,
  /** Whose call it is: work on texts is shared out by account. */
  account: z.string(),
});
export type RulesOptions = z.infer<typeof rulesOptionsSchema>;

/**
 * Among a part's `providerOptions`: only a language model is to read it. A model of rules would
 * take it for words of the person.
 */
export const FOR_LANGUAGE_MODELS = { lathe: { readers: "language_models" } } as const;

/** Whether a model of rules passes over a part with these options. */
export function isForLanguageModels(options: Record<string, unknown> | undefined): boolean {
  const own = options?.lathe;
  return typeof own === "object" && own !== null && "readers" in own;
}
