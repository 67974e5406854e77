import { it } from "vitest";
import { writeFileSync } from "node:fs";
import { draftAgent } from "@/lib/runtime/models/offline/draft-agent";
import { editAgent } from "@/lib/runtime/models/offline/edit-agent";
it("a", () => {
  let out = "";
  for (const t of [
    ["Create an agent that reads a CSV of daily weather and reports the average maximum temperature per month and the wettest month."],
    ["I want an assistant called \"Sales Scout\" that summarises weekly sales CSV files, finds the top 3 products by revenue, and writes a report in German every Monday at 9am. It should never change any files. Keep the tone friendly."],
    ["Answer questions about our product notes"],
    ["Make me a bot to research a given topic on the web and then write a short summary with links"],
    ["An agent for stock prices", "Also let it compare AAPL and MSFT"],
    ["asdf"],
    ["Bitte erstelle einen Agenten, der Rechnungen prüft und die Summe berechnet."],
    ["Build an agent that analyses car data: compute the mean horsepower per origin, count the cars with 8 cylinders and name the most economical car. Use run without asking."],
  ]) { const d = draftAgent(t, "openai/gpt-5.1, builtin/offline"); out += `\n#### ${t}\n${d.plan}\n${JSON.stringify({...d.agent, skill_content: undefined})}\n${d.agent.skill_content}\n`; }
  const d = draftAgent(["Create an agent called Weather Desk that reads a CSV file, computes the average wind per year and writes a report."], null).agent;
  for (const e of ["Rename it to Wind Watcher", "Add a step before step 2: check for missing values", "Remove step 3", "Make it more formal and answer in French", "Replace step 1 with \"Read the newest CSV file\"", "Always mention the number of rows", "Use the model openai/gpt-5.1 and set the timeout to 5 minutes", "Disable the artifacts tool", "Run it every Monday at 9", "Change the description to \"Watches wind.\"", "please do a barrel roll", "Add a step to compute the median wind; remove the step about the report; set max steps to 30", "ask me before any writes", "Use a friendlier tone", "Add a final step: say goodbye", "remove the rule about code", "Also report the highest wind"])
    { const r = editAgent(JSON.stringify(d), e, "openai/gpt-5.1"); out += `\n>>> ${e}\n${r.explanation}\n${r.change ? JSON.stringify({...r.change, skill_content: undefined})+"\n"+(r.change.skill_content ?? "") : "NONE"}\n`; }
  writeFileSync("/tmp/agents.txt", out);
});
