import pg from "pg";

/** What a statement read of one table, and how. */
export interface TableRead {
  statement: string;
  table: string;
  node: string;
  /** Rows that were looked at, whether or not they were wanted. */
  rows: number;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
}

type Statement = string | { text: string; values?: unknown[] };

/**
 * A pool that has PostgreSQL explain each statement of the verbs, on the same rows and with the
 * same values, before it runs: what they send is looked at, not a copy of it.
 * What is explained is rolled back.
 */
export class ExplainingPool extends pg.Pool {
  readonly reads: TableRead[] = [];
  isWatching = false;
  readonly #explained = new WeakSet<object>();

  /** Runs `work` and returns what its statements read. */
  async watch(work: () => Promise<unknown>): Promise<TableRead[]> {
    this.reads.length = 0;
    this.isWatching = true;
    try {
      await work();
    } finally {
      this.isWatching = false;
    }
    return [...this.reads];
  }

  // Both of pg's ways to ask come by here: `pool.query` takes a connection by a callback, a
  // transaction takes one by a promise.
  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void;
  override connect(
    callback?: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ) {
    if (!callback) return super.connect().then((client) => this.#explaining(client));
    return super.connect((error, client, done) =>
      callback(error, client && this.#explaining(client), done),
    );
  }

  #explaining(client: pg.PoolClient): pg.PoolClient {
    if (this.#explained.has(client)) return client;
    this.#explained.add(client);
    // One signature for pg's many.
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let inTransaction = false;
    const ask = async (statement: Statement, values?: unknown[]): Promise<unknown> => {
      const text = typeof statement === "string" ? statement : statement.text;
      if (this.isWatching && /^\s*(select|with|update|delete)\b/i.test(text)) {
        const given = values ?? (typeof statement === "string" ? undefined : statement.values);
        await this.#explain(query, text, given, inTransaction);
      }
      if (/^\s*begin/i.test(text)) inTransaction = true;
      if (/^\s*(commit|rollback)\s*$/i.test(text)) inTransaction = false;
      return query(statement, values);
    };
    const wrapped = (...args: unknown[]): unknown => {
      const callback = args.at(-1);
      const [statement, values] = args as [Statement, unknown[] | undefined];
      if (typeof callback !== "function") return ask(statement, values);
      const done = callback as (error: unknown, result?: unknown) => void;
      ask(statement, Array.isArray(values) ? values : undefined).then(
        (result) => done(null, result),
        done,
      );
    };
    client.query = wrapped as typeof client.query;
    return client;
  }

  async #explain(
    query: (...args: unknown[]) => unknown,
    text: string,
    values: unknown[] | undefined,
    inTransaction: boolean,
  ) {
    await query(inTransaction ? "SAVEPOINT explaining" : "BEGIN");
    try {
      const result = (await query(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      )) as pg.QueryResult<{
        "QUERY PLAN": [{ Plan: PlanNode }];
      }>;
      const plan = result.rows[0]?.["QUERY PLAN"][0].Plan;
      if (plan) this.#collect(text.replace(/\s+/g, " ").trim(), plan);
    } finally {
      await query(inTransaction ? "ROLLBACK TO explaining" : "ROLLBACK");
    }
  }

  #collect(statement: string, node: PlanNode): void {
    const table = node["Relation Name"];
    if (table && node["Node Type"] !== "ModifyTable") {
      const once =
        (node["Actual Rows"] ?? 0) +
        (node["Rows Removed by Filter"] ?? 0) +
        (node["Rows Removed by Index Recheck"] ?? 0);
      this.reads.push({
        statement,
        table,
        node: node["Node Type"],
        rows: once * (node["Actual Loops"] ?? 0),
      });
    }
    for (const child of node.Plans ?? []) this.#collect(statement, child);
  }
}
