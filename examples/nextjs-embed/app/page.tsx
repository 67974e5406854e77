"use client";

import { type FormEvent, useState } from "react";

const POLL_MS = 1000;

export default function Page() {
  const [answer, setAnswer] = useState("");

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const question = new FormData(event.currentTarget).get("question");
    setAnswer("…");
    const body = JSON.stringify({ question, id: crypto.randomUUID() });
    const started = await fetch("/api/ask", { method: "POST", body });
    const { runId, error } = await started.json();
    setAnswer(error ?? (await answerOf(runId)));
  }

  return (
    <form onSubmit={ask}>
      <label>
        Your question <input name="question" required />
      </label>
      <button type="submit">Ask</button>
      <p aria-live="polite">{answer}</p>
    </form>
  );
}

async function answerOf(runId: string): Promise<string> {
  for (;;) {
    const { status, answer, error } = await (await fetch(`/api/ask/${runId}`)).json();
    if (status === "completed") return answer;
    if (status === "failed" || status === "cancelled") return error ?? "That did not work.";
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
