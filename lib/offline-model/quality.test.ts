import { expect, it } from "vitest";
import { CREATIONS } from "@/bench/quality/creations.mjs";
import { EDITED_AGENT, EDITS } from "@/bench/quality/edits.mjs";
import { FILES } from "@/bench/quality/files.mjs";
import { QUESTIONS } from "@/bench/quality/questions.mjs";
import { halfOf, type Score, scoreCreation, scoreEdit, scoreQuestion, tally } from "@/bench/quality/score.mjs";
import { parseAgentDocument } from "@/lib/model/agent-document/agent-document";
import { draftAgent } from "./draft-agent";
import { editAgent } from "./edit-agent";
import { runOffline } from "./test/offline-run";

const HALF = process.env.QUALITY_HALF === "held" ? "held" : process.env.QUALITY_HALF === "all" ? null : "tune";
const MODELS = ["openai/gpt-5.1", "openai/gpt-5-mini", "anthropic/claude-haiku-4-5", "builtin/offline"];

function show(kind: string, scores: { ask: string; score: Score }[]) {
  const all = tally(scores.map(({ score }) => score));
  if (process.env.QUALITY_SHOW)
    for (const { ask, score } of scores.filter(({ score }) => score.verdict !== "right"))
      process.stdout.write(`${kind} ${score.verdict.toUpperCase()} | ${ask}\n      ${score.why.replaceAll("\n", " / ").slice(0, 400)}\n`);
  process.stdout.write(`${kind}: ${JSON.stringify(all)}\n`);
  return all;
}

it("questions", async () => {
  const scores = [];
  for (const question of halfOf(QUESTIONS, HALF)) {
    const answer = await runOffline({ files: { [question.file]: FILES[question.file] ?? "" }, input: { request: question.ask } });
    scores.push({ ask: `${question.file}: ${question.ask}`, score: scoreQuestion(question, { status: "completed", text: answer.text }) });
  }
  expect(show("question", scores).dishonest).toBe(0);
});

it("creations", () => {
  const scores = halfOf(CREATIONS, HALF).map((creation) => {
    const { left_out: left, ...made } = draftAgent([creation.ask], MODELS);
    const text = (Array.isArray(left) ? left : []).map((line) => `Left out: ${line}`).join("\n");
    return { ask: creation.ask, score: scoreCreation(creation, { dashboard_template: null, ...made }, { status: "completed", text }) };
  });
  expect(show("creation", scores).dishonest).toBe(0);
});

it("edits", () => {
  const parsed = parseAgentDocument(EDITED_AGENT);
  if (!parsed.ok) throw new Error("The edited agent is no document.");
  const before = { ...parsed.document };
  const scores = halfOf(EDITS, HALF).map((edit) => {
    const { change, explanation } = editAgent(JSON.stringify(before), edit.ask, MODELS);
    return {
      ask: edit.ask,
      score: scoreEdit(edit, before, { ...before, ...change }, { status: change ? "completed" : "failed", text: explanation }),
    };
  });
  expect(show("edit", scores).dishonest).toBe(0);
});
