import { createInterface } from "node:readline";
import type { LatheClient, LoggedEvent } from "../../../lib/client/lathe-client";
import { LatheApiError } from "../../../lib/client/lathe-client";
import { type Command, type Context, printable, requireWords } from "./command";
import { showEvent } from "./run-commands";

const HELP = `A line that you type is said to the run with its next step, or answers its question.
  /after TEXT      TEXT becomes the next run of the conversation
  /approve         lets the call be made that it asks about
  /reject [TEXT]   does not
  /cancel          stops the run
  /quit            leaves; the run goes on`;

/** What the run asks at the moment. */
interface Asked {
  approval: string | null;
}

export const ATTACH: Command = {
  usage: "RUN [--after N]",
  summary: "Follow a run and talk to it: say something, answer, approve, reject, cancel",
  details: HELP,
  options: { after: { type: "string" } },
  async run({ words, text }, context) {
    const { RUN: runId } = requireWords(words, ["RUN"]);
    const client = context.client();
    // It may have been asked before the first line that is shown, and is known before one is typed.
    const { requires_action: action } = await client.runs.get(runId);
    const asked: Asked = { approval: action?.type === "approval" ? action.approval_id : null };
    const { stdin, stderr } = process;
    const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY === true });
    const leaving = new AbortController();
    let left = false;
    const leave = () => {
      left = true;
      leaving.abort();
    };
    lines.on("SIGINT", leave);
    let work = Promise.resolve();
    lines.on("line", (line) => {
      if (line.trim() === "/quit") return leave();
      // One after the other, in the order in which they were typed.
      work = work.then(() => obey(client, runId, line, asked, context));
    });
    context.say(`Attached to ${runId}. /help says what you can type.`);
    try {
      const after = Number(text("after") ?? -1);
      const events = client.runs.events(runId, { startingAfter: after, signal: leaving.signal });
      for await (const event of events) {
        note(asked, event);
        showEvent(event, context);
        if (event.type === "run.completed") return 0;
        if (event.type === "run.failed") return 1;
      }
      return 0;
    } catch (error) {
      if (!left) throw error;
      context.say(`The run goes on. Come back: lathe attach ${runId}`);
      return 0;
    } finally {
      await work;
      lines.close();
    }
  },
};

function note(asked: Asked, event: LoggedEvent): void {
  if (event.type === "approval.requested") asked.approval = event.approval_id;
  if (event.type === "approval.resolved" && event.approval_id === asked.approval)
    asked.approval = null;
}

/** Does what a line says. What the service refuses is told, and the next line may do better. */
async function obey(
  client: LatheClient,
  runId: string,
  line: string,
  asked: Asked,
  { say }: Context,
): Promise<void> {
  const [, word = "", rest = ""] = /^\/(\w+)(?: (.*))?$/.exec(line.trim()) ?? [];
  const send = async (input: string, when: "next_step" | "after") => {
    const sent = await client.runs.sendMessage(runId, { input, when });
    say(
      printable(
        sent.next_run_id
          ? `It becomes the run ${sent.next_run_id}.`
          : `Said (${sent.position}). The run hears it with its next step.`,
      ),
    );
  };
  try {
    if (line.trim() === "") return;
    if (word === "") await send(line, "next_step");
    else if (word === "after") await send(rest, "after");
    else if (word === "cancel") await client.runs.cancel(runId);
    else if (word === "approve" || word === "reject") {
      if (asked.approval === null) return say("It asks for no approval at the moment.");
      if (word === "approve") await client.approvals.approve(asked.approval);
      else await client.approvals.reject(asked.approval, rest || undefined);
    } else say(HELP);
  } catch (error) {
    if (!(error instanceof LatheApiError)) throw error;
    say(printable(error.serviceMessage ?? error.message));
  }
}
