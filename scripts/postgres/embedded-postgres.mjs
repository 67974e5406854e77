import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { isOnOtherMachine, namespaceOf } from "../../lib/platform/process-identity.mjs";
import { withLock } from "../setup/file-lock.mjs";
import { freePort } from "../setup/free-port.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { postgresBinaries } from "./binaries.mjs";
import { DATABASE_NAME, ensureCluster } from "./cluster.mjs";
import { leaseDataDir, listDataDirLeases } from "./data-dir-leases.mjs";
import { abandonedHomes, postgresHome } from "./home.mjs";
import {
  answersOnSocket,
  findPostmaster,
  launchPostmaster,
  stopPostmaster,
} from "./postmaster.mjs";
import { lingerSeconds, watchOwner } from "./watch-owner.mjs";

/**
 * @typedef {import("./home.mjs").DatabaseHome} DatabaseHome
 * @typedef {object} Session one process's use of a data folder
 * @property {string} folder
 * @property {string} lock
 * @property {boolean} disposable
 * @property {boolean} stopped
 * @property {DatabaseHome} place
 * @property {string} binaries
 * @property {boolean} bySocket the server runs in another container, whose address is not ours
 * @property {boolean} warned
 * @property {Promise<void> | null} recovery
 */

const WATCH_MS = 500;
/** How long the process of a server that was killed may take to be gone. */
const REFUSED_MAX_MS = 10_000;
const REFUSED_LOOK_MS = 50;
/** Longer names of sockets are cut off by the system; PostgreSQL refuses them. */
const SOCKET_PATH_MAX_BYTES = 100;
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "max_connections=200",
  "shared_buffers=256MB",
  "wal_level=minimal",
  "max_wal_senders=0",
  // Workers share memory through /dev/shm, which containers keep small; these queries are short.
  "max_parallel_workers_per_gather=0",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
];
const DURABLE = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];
const DISPOSABLE = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/**
 * Starts the embedded PostgreSQL of `dataDir`, or joins the one that already runs there. Returns `{
 * url, stop() }`.
 * While this process lives it brings the server back when something kills it. `stop()` ends the
 * server if no other living process uses the folder. When all of them have died without that, it
 * ends by itself a minute later (EMBEDDED_DATABASE_LINGER_SECONDS).
 * Nothing that was committed is lost by a kill at any moment. `disposable` (tests) trades that for
 * speed, and `stop()` then deletes the folder.
 * Throws a SetupError with one sentence.
 * @param {string} dataDir
 * @param {{ disposable?: boolean }} [options]
 */
export async function startPostgres(dataDir, { disposable = false } = {}) {
  lingerSeconds(); // said before anything is started, where it cannot be used
  const folder = makeFolder(dataDir);
  const lock = join(folder, "postgres.lock");
  const { session, port, leave, dismissWatch } = await withLock(lock, async () => {
    await stopAbandoned();
    const place = postgresHome(folder);
    const binaries = postgresBinaries(place.user, place.places);
    /** @type {Session} */
    const made = {
      folder,
      lock,
      disposable,
      place,
      binaries,
      stopped: false,
      bySocket: false,
      warned: false,
      recovery: null,
    };
    await ensureCluster(place, binaries, { disposable });
    // Before the server is there: who is killed in between leaves none behind either.
    const dismissWatch = watchOwner({ folder, cluster: place.cluster, disposable });
    try {
      const running = await ensureServed(made);
      return { session: made, port: running, leave: leaseDataDir(folder), dismissWatch };
    } catch (error) {
      dismissWatch();
      throw error;
    }
  });
  const watch = setInterval(() => {
    session.recovery ??= recover(session, port).finally(() => {
      session.recovery = null;
    });
  }, WATCH_MS);
  watch.unref();
  return {
    url: urlOf(session, port, DATABASE_NAME),
    async stop() {
      if (session.stopped) return;
      session.stopped = true;
      clearInterval(watch);
      await session.recovery;
      await withLock(lock, async () => {
        leave();
        if (listDataDirLeases(folder).length > 0) return;
        await stopPostmaster(session.place.cluster);
        if (disposable) rmSync(session.place.home, { recursive: true, force: true });
      });
      // Not before: who is killed while the server stops still has it stopped.
      dismissWatch();
      if (disposable) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the port of the cluster's server, started now unless it runs. With `fixedPort` it listens
 * there: its clients know no other.
 * @param {Session} session
 * @param {number | null} fixedPort
 */
async function ensureRunning(session, fixedPort) {
  const { place } = session;
  const running = (await waitUntilSettled(place.cluster)) ?? (await answersOnSocket(place.cluster));
  if (running) return running.port;
  requireSameMachine(session.folder);
  const sockets =
    Buffer.byteLength(join(place.home, ".s.PGSQL.65535")) <= SOCKET_PATH_MAX_BYTES
      ? place.home
      : "";
  const settings = [
    `unix_socket_directories=${sockets}`,
    ...SETTINGS,
    ...(session.disposable ? DISPOSABLE : DURABLE),
  ];
  // The port of last time if it is free: connection strings that somebody wrote down go on working.
  const port = fixedPort ?? (await freePort(place.pointer.port));
  const logPath = join(session.folder, "postgres.log");
  const started = await launchPostmaster({
    cluster: place.cluster,
    binaries: session.binaries,
    user: place.user,
    logPath,
    port,
    settings,
  });
  place.save({ port: started.port, net: namespaceOf("net") });
  return started.port;
}

/**
 * A database that a machine shares with another one by a network file system is destroyed by two
 * servers at once, and no socket reaches so far: whoever gives signs of life there keeps the
 * folder. @throws SetupError
 * @param {string} folder
 */
function requireSameMachine(folder) {
  const other = listDataDirLeases(folder).find(isOnOtherMachine);
  if (!other) return;
  throw new SetupError(
    `The data folder ${folder} is in use on ${other.host ?? "another machine"}, whose database ` +
      "does not answer here; stop that service, or let both share one DATABASE_URL.",
  );
}

/**
 * Waits out a server that is just starting or shutdown. A signal to all processes may have told it
 * to end; its clients would keep it half-open for ever.
 * @param {string} cluster
 */
async function waitUntilSettled(cluster) {
  for (;;) {
    const running = findPostmaster(cluster);
    if (!running || running.status === "ready") return running;
    if (running.status === "stopping") await stopPostmaster(cluster);
    else await delay(50);
  }
}

/**
 * @param {Session} session
 * @param {number} port
 */
async function recover(session, port) {
  const running = findPostmaster(session.place.cluster);
  if (running && running.status !== "stopping") return;
  if (!running && (await answersOnSocket(session.place.cluster).catch(() => null)))
    return warnIfUnreachable(session);
  try {
    await withLock(session.lock, async () => {
      if (session.stopped) return;
      const before = findPostmaster(session.place.cluster)?.pid;
      await ensureRunning(session, port);
      if (findPostmaster(session.place.cluster)?.pid !== before)
        console.error("PostgreSQL had been stopped from outside; it runs again.");
    });
  } catch (error) {
    const details = error instanceof SetupError && error.details ? `\n${error.details}` : "";
    console.error(
      "PostgreSQL was stopped from outside and does not start: " +
        `${error instanceof Error ? error.message : error}${details}`,
    );
    await delay(5_000, undefined, { ref: false });
  }
}

/**
 * Another container has started the server: who reaches it by an address of this one must begin
 * anew.
 * @param {Session} session
 */
function warnIfUnreachable(session) {
  if (session.bySocket || session.warned) return;
  session.warned = true;
  console.error(
    "The database of this data folder runs in another container by now; restart this service to " +
      "join it there.",
  );
}

/**
 * Has the server run and hold our database. A server that was killed a moment ago still looks alive
 * while its process ends: whoever finds nobody there looks anew.
 * @param {Session} session
 * @returns {Promise<number>} its port
 * @throws SetupError where a server that runs lets nobody in
 */
async function ensureServed(session) {
  for (const until = Date.now() + REFUSED_MAX_MS; ; await delay(REFUSED_LOOK_MS)) {
    const port = await ensureRunning(session, null);
    const { net } = session.place.pointer;
    session.bySocket = net !== undefined && net !== namespaceOf("net");
    const refusal = await ensureDatabase(urlOf(session, port, "postgres"));
    if (refusal === null) return port;
    if (Date.now() >= until)
      throw new SetupError("The embedded PostgreSQL runs but lets nobody in.", refusal.message);
  }
}

/**
 * @param {string} url
 * @returns {Promise<Error | null>} why nobody is let in
 */
async function ensureDatabase(url) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [
      DATABASE_NAME,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE_NAME}`);
    return null;
  } finally {
    await client.end();
  }
}

/**
 * @param {Session} session
 * @param {number} port
 * @param {string} database
 */
function urlOf(session, port, database) {
  const { home, pointer } = session.place;
  const socket =
    session.bySocket || existsSync(join(home, `.s.PGSQL.${port}`))
      ? `&host=${encodeURIComponent(home)}`
      : "";
  return (
    `postgresql://${DATABASE_NAME}:${pointer.password}@127.0.0.1:${port}/${database}` +
    `?sslmode=disable${socket}`
  );
}

/** @param {string} dataDir */
function makeFolder(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return realpathSync(dataDir);
  } catch (error) {
    throw new SetupError(
      `The data folder ${dataDir} cannot be made (${errorCode(error)}); set DATA_DIR to a folder ` +
        "that this user may write to.",
    );
  }
}

async function stopAbandoned() {
  for (const { home, worthless } of abandonedHomes()) {
    await stopPostmaster(join(home, "cluster")).catch(() => {});
    if (worthless) rmSync(home, { recursive: true, force: true });
  }
}

const PREFIX = "lathe-temporary-";

/**
 * A PostgreSQL for one run of tests or one tool, in a temporary folder: `{ url, stop() }`; `stop()`
 * deletes it.
 * First clears away those that killed processes left behind.
 */
export async function startDisposablePostgres() {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(PREFIX)) await sweep(join(tmpdir(), name)).catch(() => {});
  return startPostgres(mkdtempSync(join(tmpdir(), PREFIX)), { disposable: true });
}

/**
 * Removes the folder unless a living process uses it or is just starting there (it holds the lock,
 * or has not come so far yet).
 * @param {string} folder
 */
async function sweep(folder) {
  const pointer = join(folder, "postgres.json");
  if (!existsSync(pointer)) return;
  await withLock(join(folder, "postgres.lock"), async () => {
    if (listDataDirLeases(folder).length > 0) return;
    const { home } = JSON.parse(readFileSync(pointer, "utf8"));
    const place = isAbsolute(home) ? home : join(folder, home);
    if (existsSync(place)) await stopPostmaster(join(place, "cluster"));
    rmSync(place, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
}
