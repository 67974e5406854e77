import "server-only";

const id = (number: number) => `01939d3b-7c1a-7b60-9f5e-3f7a2c1d${String(number).padStart(4, "0")}`;

/** The ids of the document's examples: one a kind of thing, under the name that paths and bodies give it. */
export const EXAMPLE_IDS = {
  agent_id: id(1),
  run_id: id(2),
  conversation_id: id(3),
  workspace_id: id(4),
  file_id: id(5),
  version_id: id(6),
  schedule_id: id(7),
  approval_id: id(8),
  delivery_id: id(9),
  skill_id: id(10),
  message_id: id(11),
  artifact_id: id(12),
  account_id: id(13),
} as const;
