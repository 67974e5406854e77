import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount } from "../../support/accounts";
import { findPostgres } from "./find-postgres";
import { PostgresCluster } from "./postgres-cluster";

export interface LabAccount {
  accountId: string;
  apiKey: string;
}

const TEMPLATE = "faults_template";
/** Memory where there is some: a test of faults is not one of disks. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/**
 * One PostgreSQL for a worker's tests, with a migrated database and its accounts to copy for each
 * of them.
 */
export class Lab {
  #databases = 0;

  private constructor(
    readonly folder: string,
    readonly cluster: PostgresCluster,
    readonly accounts: LabAccount[],
  ) {}

  /** With `dataPlace` the cluster's tables lie in that folder. */
  static async open(dataPlace?: string): Promise<Lab> {
    const folder = mkdtempSync(path.join(PLACE, "lathe-faults-"));
    chmodSync(folder, 0o755);
    const program = findPostgres(path.join(folder, "postgres"));
    const cluster = await PostgresCluster.create(
      program,
      path.join(dataPlace ?? folder, "cluster"),
      dataPlace ? path.join(folder, "log") : undefined,
    );
    const accounts: LabAccount[] = [];
    const lab = new Lab(folder, cluster, accounts);
    try {
      await cluster.query("postgres", `CREATE DATABASE ${TEMPLATE}`);
      const environment = {
        DATABASE_URL: cluster.url(TEMPLATE),
        DATA_DIR: path.join(folder, "template"),
      };
      for (let index = 0; index < 2; index++) {
        const { accountId, apiKey } = await createAccount(
          "http://127.0.0.1",
          { credits: 1_000_000, superAgent: true },
          environment,
        );
        accounts.push({ accountId, apiKey });
      }
      return lab;
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  /** A database and a data folder of a test's own. */
  async newPlace(cluster = this.cluster): Promise<{ database: string; dataDir: string }> {
    this.#databases += 1;
    const database = `faults_${this.#databases}`;
    await cluster.query("postgres", `CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
    const dataDir = path.join(this.folder, database);
    mkdirSync(dataDir, { recursive: true });
    cpSync(path.join(this.folder, "template"), dataDir, { recursive: true });
    return { database, dataDir };
  }

  async close(): Promise<void> {
    await this.cluster.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
