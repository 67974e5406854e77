import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * What `npm run bench` compares with, and `npm run task -- bench:peers` installs: by side its
 * packages, and what has to be there for it to be started.
 * @type {Record<string, { title: string, packages: Record<string, string>, needs: string }>}
 */
export const PEERS = {
  langgraph: {
    title: "LangGraph's development server",
    packages: {
      "@langchain/core": "^1.2.13",
      "@langchain/langgraph": "^1.2.9",
      "@langchain/langgraph-api": "^2.0.0",
      "@langchain/langgraph-checkpoint": "^1.0.4",
      "@langchain/langgraph-cli": "^2.0.0",
      "@langchain/langgraph-sdk": "^2.0.0",
      "@langchain/openai": "^1.2.0",
      typescript: "^5.9.3",
      zod: "^4.6.7",
    },
    needs: ".bin/langgraphjs",
  },
  dbos: {
    title: "DBOS",
    packages: { "@dbos-inc/dbos-sdk": "5.3.0" },
    needs: "@dbos-inc/dbos-sdk",
  },
  restate: {
    title: "Restate",
    packages: { "@restatedev/restate-server": "1.7.12", "@restatedev/restate-sdk": "1.17.2" },
    needs: ".bin/restate-server",
  },
};

/**
 * Where a peer is installed: outside of the clone, once for all clones. BENCH_PEERS_DIR names
 * another folder.
 * @param {string} name
 */
export function peerFolder(name) {
  const folder =
    process.env.BENCH_PEERS_DIR ||
    join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "lathe-bench-peers");
  return join(folder, name);
}

/** @param {string} name a key of PEERS */
export function isInstalled(name) {
  return existsSync(join(peerFolder(name), "node_modules", PEERS[name]?.needs ?? ""));
}

/**
 * A package of a peer's, which is no dependency of the clone.
 * @param {string} name a key of PEERS
 * @param {string} specifier
 * @returns {any} its types are not installed
 */
export function requireOfPeer(name, specifier) {
  return createRequire(join(peerFolder(name), "package.json"))(specifier);
}
