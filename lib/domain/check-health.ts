import "server-only";
import { isEngineAlive } from "@/lib/engine/is-engine-alive";
import { postgres } from "@/lib/platform/postgres";

export interface Health {
  status: "ok" | "down";
  database: "ok" | "down";
  engine: "ok" | "down";
}

/** Whether the parts that a run needs answer within two seconds. */
export async function checkHealth(): Promise<Health> {
  const [database, engine] = await Promise.all([within(postgres().query("SELECT 1")), within(Promise.resolve(isEngineAlive()))]);
  return { status: database === "ok" && engine === "ok" ? "ok" : "down", database, engine };
}

async function within(check: Promise<unknown>): Promise<"ok" | "down"> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, 2000, false).unref());
  const answer = await Promise.race([check, late]).catch(() => false);
  return answer === false ? "down" : "ok";
}
