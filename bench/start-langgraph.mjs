import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../scripts/setup/free-port.mjs";
import { graphName } from "./calls.mjs";
import { peerFolder } from "./peer-packages.mjs";
import { startServer } from "./processes.mjs";

const MODELS = ["n1-i0", "n200-i0", "n100-i10"];

/**
 * LangGraph's development server (in memory), one graph a model.
 * @param {{ modelUrl: string }} options
 * @param {import("../scripts/setup/run-script.mjs").Shutdown} shutdown
 */
export async function startLanggraph({ modelUrl }, shutdown) {
  const folder = peerFolder("langgraph");
  const command = join(folder, "node_modules/.bin/langgraphjs");
  rmSync(join(folder, ".langgraph_api"), { recursive: true, force: true });
  const graphs = Object.fromEntries(
    MODELS.map((model) => [graphName(model), `./graph.mjs:${graphName(model)}`]),
  );
  writeFileSync(
    join(folder, "langgraph.json"),
    JSON.stringify({ node_version: "20", graphs, env: {} }),
  );
  writeFileSync(join(folder, "graph.mjs"), graphSource(modelUrl));
  const port = await freePort();
  const server = await startServer(
    {
      name: "LangGraph",
      command,
      args: ["dev", "--no-browser", "--host", "127.0.0.1", "--port", String(port), "-n", "10"],
      cwd: folder,
      // It reports to its makers otherwise, and restarts whenever a file of its folder changes.
      env: {
        ...process.env,
        LANGGRAPH_CLI_NO_ANALYTICS: "1",
        LANGSMITH_TRACING: "false",
        LANGCHAIN_TRACING_V2: "false",
        BROWSER: "none",
      },
      url: `http://127.0.0.1:${port}/ok`,
    },
    shutdown,
  );
  return { name: "langgraph", port, headers: {}, pids: [server.child.pid] };
}

/** @param {string} model */
const exported = (model) => `export const ${graphName(model)} = graph(${JSON.stringify(model)});`;

/** @param {string} modelUrl */
function graphSource(modelUrl) {
  return `import { ChatOpenAI } from "@langchain/openai";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

function graph(model) {
  const chat = new ChatOpenAI({ model, apiKey: "none", streaming: true, streamUsage: true, \
maxRetries: 0, configuration: { baseURL: ${JSON.stringify(modelUrl)} } });
  const agent = async ({ messages }) => ({ messages: [await chat.invoke(messages)] });
  return new StateGraph(MessagesAnnotation).addNode("agent", agent).addEdge(START, \
"agent").addEdge("agent", END).compile();
}
${MODELS.map(exported).join("\n")}
`;
}
