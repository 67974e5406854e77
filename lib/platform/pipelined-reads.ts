import "server-only";
import pg from "pg";
import { timeStatements } from "@/lib/platform/metrics/metrics";

/**
 * Connections on which statements are sent without waiting for the answers to those before them:
 * many at once cost one write to a socket and one wake of a process of the database. They are
 * opened as they are first needed, and again where one was lost; what was under way on it fails.
 * A statement is planned once a connection, for all values.
 */
export class PipelinedReads {
  readonly #settings: pg.ClientConfig;
  readonly #lanes: Lane[];
  #isEnded = false;

  constructor(settings: pg.ClientConfig, connections: number) {
    this.#settings = settings;
    this.#lanes = Array.from({ length: connections }, () => ({
      client: null,
      connected: null,
      underWay: 0,
    }));
  }

  /** One statement by itself, on the connection with the fewest under way. */
  async query<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> {
    if (this.#isEnded) throw new Error("The connections of reads are closed.");
    const lane = this.#lanes.reduce((least, one) => (one.underWay < least.underWay ? one : least));
    lane.underWay++;
    lane.client ??= this.#connect(lane);
    const { client } = lane;
    try {
      return await (await client).query<Row>(statement);
    } catch (error) {
      // Any other than the statement's own makes the connection doubtful: it ends when what is
      // under way on it has ended.
      const isOwn = error instanceof pg.DatabaseError && error.severity === "ERROR";
      if (!isOwn && lane.client === client) {
        lane.client = null;
        client.then((doubtful) => doubtful.end()).catch(() => {});
      }
      throw error;
    } finally {
      lane.underWay--;
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    const opened = await Promise.allSettled(this.#lanes.map(({ client }) => client));
    await Promise.all(
      opened.map((one) => one.status === "fulfilled" && one.value?.end().catch(() => {})),
    );
  }

  async #connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#settings, pipeline: true });
    timeStatements(client);
    // One that is cut while it is idle is not asked again.
    const drop = () => {
      if (lane.connected === client) Object.assign(lane, { client: null, connected: null });
    };
    client.on("error", drop);
    client.on("end", drop);
    await client.connect();
    // A row by its key is found the same way whatever the values are; where it is left to weigh
    // that, the server plans a statement with optional parts anew each time it is asked.
    await client.query("SET plan_cache_mode = force_generic_plan");
    lane.connected = client;
    return client;
  }
}

interface Lane {
  client: Promise<pg.Client> | null;
  /** The same, once it stands. */
  connected: pg.Client | null;
  underWay: number;
}
