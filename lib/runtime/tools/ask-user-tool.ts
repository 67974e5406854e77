import "server-only";
import { z } from "zod";
import { ASK_USER_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import type { ClientAnswers } from "@/lib/runtime/tools/client-tool";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { QuestionPending, type RuntimeTool } from "@/lib/runtime/tools/tool";

const NAME = ASK_USER_TOOL_NAME;
const QUESTION_MAX_CHARACTERS = 2_000;
const OPTIONS_MAX = 10;
const OPTION_MAX_CHARACTERS = 200;

/** What a question says; no other reaches `execute`. */
export const QUESTION_ARGS = z.strictObject({
  question: z.string().min(1).max(QUESTION_MAX_CHARACTERS).meta({
    description: "With all that is needed to answer it.",
  }),
  options: z
    .array(z.string().min(1).max(OPTION_MAX_CHARACTERS))
    .min(1)
    .max(OPTIONS_MAX)
    .optional()
    .meta({ description: "Likely answers; the person may give another." }),
});

const NOT_ANSWERED =
  "Nobody answered in time. Go on with what is most likely, and say in the answer what you " +
  "assumed.";

/**
 * Asks the person whom the run serves. Its call throws `QuestionPending` until there is an answer,
 * or the time for one is over.
 */
export function createAskUserTool(answers: ClientAnswers): RuntimeTool {
  return defineTool({
    name: NAME,
    description:
      "Ask the person what only they can answer and the work depends on, and wait for the " +
      "answer. Ask one thing at a time.",
    kind: "internal",
    asks: true,
    args: QUESTION_ARGS,
    async execute(_, { toolCallId }) {
      const answer = await answers.find(toolCallId);
      if (answer?.status === "answered")
        return { succeeded: answer.succeeded, output: answer.output };
      if (answer?.status !== "expired") throw new QuestionPending();
      return { succeeded: false, output: { error: NOT_ANSWERED } };
    },
  });
}

export const ASK_USER: BuiltIn = {
  // It has a run wait for a person.
  facts: {
    name: NAME,
    offered: "config",
    writes: "inside",
    listed: "always",
    guide: "a question to the person, for whose answer the run waits; only where listed",
  },
  make: ({ answers }) => answers && createAskUserTool(answers),
};
