import "server-only";
import pg from "pg";
import { dispatch } from "@/lib/engine/client";
import { afterCommit, inTransaction } from "@/lib/platform/postgres";

/**
 * A process of its own that dispatches the event `argv[3]` to an Inngest server and is killed as
 * soon as the transaction has committed, before anything is sent.
 */
const pool = new pg.Pool({ connectionString: process.argv[2] });
await inTransaction(pool, async (tx) => {
  afterCommit(tx, () => void process.kill(process.pid, "SIGKILL"));
  await dispatch(tx, {
    id: process.argv[3] ?? "",
    name: "account/deletion-requested",
    data: { account_id: "01a20548-0d99-7f64-9921-d7347d961963" },
  });
});
