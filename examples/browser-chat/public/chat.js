import { createBrowserClient, newReading, readEvent } from "/lathe.js";

/** A token for this visitor, with where the service is and which agent answers. */
async function askForToken() {
  const answer = await fetch("/lathe-token", { method: "POST" });
  if (!answer.ok) throw new Error("This page gets no token at the moment.");
  return answer.json();
}

const place = (id) => document.getElementById(id);
const [messages, approval, form, text, send, stop] = [
  "messages",
  "approval",
  "form",
  "text",
  "send",
  "stop",
].map(place);

let lathe = null;
let conversationId;
let run = null;
let reading = newReading();

async function connect() {
  const first = await askForToken();
  let unused = first;
  const getToken = async () => {
    const token = unused ?? (await askForToken());
    unused = null;
    return token;
  };
  return createBrowserClient({ baseUrl: first.baseUrl, agentId: first.agentId, getToken });
}

function say(role, words) {
  const line = document.createElement("li");
  line.className = role;
  line.textContent = words;
  messages.append(line);
  line.scrollIntoView({ block: "end" });
  return line;
}

function show(line) {
  const tools = reading.tools.map(({ name, status }) => {
    const tool = document.createElement("span");
    tool.className = "tool";
    tool.textContent = `${name} · ${status}`;
    return tool;
  });
  line.replaceChildren(...tools, reading.text || (reading.error ? "" : "…"));
  place("summary").textContent = reading.approval?.summary ?? "";
  approval.hidden = reading.approval === null;
  line.scrollIntoView({ block: "end" });
}

function setBusy(isBusy) {
  send.hidden = isBusy;
  stop.hidden = !isBusy;
}

async function ask(words) {
  setBusy(true);
  say("user", words);
  const line = say("assistant", "…");
  try {
    lathe ??= await connect();
    run = await lathe.runs.start({ request: words }, { conversationId });
    conversationId = run.conversationId;
    reading = newReading();
    for await (const event of lathe.runs.events(run.runId)) {
      reading = readEvent(reading, event);
      show(line);
    }
    if (reading.error) tell(line, reading.error.message);
  } catch (error) {
    tell(line, error.serviceMessage ?? error.message);
  }
  run = null;
  setBusy(false);
}

function tell(line, words) {
  line.classList.add("problem");
  line.append(words);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = text.value.trim();
  if (words === "" || send.hidden) return;
  text.value = "";
  void ask(words);
});
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
stop.addEventListener("click", () => run && lathe.runs.cancel(run.runId));
approval.addEventListener("click", async ({ target }) => {
  const { decision } = target.dataset;
  if (!decision || !reading.approval) return;
  const asked = await lathe.approvals.get(reading.approval.approvalId);
  await lathe.approvals.resolve(asked, decision);
});
