import { describe, expect, it } from "vitest";
import { CREATIONS, type Creation, FORMS } from "@/bench/quality/creations.mjs";
import { EDITED_AGENT, EDITS } from "@/bench/quality/edits.mjs";
import { FILES } from "@/bench/quality/files.mjs";
import { QUESTIONS } from "@/bench/quality/questions.mjs";
import {
  type Score,
  scoreCreation,
  scoreEdit,
  scoreQuestion,
  tally,
} from "@/bench/quality/score.mjs";
import { builtInToolsOf, type ListedToolName } from "@/lib/model/agent-config/built-in-tools";
import { parseAgentDocument } from "@/lib/model/agent-document/agent-document";
import { templates } from "@/lib/templates/templates";
import { draftAgent } from "./draft-agent";
import { editAgent } from "./edit-agent";
import { runOffline } from "./test/offline-run";

const MODELS = [
  "openai/gpt-5.1",
  "openai/gpt-5-mini",
  "anthropic/claude-haiku-4-5",
  "builtin/offline",
];

/** What is not right, for a message that says it. */
function shown(scores: readonly { ask: string; score: Score }[]): string {
  return scores
    .filter(({ score }) => score.verdict === "wrong" || score.verdict === "dishonest")
    .map(({ ask, score }) => `${score.verdict}: ${ask}: ${score.why}`)
    .join("\n");
}

describe("the built-in model by the cases of docs/quality.md", () => {
  it("answers every third question rightly or refuses it, and refuses few", async () => {
    const scores = [];
    for (const question of QUESTIONS.filter((_, at) => at % 3 === 1)) {
      const { text } = await runOffline({
        files: { [question.file]: FILES[question.file] ?? "" },
        input: { request: question.ask },
      });
      scores.push({
        ask: question.ask,
        score: scoreQuestion(question, { status: "completed", text }),
      });
    }
    expect(shown(scores)).toBe("");
    expect(tally(scores.map(({ score }) => score)).right).toBeGreaterThanOrEqual(16);
  });

  const created = (creations: readonly Creation[]) =>
    creations.map((creation) => {
      const { draft, notes } = draftAgent([creation.ask], MODELS);
      const { left_out: left, ...made } = draft;
      // The answer of a build names both.
      const text = [
        ...(Array.isArray(left) ? left : []),
        ...notes.needs.map((need) => need.text),
      ].join("\n");
      return {
        ask: creation.ask,
        score: scoreCreation(
          creation,
          { dashboard_template: null, ...made },
          { status: "completed", text },
        ),
      };
    });

  it("quotes every sentence of a creation in prose as one of which no setting was made", () => {
    const scores = created(CREATIONS);
    expect(shown(scores)).toBe("");
    expect(tally(scores.map(({ score }) => score)).right).toBeGreaterThanOrEqual(17);
  });

  it("sets every line of the form, or names it with the reason", () => {
    const scores = created(FORMS);
    expect(shown(scores)).toBe("");
    // Three of them cannot be set.
    expect(tally(scores.map(({ score }) => score))).toMatchObject({ right: 9, refused: 3 });
  });

  it("does each edit as said and touches nothing else, or nothing and says why", () => {
    const parsed = parseAgentDocument(EDITED_AGENT);
    if (!parsed.ok) throw new Error("The edited agent is no document.");
    const before = { ...parsed.document };
    const scores = EDITS.map((edit) => {
      const { change, explanation } = editAgent(JSON.stringify(before), edit.ask, MODELS);
      const answer = { status: change ? "completed" : "failed", text: explanation };
      return { ask: edit.ask, score: scoreEdit(edit, before, { ...before, ...change }, answer) };
    });
    expect(shown(scores)).toBe("");
    expect(tally(scores.map(({ score }) => score)).right).toBeGreaterThanOrEqual(19);
  });
});

const OWN = templates().filter(({ isForRules }) => isForRules);
const WORKSPACE = {
  "people.csv": FILES["people.csv"] ?? "",
  "minutes.md": "# Minutes\n\n- [ ] Order new chairs\n\nRosa Lind was elected chair.\n",
};

describe("the templates that are offered while the built-in model is the only one", () => {
  it.each(OWN.map((template) => [template.name, template] as const))(
    "%s does each of its starters, whole",
    async (_, { document }) => {
      const { starters = [], tools } = document.config as {
        starters?: string[];
        tools?: { builtin?: ListedToolName[] };
      }; // checked where it was loaded
      expect(starters.length).toBeGreaterThan(0);
      for (const request of starters) {
        const { text } = await runOffline({
          files: WORKSPACE,
          skill: document.skill_content,
          input: { request },
          tools: builtInToolsOf(tools),
        });
        expect(text).not.toMatch(/Not done|cannot/);
        expect(text).toContain("Source:");
      }
    },
  );

  it("are the only ones that it builds from", () => {
    expect(OWN.map(({ name }) => name)).toEqual([
      "table-questions",
      "table-profile",
      "document-answers",
    ]);
  });
});
