import { spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hasInngest, inngestServerOf } from "./inngest-server-of";
import { until } from "./until";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Settings of the person who runs the tests must not reach the service under test.
const FOREIGN =
  /^(METRICS|OTEL|ACCESS_LOG|OPENAI|ANTHROPIC|GOOGLE|GITHUB|OIDC|INNGEST|DATABASE|EMBEDDED|LATHE_|NEXTAUTH|ENCRYPTION|SIGNING|S3|SMTP|MAIL_FROM|SIGN_UP|DEFAULT_MODEL|BUILDER_MODEL|JUDGE_MODEL|MODELS_FILE|UNKNOWN_MODEL|RATE_LIMIT|WRITE_LIMIT|IP_LIMIT|SESSION_LIMIT|MAX_|SCHEDULE_|FAILPOINT|WORKER_|RUNS_|API_BASE|APP_BASE|TRUSTED|EGRESS|NODE_ENV|NEXT_|__NEXT|PW_|TEST_)|_(API_KEY|BASE_URL|MODELS)$/;

export interface Service {
  baseUrl: string;
  pid: number;
  logFile: string;
  /** SIGTERM to the server; waits for its end, at most 40 s, then SIGKILL to its group. */
  stop(): Promise<void>;
  /** SIGKILL to its whole process group, at once. */
  kill(): Promise<void>;
  /** Nobody reads any more what it prints. */
  loseOutput(): void;
  /** How its process ended; null while it lives. */
  end(): string | null;
  /** Resolves when its process has ended, whoever ended it. */
  exited: Promise<void>;
}

export interface ServiceOptions {
  port: number;
  dataDir: string;
  modelUrl: string;
  environment?: Record<string, string>;
  logFile: string;
  readyWithinMs?: number;
  /** The engine's server is away, and is meant to be: the service will not call itself ready. */
  isEngineAway?: boolean;
}

/**
 * Starts the built service as the leader of its own process group and waits until `/api/ready`
 * answers 200.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port, dataDir, logFile, isEngineAway = false } = options;
  const engine = hasInngest && !isEngineAway ? (await inngestServerOf(dataDir)).settings : {};
  const program = process.env.E2E_START === "next" ? "scripts/next-start.mjs" : "scripts/start.mjs";
  const child = spawn(process.execPath, [program], {
    cwd: ROOT,
    detached: true,
    env: {
      ...ownEnvironment(),
      ...engine,
      ...serviceEnvironment(options),
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(logFile, { flags: "a" });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const { pid } = child;
  if (pid === undefined) throw new Error("The service could not be started.");
  let ended: string | null = null;
  const exited = new Promise<void>((resolve) =>
    child.once("exit", (code, signal) => {
      ended = `code ${code}, signal ${signal}`;
      resolve();
    }),
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  await until(
    "the service to be ready",
    () => isReady(baseUrl, () => ended, logFile, isEngineAway),
    {
      deadlineMs: options.readyWithinMs ?? 600_000,
      everyMs: 150,
    },
  );
  const kill = async () => {
    killGroup(pid);
    await exited;
  };
  const stop = async () => {
    child.kill("SIGTERM");
    const late = setTimeout(() => killGroup(pid), 40_000);
    await exited;
    clearTimeout(late);
  };
  const loseOutput = () => {
    for (const output of [child.stdout, child.stderr]) output.destroy();
  };
  return { baseUrl, pid, logFile, stop, kill, loseOutput, end: () => ended, exited };
}

async function isReady(
  baseUrl: string,
  ended: () => string | null,
  logFile: string,
  isEngineAway: boolean,
): Promise<boolean> {
  const end = ended();
  if (end) {
    const tail = readFileSync(logFile, "utf8").split("\n").slice(-25).join("\n");
    throw new Error(
      `The service ended before it was ready (${end}); the end of ${logFile}:\n${tail}`,
    );
  }
  try {
    const response = await fetch(`${baseUrl}/api/ready`);
    const text = await response.text();
    return isEngineAway ? text.includes('"engine":"down"') : response.status === 200;
  } catch {
    return false;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group is gone already.
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)),
  ) as NodeJS.ProcessEnv; // fromEntries forgets the key type
}

function serviceEnvironment({ modelUrl, environment }: ServiceOptions): Record<string, string> {
  return {
    OPENAI_COMPATIBLE_BASE_URL: `${modelUrl}/v1`,
    OPENAI_COMPATIBLE_API_KEY: "test-provider-key",
    OPENAI_COMPATIBLE_MODELS: "test-model,other-model",
    OPENAI_COMPATIBLE_VISION_MODELS: "eye-model",
    CHECK_RESPONSES: "true",
    LOG_LEVEL: "warn",
    // The tests are the proxy of their clients, each with an address of its own.
    TRUSTED_PROXIES: "127.0.0.1,::1",
    ...environment,
  };
}
