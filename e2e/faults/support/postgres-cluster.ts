import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import pg from "pg";
import { freePort } from "../../support/servers";
import { until } from "../../support/until";
import type { PostgresProgram } from "./find-postgres";

const PASSWORD = "faults";
const USER = "lathe";
/** Nothing of a process that is killed is lost without `fsync`: what it wrote is the system's. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
  "shared_buffers=64MB",
  "fsync=off",
  "synchronous_commit=on",
  "full_page_writes=off",
  "wal_level=replica",
  "max_wal_senders=4",
  "max_parallel_workers_per_gather=0",
  "jit=off",
  "timezone=UTC",
];

/**
 * A PostgreSQL server of a test's own, outside of the service, that can be killed, ended, started
 * elsewhere and followed by a standby.
 */
export class PostgresCluster {
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();

  private constructor(
    readonly program: PostgresProgram,
    readonly folder: string,
    public port: number,
  ) {}

  /**
   * Makes the cluster in `folder`, which must not exist, and starts it. With `logFolder` its log of
   * writes lies there.
   */
  static async create(
    program: PostgresProgram,
    folder: string,
    logFolder?: string,
  ): Promise<PostgresCluster> {
    mkdirSync(folder, { mode: 0o700 });
    const passwordFile = `${folder}.password`;
    writeFileSync(passwordFile, PASSWORD);
    for (const each of [folder, passwordFile]) give(each, program);
    const args = [
      "-D",
      folder,
      "-U",
      USER,
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--locale=C",
      "--auth=scram-sha-256",
      "--no-sync",
    ];
    if (logFolder) {
      mkdirSync(logFolder, { mode: 0o700 });
      give(logFolder, program);
      args.push(`--waldir=${logFolder}`);
    }
    execFileSync(path.join(program.folder, "bin/initdb"), args, {
      ...program.user,
      cwd: "/",
      stdio: "ignore",
    });
    appendFileSync(
      path.join(folder, "pg_hba.conf"),
      "host replication all 127.0.0.1/32 scram-sha-256\n",
    );
    const cluster = new PostgresCluster(program, folder, await freePort());
    await cluster.start();
    return cluster;
  }

  url(database: string): string {
    return `postgresql://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  /**
   * Starts the server, on another port where one is given, and waits until it lets somebody in;
   * that one is the superuser.
   */
  async start(port = this.port): Promise<void> {
    this.port = port;
    await until("PostgreSQL to start", async () => this.#launch(), {
      everyMs: 300,
      deadlineMs: 60_000,
    });
  }

  /**
   * Waits until everything committed by now has reached the log (and a standby), also what did not
   * wait for it: begun turns and claims, which a crash within some 0.6 s would undo.
   */
  async flush(): Promise<void> {
    await this.query("postgres", "SELECT pg_logical_emit_message(true, 'faults', '')");
  }

  /** Changes a setting of the running server. */
  async set(setting: string, value: string): Promise<void> {
    await this.query("postgres", `ALTER SYSTEM SET ${setting} = '${value}'`);
    await this.query("postgres", "SELECT pg_reload_conf()");
  }

  /** As a machine's fault ends it: nothing is written any more. Its own processes go with it. */
  async kill(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const pids = [pid, ...childrenOf(pid)];
    for (const each of pids) signal(each, "SIGKILL");
    await this.#exited;
    this.#child = null;
  }

  /** A fast shutdown: sessions are ended, what was committed stays. */
  async stop(): Promise<void> {
    if (!this.#child) return;
    this.#child.kill("SIGINT");
    await this.#exited;
    this.#child = null;
  }

  /**
   * A server that follows this one, synchronously: what is committed here is there. This one is
   * stopped for the copy.
   */
  async standby(folder: string): Promise<PostgresCluster> {
    await this.stop();
    execFileSync("cp", ["-a", this.folder, folder]);
    await this.start();
    writeFileSync(path.join(folder, "standby.signal"), "");
    appendFileSync(
      path.join(folder, "postgresql.auto.conf"),
      `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=${USER} password=${PASSWORD} ` +
        "sslmode=disable'\n",
    );
    give(path.join(folder, "standby.signal"), this.program);
    const standby = new PostgresCluster(this.program, folder, await freePort());
    await standby.start();
    await this.query("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.query("postgres", "SELECT pg_reload_conf()");
    await until("the standby to follow", async () => {
      const rows = await this.query<{ sync_state: string }>(
        "postgres",
        "SELECT sync_state FROM pg_stat_replication",
      );
      return rows[0]?.sync_state === "sync";
    });
    return standby;
  }

  /** Makes a standby a server that writes. */
  async promote(): Promise<void> {
    // It follows nobody any more, and must not wait for one that follows it.
    await this.query("postgres", "SELECT pg_promote()");
    await this.query("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''");
    await this.query("postgres", "SELECT pg_reload_conf()");
  }

  async query<Row extends object>(
    database: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
    });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row & pg.QueryResultRow>(text, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #launch(): Promise<boolean> {
    if (!this.#child) {
      const log = openSync(`${this.folder}.log`, "a");
      const args = [
        "-D",
        this.folder,
        "-p",
        String(this.port),
        ...SETTINGS.flatMap((line) => ["-c", line]),
      ];
      const child = spawn(path.join(this.program.folder, "bin/postgres"), args, {
        ...this.program.user,
        cwd: "/",
        stdio: ["ignore", log, log],
      });
      closeSync(log);
      this.#child = child;
      // Whoever ends this process in an orderly way, a deadline too, ends the server.
      const onExit = () => child.kill("SIGKILL");
      process.once("exit", onExit);
      this.#exited = new Promise((resolve) =>
        child.once("exit", () => {
          process.off("exit", onExit);
          if (this.#child === child) this.#child = null;
          resolve();
        }),
      );
    }
    return this.query("postgres", "SELECT 1").then(
      () => true,
      () => false,
    );
  }
}

/** Belongs to whoever runs the server. */
function give(file: string, { user }: PostgresProgram): void {
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid);
  if (file.endsWith(".password")) chmodSync(file, 0o600);
}

/**
 * Each process of PostgreSQL leads a group of its own, so no signal to a group reaches them all.
 */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return []; // not Linux: they notice by themselves that their postmaster is gone
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
