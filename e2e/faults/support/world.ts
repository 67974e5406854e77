import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ApiClient } from "../../support/api-client";
import { hasInngest, type InngestServer, inngestServerOf } from "../../support/inngest-server-of";
import { type SharedAddress, startSharedAddress } from "../../support/proxies";
import { freePort } from "../../support/servers";
import { type Service, startService } from "../../support/start-service";
import { FaultModel } from "./fault-model";
import { FaultProxy } from "./fault-proxy";
import { FaultReceiver } from "./fault-receiver";
import type { Lab, LabAccount } from "./lab";
import type { PostgresCluster } from "./postgres-cluster";

const LOGS = fileURLToPath(new URL("../../../test-results", import.meta.url));
const SHIFT = fileURLToPath(new URL("shift-clock.cjs", import.meta.url));

export interface WorldOptions {
  /** Processes of the service on the one database. */
  processes?: number;
  environment?: Record<string, string>;
  /** Of each process, over `environment`. */
  environments?: Record<string, string>[];
  /** Milliseconds by which the clock of each process is ahead. */
  clockShifts?: number[];
  cluster?: PostgresCluster;
}

/** A process of the service with its own way to the database. */
export interface WorldProcess {
  service: Service;
  database: FaultProxy;
  port: number;
  environment: Record<string, string>;
}

/** With an Inngest server: that, the way there, and the way back to whichever process lives. */
interface Engine {
  server: InngestServer;
  link: FaultProxy;
  calls: SharedAddress;
}

/** What kills, stops and starts of this world could explain a second model call or delivery of. */
export interface FaultEvent {
  at: number;
  what: string;
}

/**
 * The service in its surroundings, each link of which can be broken: processes, database, model,
 * receiver, and the Inngest server where there is one. That outlives all processes of its world.
 */
export class World {
  readonly processes: WorldProcess[] = [];
  readonly faults: FaultEvent[] = [];

  private constructor(
    readonly lab: Lab,
    public cluster: PostgresCluster,
    readonly database: string,
    readonly dataDir: string,
    readonly model: FaultModel,
    readonly receiver: FaultReceiver,
    readonly modelLink: FaultProxy,
    readonly receiverLink: FaultProxy,
    readonly engine: Engine | null,
  ) {}

  static async open(lab: Lab, options: WorldOptions = {}): Promise<World> {
    const cluster = options.cluster ?? lab.cluster;
    const { database, dataDir } = await lab.newPlace(cluster);
    const model = await FaultModel.start();
    const receiver = await FaultReceiver.start();
    const links = [
      await FaultProxy.start(model.port),
      await FaultProxy.start(receiver.port),
    ] as const;
    const engine = hasInngest ? await startEngine(dataDir) : null;
    const world = new World(lab, cluster, database, dataDir, model, receiver, ...links, engine);
    try {
      for (let index = 0; index < (options.processes ?? 1); index++) {
        const shift = options.clockShifts?.[index];
        await world.addProcess({
          ...options.environment,
          ...options.environments?.[index],
          ...(shift !== undefined && {
            NODE_OPTIONS: `--require ${SHIFT}`,
            CLOCK_SHIFT_MS: String(shift),
          }),
        });
      }
    } catch (error) {
      await world.close();
      throw error;
    }
    return world;
  }

  async addProcess(environment: Record<string, string> = {}): Promise<WorldProcess> {
    const database = await FaultProxy.start(this.cluster.port);
    const port = await freePort();
    this.#lead(port, environment);
    const service = await this.#start(port, database, environment).catch((error) => {
      database.close();
      throw error;
    });
    const process = { service, database, port, environment };
    this.processes.push(process);
    return process;
  }

  /** Starts a process that has ended again, at its old address. */
  async restart(index: number, environment?: Record<string, string>): Promise<void> {
    const process = this.process(index);
    process.environment = environment ?? process.environment;
    process.service = await this.#start(process.port, process.database, process.environment);
  }

  async kill(index: number): Promise<void> {
    this.note(`kill ${index}`);
    await this.process(index).service.kill();
  }

  /** SIGTERM, and its end. */
  async stop(index: number): Promise<void> {
    this.note(`stop ${index}`);
    await this.process(index).service.stop();
    // What it cut in its last moment is made again by another.
    this.note(`stopped ${index}`);
  }

  /** SIGSTOP to the whole group of a process. */
  freeze(index: number): void {
    this.note(`freeze ${index}`);
    globalThis.process.kill(-this.process(index).service.pid, "SIGSTOP");
  }

  thaw(index: number): void {
    this.note(`thaw ${index}`);
    const { service, port, environment } = this.process(index);
    globalThis.process.kill(-service.pid, "SIGCONT");
    this.#lead(port, environment);
  }

  /**
   * With an Inngest server: what a proxy does that has had no answer of this process for its time.
   * The calls that it has are cut, and the server makes them again elsewhere.
   */
  takeOut(index: number): void {
    this.engine?.calls.takeOut(this.process(index).port);
  }

  /** What the service calls, and is called by. @throws where there is no Inngest server */
  get engineLinks(): Engine {
    return this.engine ?? missing("Inngest server");
  }

  /** All that is sent to the database goes to `standby` from now on. */
  failOver(standby: PostgresCluster): void {
    this.cluster = standby;
    for (const { database } of this.processes) database.retarget(standby.port);
  }

  /** Something that may make the service do a thing again. */
  note(what: string): void {
    this.faults.push({ at: Date.now(), what });
  }

  api(process = 0, account: LabAccount = this.account): ApiClient {
    return new ApiClient(this.process(process).service.baseUrl, account.apiKey);
  }

  get account(): LabAccount {
    return this.lab.accounts[0] ?? missing("account");
  }

  get otherAccount(): LabAccount {
    return this.lab.accounts[1] ?? missing("other account");
  }

  process(index: number): WorldProcess {
    return this.processes[index] ?? missing(`process ${index}`);
  }

  /** Past all proxies, for the test's own eyes. */
  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.cluster.query<Row>(this.database, text, values);
  }

  get webhookUrl(): string {
    return `http://127.0.0.1:${this.receiverLink.port}/hooks`;
  }

  /**
   * An agent of `account` that calls the tool `record`, which changes something at the receiver.
   * @param more tools of its config beside that
   */
  async newAgent(
    account: LabAccount = this.account,
    autonomy = "full_auto",
    more: object = {},
  ): Promise<string> {
    const config = {
      version: 1,
      tools: {
        ...more,
        http: [
          {
            name: "record",
            method: "POST",
            url: `http://127.0.0.1:${this.receiverLink.port}/effects`,
            input_schema: { type: "object" },
          },
        ],
      },
    };
    const document = {
      kind: "agent",
      format: 1,
      name: "Recorder",
      skill_content: "# Recorder\n\nRecord, then answer.\n",
      write_autonomy: autonomy,
      config,
    };
    // JSON is YAML.
    const headers = { "content-type": "application/yaml" };
    const answer = await this.api(0, account).post("/v1/agents/import", undefined, {
      raw: JSON.stringify(document),
      headers,
    });
    if (answer.status !== 201)
      throw new Error(`The agent was refused with ${answer.status}: ${answer.text}`);
    return String((answer.json() as { agent_id: string }).agent_id); // required by the schema
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map(({ service }) => service.kill()));
    for (const { database } of this.processes) database.close();
    for (const each of [this.modelLink, this.receiverLink, this.model, this.receiver]) each.close();
    if (this.engine) {
      this.engine.link.close();
      await Promise.all([this.engine.server.stop(), this.engine.calls.stop()]);
    }
    // Not before all sessions are gone; a database that is away at the end goes with its cluster.
    await this.cluster
      .query("postgres", `DROP DATABASE IF EXISTS ${this.database} WITH (FORCE)`)
      .catch(() => undefined);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** As docs/self-hosting.md has it: a proxy leads an Inngest server's calls to the workers. */
  #lead(port: number, { LATHE_ROLES: roles }: Record<string, string>): void {
    if (roles !== "web") this.engine?.calls.add(port);
  }

  async #start(
    port: number,
    database: FaultProxy,
    environment: Record<string, string>,
  ): Promise<Service> {
    mkdirSync(LOGS, { recursive: true });
    const url = new URL(this.cluster.url(this.database));
    url.port = String(database.port);
    const started = await startService({
      port,
      dataDir: this.dataDir,
      modelUrl: `http://127.0.0.1:${this.modelLink.port}`,
      logFile: path.join(LOGS, `${path.basename(this.lab.folder)}-${this.database}-${port}.log`),
      readyWithinMs: 120_000,
      environment: {
        DATABASE_URL: url.href,
        EGRESS_ALLOW: `127.0.0.1:${this.receiverLink.port}`,
        IP_LIMIT_PER_MINUTE: "0",
        DEFAULT_MODEL: "compatible/test-model",
        ...(this.engine && {
          INNGEST_BASE_URL: `http://127.0.0.1:${this.engine.link.port}`,
          PUBLIC_URL: this.engine.calls.url,
        }),
        ...environment,
      },
    });
    // Whoever ends this process in an orderly way, a deadline too, ends the service.
    const onExit = () => endGroup(started.pid);
    process.once("exit", onExit);
    void started.exited.then(() => process.off("exit", onExit));
    return started;
  }
}

async function startEngine(dataDir: string): Promise<Engine> {
  const server = await inngestServerOf(dataDir);
  const [link, calls] = [await FaultProxy.start(server.port), await startSharedAddress([])];
  return { server, link, calls };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended long ago.
  }
}

function missing(what: string): never {
  throw new Error(`There is no ${what} here.`);
}
