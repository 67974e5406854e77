import "server-only";

/** The tags of the operations, in the order in which a reader meets them. */
export const DOCUMENT_TAGS = {
  Agents: "Personal agents: created in plain language, changed field by field, versioned, copied and moved.",
  Edits: "Changing an agent in plain language.",
  Runs: "Work done by an agent: started, streamed, followed, cancelled.",
  Conversations: "The context that later runs continue.",
  Approvals: "Tool calls that wait for a person.",
  Schedules: "Runs by the clock.",
  Workspaces: "Folders of files that runs can use.",
  Files: "A workspace's files.",
  Skills: "Agent Skills that the account's runs can read.",
  Secrets: "Values that connectors send and nobody reads.",
  Webhooks: "The end of a run, sent to your own address, and the log of it.",
  Account: "Who is calling, what is left, what was spent.",
  "Super-agent": "A chat surface that knows the product profile and directs the account's agents. For allowlisted accounts.",
  "App-scoped path": "One agent, run with a key that is good for nothing else.",
  Document: "This description, and the schemas of what agents are written in.",
} as const;
