import "server-only";
import type { ClientTool } from "@/lib/model/agent-config/effective-config";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { AnswerPending, type RuntimeTool } from "@/lib/runtime/tools/tool";

/** What has become of a client tool's call; null: nobody has been asked yet. */
export type ClientAnswer =
  | { status: "pending" | "expired" }
  | { status: "answered"; succeeded: boolean; output: JsonValue };

/** What callers have answered to the calls of one run. */
export interface ClientAnswers {
  find(toolCallId: string): Promise<ClientAnswer | null>;
}

/**
 * A tool that whoever started the run carries out. Its call throws `AnswerPending` until there is
 * an answer, or the time for one is over.
 */
export function createClientTool(config: ClientTool, answers: ClientAnswers): RuntimeTool {
  return {
    name: config.name,
    description: config.description,
    inputSchema: config.input_schema,
    kind: "client",
    target: "carried out by the program that started the run",
    definition: {
      name: config.name,
      description: config.description,
      input_schema: config.input_schema,
    },
    preview: () => ({
      tool_kind: "client",
      method: null,
      target: null,
      secret_name: null,
      secret_header: null,
    }),
    async execute(_, { toolCallId }) {
      const answer = await answers.find(toolCallId);
      if (answer?.status === "answered")
        return { succeeded: answer.succeeded, output: answer.output };
      if (answer?.status !== "expired") throw new AnswerPending();
      return { succeeded: false, status: "unknown", output: { error: NOT_ANSWERED } };
    },
  };
}

const NOT_ANSWERED =
  "The program that was to carry this out gave no result in time. Whether it did anything is " +
  "not known. Go on without it, and say so in the answer.";
