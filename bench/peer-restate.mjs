import { randomUUID } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { callModel } from "./call-model.mjs";
import { requireOfPeer } from "./peer-packages.mjs";

/**
 * The same runs on Restate, as its guides have it: a service whose one durable step calls the
 * model; what was asked and what came of it are in the journal of its server, which clients start
 * runs at and read them from themselves. It streams nothing: who wants to see a run's text as it
 * comes asks this process, which waits for the server's answer. A process of its own.
 *
 * @typedef {{ model: string, input: { text: string }, reader?: string }} RunRequest
 * @typedef {import("node:http").ServerResponse} ServerResponse
 */
const { INGRESS_URL } = process.env;
const { createEndpointHandler, service } = requireOfPeer("restate", "@restatedev/restate-sdk");
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
/** Who reads along. @type {Map<string, ServerResponse>} */
const streams = new Map();

const agents = service({
  name: "agents",
  handlers: {
    run: async (
      /** @type {any} */ context, // its types are not installed
      /** @type {RunRequest} */ { model, input, reader = "" },
    ) => {
      const result = await context.run("model", () =>
        callModel(model, input.text, (lines) => void streams.get(reader)?.write(lines)),
      );
      return { status: "completed", result };
    },
  },
});
const endpoint = createHttp2Server(createEndpointHandler({ services: [agents] }));

const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
  let text = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (part) => {
    text += part;
  });
  incoming.on("end", () => {
    stream(JSON.parse(text), response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
});
endpoint.listen(0, "127.0.0.1", 4096, () =>
  server.listen(0, "127.0.0.1", 4096, () =>
    process.send?.({ port: portOf(server), endpoint: portOf(endpoint) }),
  ),
);
process.on("disconnect", () => process.exit(0));

/**
 * @param {RunRequest} run
 * @param {ServerResponse} response
 */
async function stream(run, response) {
  const reader = randomUUID();
  streams.set(reader, response);
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.write(`${JSON.stringify({ type: "run.created", run_id: reader })}\n`);
  const { result } = JSON.parse(await ask(JSON.stringify({ ...run, reader })));
  streams.delete(reader);
  response.end(`${JSON.stringify({ type: "run.completed", result })}\n`);
}

/**
 * @param {string} body
 * @returns {Promise<string>}
 */
function ask(body) {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const call = request(
      `${INGRESS_URL}/agents/run`,
      { method: "POST", agent, headers },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part) => {
          text += part;
        });
        answer.on("end", () =>
          answer.statusCode === 200 ? resolve(text) : reject(new Error(text)),
        );
        answer.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** @param {import("node:net").Server} listening */
function portOf(listening) {
  const address = listening.address();
  return typeof address === "object" ? address?.port : undefined;
}
