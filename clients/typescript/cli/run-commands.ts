import { text as readAll } from "node:stream/consumers";
import type { components, LoggedEvent, RunStream } from "../../../lib/client/lathe-client";
import { findAgent } from "./agent-files";
import { type Command, type Context, ID, printable, requireWords } from "./command";
import { CommandError } from "./command-errors";

const JSON_OPTION = { json: { type: "boolean" } } as const;

export const RUN: Command = {
  usage: 'AGENT "INPUT" [--workspace ID] [--model NAME] [--json]',
  summary: "Run an agent, by its id or its name, and show its answer as it is written",
  details: `INPUT is a text, or the run's input as a JSON object; - reads it from standard input.
The answer goes to standard output, all else to standard error; with --json standard output has \
the run's events, one a line.`,
  options: { ...JSON_OPTION, workspace: { type: "string" }, model: { type: "string" } },
  async run({ words, text, has }, context) {
    const { AGENT, INPUT } = requireWords(words, ["AGENT", "INPUT"]);
    const client = context.client();
    const agentId = ID.test(AGENT) ? AGENT : (await findAgent(client, AGENT)).agent_id;
    const body = {
      agent_id: agentId,
      input: toRunInput(INPUT === "-" ? await readAll(process.stdin) : INPUT),
    };
    // Started apart from its stream: this start is repeated safely.
    const run = await client.runs.create({
      ...body,
      workspace_id: text("workspace"),
      model: text("model"),
    });
    return follow(client.runs.events(run.run_id), run.run_id, has("json"), context);
  },
};

export const STREAM: Command = {
  usage: "RUN [--after N] [--json]",
  summary: "Show a run's events from its beginning, or after event N, to its end",
  options: { ...JSON_OPTION, after: { type: "string" } },
  async run({ words, text, has }, context) {
    const { RUN: runId } = requireWords(words, ["RUN"]);
    const after = Number(text("after") ?? -1);
    if (!Number.isInteger(after)) throw new CommandError("--after takes the number of an event.");
    return follow(
      context.client().runs.events(runId, { startingAfter: after }),
      runId,
      has("json"),
      context,
    );
  },
};

function toRunInput(text: string): Record<string, unknown> {
  if (!text.trimStart().startsWith("{")) return { request: text.trim() };
  try {
    return JSON.parse(text) as Record<string, unknown>; // begins with a brace
  } catch (error) {
    throw new CommandError(
      `The input begins like a JSON object and is none: ${(error as Error).message}`,
    ); // of JSON.parse
  }
}

async function follow(
  stream: RunStream,
  runId: string,
  asJson: boolean,
  { out, say }: Context,
): Promise<number> {
  const interrupted = () => {
    say(
      `\nThe run goes on. Go on reading: lathe stream ${runId} --after ` +
        `${stream.lastSequenceNumber}`,
    );
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  try {
    for await (const event of stream) {
      if (asJson) out(`${JSON.stringify(event)}\n`);
      else showEvent(event, { out, say });
      if (event.type === "run.completed") return 0;
      if (event.type === "run.failed") return 1;
    }
    say("There is nothing after that event.");
    return 0;
  } finally {
    process.off("SIGINT", interrupted);
  }
}

/** What a person is shown of an event: the answer as output, all else beside it. */
export function showEvent(event: LoggedEvent, { out, say }: Pick<Context, "out" | "say">): void {
  if (event.type === "output_text.delta") out(printable(event.delta));
  const line = inWords(event);
  if (line !== null) say(printable(line));
  if (event.type === "run.completed") out("\n");
}

/** What a person reads beside the answer; null for what they do not. */
function inWords(event: LoggedEvent): string | null {
  switch (event.type) {
    case "run.created":
      return `Run ${event.run_id}`;
    case "message.created":
      return event.replaces ? "\nThe answer begins anew:" : null;
    case "card.created":
    case "card.updated":
      return [
        `· ${event.card.title}${event.card.status === "done" ? " ✓" : ""}`,
        ...event.card.items.map(itemInWords),
      ].join("\n");
    case "tool.started":
      return `→ ${event.name}`;
    case "tool.completed":
      return event.status === "succeeded" ? null : `→ ${event.name}: ${event.status}`;
    case "artifact.created":
      return `Artifact: ${event.artifact.title}`;
    case "approval.requested":
      return (
        `Waits for you: ${event.summary}\n  lathe approve ${event.approval_id}\n` +
        `  lathe deny ${event.approval_id}`
      );
    case "approval.resolved":
      return `${event.summary}: ${event.decision}`;
    case "client_tool.requested":
      return (
        `Waits for results of your own tools: ${event.calls.map(({ name }) => name).join(", ")} ` +
        `(POST /v1/runs/${event.run_id}/tool-results)`
      );
    case "budget.reached":
      return event.reason === "credits"
        ? `Waits for credits: the account needs ${event.required} for the next step`
        : `Has reached its budget: ${event.spent} of ${event.max_credits} credits are spent, and ` +
            `the next step needs ${event.required}\n` +
            `  lathe raise ${event.run_id} ${event.required}`;
    case "budget.raised":
      return "Goes on.";
    case "question.asked":
      return (
        "Asks you: " +
        `${event.question}${(event.options ?? []).map((option) => `\n  - ${option}`).join("")}\n` +
        `  lathe attach ${event.run_id}`
      );
    case "message.received":
      return `You: ${event.text}`;
    case "connector.unavailable":
      return `The connector ${event.name} is not available: ${event.message}`;
    case "context.compacted":
      return `The context grew too long for the model; ${event.messages} messages were summed up.`;
    case "run.completed":
      return `\nDone for ${event.usage.credits} credits.`;
    case "run.failed":
      return `\nFailed: ${event.error.code}: ${event.error.message}`;
    default:
      return null;
  }
}

function itemInWords(item: components["schemas"]["Card"]["items"][number]): string {
  return "text" in item
    ? `  [${item.done ? "x" : " "}] ${item.text}`
    : `  ${item.title} ${item.url}`;
}

export const LOGS: Command = {
  usage: "RUN [--json]",
  summary:
    "Say what happened inside a run: its turns, model calls and tools, with their times and costs",
  options: JSON_OPTION,
  async run({ words, has }, { client, out }) {
    const { RUN: runId } = requireWords(words, ["RUN"]);
    const trace = await client().runs.trace(runId);
    if (has("json")) out(`${JSON.stringify(trace, null, 2)}\n`);
    else for (const line of traceInWords(trace.spans)) out(`${printable(line)}\n`);
    return 0;
  },
};

type Span = components["schemas"]["RunSpan"];

function traceInWords(spans: readonly Span[]): string[] {
  const depths = new Map<string, number>();
  return spans.flatMap((span) => {
    const depth = span.parent_id === null ? 0 : (depths.get(span.parent_id) ?? 0) + 1;
    depths.set(span.span_id, depth);
    const took =
      span.ended_at === null
        ? "going on"
        : `${((Date.parse(span.ended_at) - Date.parse(span.started_at)) / 1000).toFixed(2)} s`;
    const cost = span.credits > 0 ? `, ${span.credits} credits` : "";
    const status = span.status === "succeeded" ? "" : `, ${span.status}`;
    const indent = "  ".repeat(depth);
    const line =
      `${span.started_at.slice(11, 23)}  ${indent}${span.kind} ${span.name} ` +
      `(${took}${cost}${status})`;
    return span.error
      ? [line, `              ${indent}${span.error.code}: ${span.error.message}`]
      : [line];
  });
}

export const RAISE: Command = {
  usage: "RUN CREDITS",
  summary: "Raise what a run may cost in all; one that waits for it goes on",
  async run({ words }, { client, out }) {
    const { RUN: runId, CREDITS } = requireWords(words, ["RUN", "CREDITS"]);
    const credits = Number(CREDITS);
    if (!(credits > 0)) throw new CommandError("CREDITS is a number, such as 25 or 0.5.");
    const run = await client().runs.update(runId, { max_credits: credits });
    const action = run.requires_action;
    out(
      action && "required" in action
        ? `It may cost ${credits} credits, and waits on: its next step needs ${action.required}.\n`
        : `It may cost ${credits} credits.\n`,
    );
    return 0;
  },
};

const decide = (verb: "approve" | "reject"): Command["run"] =>
  async function run({ words, text }, { client, say }) {
    const { APPROVAL } = requireWords(words, ["APPROVAL"]);
    const { approvals } = client();
    const approval =
      verb === "approve"
        ? await approvals.approve(APPROVAL)
        : await approvals.reject(APPROVAL, text("message"));
    say(
      printable(
        `${approval.summary}: ${approval.status}. Go on reading: lathe stream ${approval.run_id}`,
      ),
    );
    return 0;
  };

export const APPROVE: Command = {
  usage: "APPROVAL",
  summary: "Let a call be made that a run asks you about",
  run: decide("approve"),
};
export const DENY: Command = {
  usage: "APPROVAL [--message TEXT]",
  summary: "Refuse it; the model is told TEXT",
  options: { message: { type: "string" } },
  run: decide("reject"),
};
