import { homedir } from "node:os";
import { join } from "node:path";

/** Where `npm run bench:peers` installs what the service is compared with: outside of the clone, once for all clones. BENCH_PEERS_DIR names another folder. */
export function peersFolder() {
  return process.env.BENCH_PEERS_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "lathe-bench-peers");
}
