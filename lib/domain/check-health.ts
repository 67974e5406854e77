import "server-only";
import { type EngineCondition, engineCondition } from "@/lib/engine/engine-state";
import { postgres } from "@/lib/platform/postgres";

export interface Health {
  status: "ok" | "down";
  database: "ok" | "down";
  engine: EngineCondition;
}

/** Whether the parts that a run needs work; the database has two seconds to answer. */
export async function checkHealth(): Promise<Health> {
  const database = await within(postgres().query("SELECT 1"));
  const engine = engineCondition();
  return { status: database === "ok" && engine === "ok" ? "ok" : "down", database, engine };
}

async function within(check: Promise<unknown>): Promise<"ok" | "down"> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, 2000, false).unref());
  const answer = await Promise.race([check, late]).catch(() => false);
  return answer === false ? "down" : "ok";
}
