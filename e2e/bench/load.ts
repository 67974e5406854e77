import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

export interface LoadPlan {
  url: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
  inFlight: number;
  /** Where the requests come from, in turn. */
  addresses: string[];
}

/**
 * Starts a process that keeps so many requests open. @returns what ends it, with the number of its
 * answers by status
 */
export async function startLoad(plan: LoadPlan): Promise<() => Promise<Record<string, number>>> {
  const program = fileURLToPath(new URL("load-client.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  const started = new Promise<void>((resolve) => {
    child.stdout.on("data", (data: Buffer) => {
      printed += data.toString("utf8");
      if (printed.startsWith("started")) resolve();
    });
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await started;
  return async () => {
    child.stdin.end();
    await exited;
    // It prints exactly this.
    return JSON.parse(printed.replace("started", "") || "{}") as Record<string, number>;
  };
}

/**
 * Milliseconds that each of `count` requests took, one after the other, to the first byte of its
 * answer; none may be refused.
 */
export async function timeRequests(
  plan: Omit<LoadPlan, "inFlight">,
  count: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let n = 0; n < count; n++)
    times.push(await timeOne(plan, agent, plan.addresses[n % plan.addresses.length] ?? ""));
  agent.destroy();
  return times.sort((a, b) => a - b);
}

function timeOne(
  { url, method = "GET", headers, body }: Omit<LoadPlan, "inFlight">,
  agent: Agent,
  address: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const length = body ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const call = request(
      url,
      { method, agent, headers: { ...headers, ...length, "x-forwarded-for": address } },
      (response) => {
        const took = performance.now() - began;
        response.resume().once("end", () => {
          if ((response.statusCode ?? 500) < 300) resolve(took);
          else reject(new Error(`${method} ${url} was answered with ${response.statusCode}`));
        });
      },
    );
    call.on("error", reject).end(body);
  });
}

/** The time that `share` of the sorted times stay below. */
export function quantile(times: number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}
