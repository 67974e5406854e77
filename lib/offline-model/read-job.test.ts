import { describe, expect, it } from "vitest";
import { draftAgent } from "./draft-agent";
import { runOffline } from "./test/offline-run";

const SALES = {
  "sales.csv":
    "month,region,revenue\n2026-01,North,1200\n2026-01,South,800\n2026-02,North,1500\n" +
    "2026-02,South,950\n",
};

/** Makes an agent of a request, and runs it. */
async function runOf(request: string, asked: { request?: string } = {}) {
  const { draft } = draftAgent([request], []);
  return runOffline({
    files: SALES,
    skill: String(draft.skill_content),
    input: asked,
    tools: ["files_read", "files_search", "run_javascript", "todo", "artifacts"],
  });
}

describe("an agent whose task is a request, word for word", () => {
  it("does the task of a run that asks nothing more", async () => {
    const { text } = await runOf(
      "Make an agent that reads a data file from the workspace and reports the number of rows " +
        "and the average, minimum and maximum of each numeric column.",
    );
    expect(text).toContain("Average revenue: **1112.50**");
    expect(text).not.toContain("Not done");
  });

  it.each([
    "An agent that answers questions about CSV files.",
    "An agent that answers questions about tables in the workspace",
    "An agent that answers questions about tables in the workspace in a friendly manner",
    "Please make me an agent that reads sales.csv and answers questions about it.",
  ])("made of %j answers from the file what a run asks", async (request) => {
    const { text } = await runOf(request, { request: "What is the total revenue by region?" });
    expect(text).toContain("| North | 2700 | 2 |");
    expect(text).toContain("| South | 1750 | 2 |");
  });

  it("says what of the task it did not do", async () => {
    const { text } = await runOf("An agent that reads sales.csv and sends it to the moon.");
    expect(text).toMatch(/cannot answer this by itself|Not done/);
    expect(text).toContain("to the moon");
  });
});
