import "server-only";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";

const ids = { runId: EXAMPLE_IDS.run_id, threadId: EXAMPLE_IDS.conversation_id, conversationId: EXAMPLE_IDS.conversation_id };

/** The ends of a run as they may be sent. */
export const WEBHOOK_EXAMPLES = {
  completed: {
    value: {
      ...ids,
      status: "completed",
      result: {
        text: "March, May and July were the best months.",
        agentId: EXAMPLE_IDS.agent_id,
        agentName: "Sales reader",
        artifacts: [],
      },
    },
  },
  cancelled: { value: { ...ids, status: "failed", error: { code: "RUN_CANCELLED", message: "The run was cancelled." } } },
};
