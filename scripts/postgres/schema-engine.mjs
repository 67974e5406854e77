import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * @typedef {import("./migrate.mjs").Migration} Migration
 * @typedef {import("@prisma/driver-adapter-utils").SqlDriverAdapter} SqlDriverAdapter
 * @typedef {import("@prisma/driver-adapter-utils").SqlQuery} EngineQuery
 * @typedef {{ fields?: { dataTypeID: number }[] }} DriverResult
 * @typedef {SqlDriverAdapter & { performIO(query: EngineQuery): Promise<DriverResult>,
 * underlyingDriver(): import("pg").Pool }} EngineConnection
 */

const CHAR_TYPE = 18;
const TEXT_TYPE = 25;
const FILTERS = { externalTables: [], externalEnums: [] };

/**
 * The SQL that leads from the result of `migrations` to the schema files in `schemaFolder`; "" when
 * there is no difference.
 * Needs an empty database at `databaseUrl`, in whose server a shadow database is made and dropped.
 * @param {{ databaseUrl: string, schemaFolder: string, migrations: Migration[], migrationsFolder:
 * string }} options
 * @returns {Promise<string>}
 */
export async function schemaDifference({
  databaseUrl,
  schemaFolder,
  migrations,
  migrationsFolder,
}) {
  const files = readdirSync(schemaFolder)
    .filter((name) => name.endsWith(".prisma"))
    .sort()
    .map((name) => ({
      path: join(schemaFolder, name),
      content: readFileSync(join(schemaFolder, name), "utf8"),
    }));
  const session = await openSchemaEngine(
    databaseUrl,
    files.map(({ path, content }) => [path, content]),
  );
  /** @type {import("@prisma/schema-engine-wasm").DiffTarget} */
  const from = {
    tag: "migrations",
    baseDir: migrationsFolder,
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
    })),
  };
  const { stdout } = await session.diff({
    from: migrations.length > 0 ? from : { tag: "empty" },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: null,
    filters: FILTERS,
  });
  return stdout === null ||
    stdout.split("\n").every((line) => line.trim() === "" || line.trimStart().startsWith("--"))
    ? ""
    : stdout;
}

/**
 * Prisma's own schema engine as WebAssembly, on the database at `databaseUrl`.
 * @param {string} databaseUrl
 * @param {[path: string, content: string][]} datamodels
 */
export async function openSchemaEngine(databaseUrl, datamodels) {
  const engine = await loadEngine();
  const { PrismaPg } = await import("@prisma/adapter-pg");
  const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = await import(
    "@prisma/driver-adapter-utils"
  );
  // The engine reports a panic there before it aborts.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (/** @type {string} */ message) => console.error(message),
    },
  });
  const adapter = bindMigrationAwareSqlAdapterFactory(
    engineAdapter(PrismaPg, databaseUrl, ColumnTypeEnum.Character),
  );
  return engine.SchemaEngine.new({ datamodels }, () => {}, adapter);
}

/**
 * Prisma's adapter with a shadow database of our own making: its own drops the database while it is
 * still connected to it.
 * @param {typeof import("@prisma/adapter-pg").PrismaPg} PrismaPg
 * @param {string} databaseUrl
 * @param {import("@prisma/driver-adapter-utils").ColumnType} character
 */
function engineAdapter(PrismaPg, databaseUrl, character) {
  const factory = new PrismaPg({ connectionString: databaseUrl });
  const connect = factory.connect.bind(factory);
  const connectEngine = async () =>
    readingCatalogue(toEngineConnection(await connect()), character);
  const connectToShadowDb = async () => {
    const database = `shadow_${randomBytes(6).toString("hex")}`;
    /** @param {string} sql */
    const run = async (sql) => {
      const maintenance = await connect();
      await maintenance.executeScript(sql).finally(() => maintenance.dispose());
    };
    await run(`CREATE DATABASE ${database}`);
    const shadow = readingCatalogue(
      toEngineConnection(
        await new PrismaPg({ connectionString: withDatabase(databaseUrl, database) }).connect(),
      ),
      character,
    );
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await run(`DROP DATABASE ${database} WITH (FORCE)`);
    };
    return shadow;
  };
  return Object.assign(factory, { connect: connectEngine, connectToShadowDb });
}

/**
 * @param {unknown} connection
 * @returns {EngineConnection}
 */
function toEngineConnection(connection) {
  // What is wrapped here the adapter declares as private.
  return /** @type {EngineConnection} */ (connection);
}

/**
 * The adapter refuses the catalogue's one-byte type "char", which the engine asks for when it
 * describes a database:
 * let the adapter take it for text, and tell the engine that it is a character.
 * @param {EngineConnection} connection
 * @param {import("@prisma/driver-adapter-utils").ColumnType} character
 */
function readingCatalogue(connection, character) {
  const perform = connection.performIO.bind(connection);
  const queryRaw = connection.queryRaw.bind(connection);
  /** @type {WeakMap<EngineQuery, number[]>} */
  const chars = new WeakMap();
  // The adapter's own cuts a script at every semicolon, those inside of a function's body too.
  /** @param {string} script */
  connection.executeScript = async (script) => {
    await connection.underlyingDriver().query(script);
  };
  /** @param {EngineQuery} query */
  connection.performIO = async (query) => {
    const result = await perform(query);
    /** @type {number[]} */
    const places = [];
    for (const [place, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== CHAR_TYPE) continue;
      field.dataTypeID = TEXT_TYPE;
      places.push(place);
    }
    chars.set(query, places);
    return result;
  };
  /** @param {EngineQuery} query */
  connection.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const place of chars.get(query) ?? []) result.columnTypes[place] = character;
    return result;
  };
  return connection;
}

/**
 * @param {string} databaseUrl
 * @param {string} database
 */
function withDatabase(databaseUrl, database) {
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** @type {ReturnType<typeof instantiateEngine> | undefined} */
let loaded;
/** Loaded once: the engine's module keeps views of one instance's memory. */
function loadEngine() {
  loaded ??= instantiateEngine();
  return loaded;
}

async function instantiateEngine() {
  const engine = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const home = dirname(
    createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg"),
  );
  const wasm = await WebAssembly.compile(readFileSync(join(home, "schema_engine_bg.wasm")));
  const instance = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": engine });
  engine.__wbg_set_wasm(instance.exports);
  // What wasm-bindgen exports under this name.
  const start = /** @type {() => void} */ (instance.exports.__wbindgen_start);
  start();
  return engine;
}
