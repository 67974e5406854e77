import { it } from "vitest";
import { appendFileSync, writeFileSync, readFileSync } from "node:fs";
import { dataSet, runOffline } from "@/lib/runtime/models/offline/offline-run.fixture";
const cases: any[] = JSON.parse(readFileSync("/tmp/cases.json","utf8"));
it("tries", async () => {
  writeFileSync("/tmp/out.txt","");
  for (const c of cases) {
    const files = c.files ? Object.fromEntries(c.files.map((f: string) => [f, dataSet(f)])) : c.texts;
    try {
      const t=Date.now();
      const run = await runOffline({ ...c, files });
      appendFileSync("/tmp/out.txt", `\n##### ${JSON.stringify(c.input)} ${c.files??""} [${Date.now()-t}ms; ${run.calls.map(x=>x.name).join(",")}; ${run.artifacts.map(a=>a.name)}]\n${run.text.slice(0, 1800)}\n`);
    } catch (e) { appendFileSync("/tmp/out.txt", `\n##### ${JSON.stringify(c.input)} FAILED ${e}\n`); }
  }
}, 120000);
