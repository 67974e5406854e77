import "server-only";

export const EXAMPLE_AGENT_DOCUMENT = {
  kind: "agent",
  format: 1,
  name: "Sales reader",
  description: "Answers questions about a table of sales.",
  version: "1.0.0",
  write_autonomy: "approval_required",
  skill_content: "# Sales reader\n\n1. List the workspace's files.\n2. Read the table.\n3. Answer with figures.\n",
  config: {
    version: 1,
    inputs: { type: "object", properties: { question: { type: "string", title: "Question" } }, required: ["question"] },
  },
  dashboard_template: null,
};
