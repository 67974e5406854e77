import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { createClient, verifyWebhook } from "@/lib/client/lathe-client";

/** What the clients' own errors say, in the same words for each of them. */
interface Described {
  name: string;
  message: string;
  status?: number;
  code?: string;
  details?: { path: string; message: string }[];
  request_id?: string | null;
  run_id?: string;
  last_sequence_number?: number;
  fault?: string;
}

/** An error of a client under test. */
export class ClientFault extends Error {
  constructor(readonly described: Described) {
    super(`${described.name}: ${described.message}`);
  }
}

export interface OpenOptions {
  apiKey: string;
  baseUrl: string;
  maxReconnects?: number;
}

type Options = Record<string, unknown>;

/**
 * A client of one account, by the names of its methods as they are in TypeScript. Rejects with
 * `ClientFault`.
 */
export interface DrivenClient {
  call(name: string, args: unknown[], options?: Options): Promise<unknown>;
  iterate(
    name: string,
    args: unknown[],
    options?: Options,
  ): AsyncGenerator<unknown, void, undefined>;
}

/** One implementation of the client. */
export interface ClientDriver {
  open(options: OpenOptions): Promise<DrivenClient>;
  verifyWebhook(call: {
    payload: string;
    headers: Record<string, string>;
    secret: string;
  }): Promise<unknown>;
  stop(): Promise<void>;
}

type Method = (...args: unknown[]) => unknown;

/** The client in `lib/client`, in this process. */
export function typescriptDriver(): ClientDriver {
  return {
    async open(options) {
      const client: unknown = createClient(options);
      const methodOf = (name: string) => {
        const [noun = "", verb = ""] = name.split(".");
        // By name: the cases are for every language.
        const found = (client as Record<string, Record<string, Method>>)[noun]?.[verb];
        if (!found) throw new Error(`The client has no ${name}.`);
        return found;
      };
      return {
        call: (name, args, given = {}) =>
          described(async () => {
            const result = await methodOf(name)(...args, given);
            return result instanceof Response ? new Uint8Array(await result.arrayBuffer()) : result;
          }),
        async *iterate(name, args, given = {}) {
          const rows = (methodOf(name)(...args, given) as AsyncIterable<unknown>)[
            Symbol.asyncIterator
          ](); // what the cases iterate is iterable
          for (;;) {
            const { done, value } = await described(() => rows.next());
            if (done) return;
            yield value;
          }
        },
      };
    },
    verifyWebhook: (call) => described(() => verifyWebhook(call)),
    stop: async () => undefined,
  };
}

async function described<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const facts = Object.entries(error).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]);
    throw new ClientFault({
      ...Object.fromEntries(facts),
      name: error.name,
      message: error.message,
    });
  }
}

const PYTHON = "clients/python";

/**
 * The Python that has what the client needs: `E2E_PYTHON`, or `python3`; null when it is not there.
 */
export async function findPython(): Promise<string | null> {
  const python = process.env.E2E_PYTHON || "python3";
  const child = spawn(python, ["-c", "import sys, httpx; sys.exit(sys.version_info < (3, 10))"], {
    stdio: "ignore",
  });
  const code = await Promise.race([
    once(child, "exit").then(([exit]) => exit as number | null),
    once(child, "error").then(() => 1),
  ]);
  return code === 0 ? python : null;
}

/** The Python client, for threads or for asyncio, in a process of its own. */
export function pythonDriver(python: string, kind: "sync" | "async"): ClientDriver {
  const child = spawn(python, [path.join(PYTHON, "tests/driver.py"), kind], {
    // `LATHE_PYTHON_PATH` names the built wheel, so that it is that which is tested.
    env: {
      ...process.env,
      PYTHONPATH: process.env.LATHE_PYTHON_PATH || path.join(PYTHON, "src"),
      PYTHONDONTWRITEBYTECODE: "1",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const waiting = new Map<number, (answer: { ok?: unknown; error?: Described }) => void>();
  createInterface(child.stdout).on("line", (line) => {
    // tests/driver.py
    const { id, ...answer } = JSON.parse(line) as { id: number; ok?: unknown; error?: Described };
    waiting.get(id)?.(answer);
  });
  void exited.then(() => {
    for (const answer of waiting.values())
      answer({ error: { name: "DriverError", message: "The Python driver ended." } });
  });
  let count = 0;
  const ask = async (what: string, rest: object): Promise<unknown> => {
    const id = ++count;
    const answer = new Promise<{ ok?: unknown; error?: Described }>((resolve) =>
      waiting.set(id, resolve),
    );
    child.stdin.write(`${JSON.stringify({ id, do: what, ...rest }, toJson)}\n`);
    const { ok, error } = await answer;
    waiting.delete(id);
    if (error) throw new ClientFault(error);
    return isBytes(ok) ? new Uint8Array(Buffer.from(ok.$bytes, "base64")) : ok;
  };
  return {
    async open(options) {
      const client = String(++count);
      await ask("open", { client, options });
      return {
        call: (name, args, given = {}) => ask("call", { client, name, args, options: given }),
        async *iterate(name, args, given = {}) {
          const iterator = String(++count);
          await ask("iterate", { client, iterator, name, args, options: given });
          for (;;) {
            const { done, value } = (await ask("next", { iterator })) as {
              done: boolean;
              value?: unknown;
            }; // tests/driver.py
            if (done) return;
            yield value;
          }
        },
      };
    },
    verifyWebhook: (call) => ask("verify", call),
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

function isBytes(value: unknown): value is { $bytes: string } {
  return typeof value === "object" && value !== null && "$bytes" in value;
}

function toJson(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : value;
}
