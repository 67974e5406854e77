import { createServer, type IncomingMessage, type Server } from "node:http";
import { freePort } from "../../support/servers";

/**
 * What a process of the service asks of an Inngest server to know that it is there: takes the
 * registration of functions and says which it has. It can go away and come back at its address,
 * without what it knew.
 */
export class InngestStandIn {
  #functions: unknown[] = [];
  #server: Server | null = null;

  private constructor(readonly port: number) {}

  static async start(): Promise<InngestStandIn> {
    const standIn = new InngestStandIn(await freePort());
    await standIn.comeBack();
    return standIn;
  }

  get environment(): Record<string, string> {
    return {
      INNGEST_BASE_URL: `http://127.0.0.1:${this.port}`,
      INNGEST_EVENT_KEY: "0123456789abcdef",
      INNGEST_SIGNING_KEY: "0123456789abcdef0123456789abcdef",
    };
  }

  async comeBack(): Promise<void> {
    const server = createServer(async (request, response) => {
      if (request.method === "POST" && request.url === "/fn/register") {
        // What the SDK sends.
        const sent = JSON.parse(await textOf(request)) as { functions: unknown[] };
        this.#functions = sent.functions;
        response.end(JSON.stringify({ ok: true, modified: true }));
      } else if (request.url === "/v1/apps/lathe/functions")
        response.end(JSON.stringify(this.#functions));
      else response.writeHead(404).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.#server = server;
  }

  async goAway(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#functions = [];
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
