import { createServer, type Server } from "node:http";

export interface ReceivedHook {
  at: number;
  /** The header `webhook-id`. */
  id: string;
  runId: string;
  status: string;
  text: string | null;
}

interface ReceivedEvent {
  at: number;
  /** The header `webhook-id`. */
  id: string;
  type: string;
  runId: string;
}

export interface ReceivedEffect {
  at: number;
  idempotencyKey: string;
  key: string;
  turn: number;
}

/**
 * What the service calls on loopback: the webhooks of runs at `/hooks`, an endpoint of events at
 * `/events`, and the tool that changes
 * something at `/effects`.
 */
export class FaultReceiver {
  readonly hooks: ReceivedHook[] = [];
  readonly events: ReceivedEvent[] = [];
  readonly effects: ReceivedEffect[] = [];
  /** Set: the receiver answers with this status. */
  status: number | null = null;

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {
    server.on("request", async (request, response) => {
      const parts: Buffer[] = [];
      // A request without an encoding gives bytes.
      for await (const part of request) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString("utf8") || "{}");
      const at = Date.now();
      if (request.url?.startsWith("/hooks"))
        this.hooks.push({
          at,
          id: String(request.headers["webhook-id"]),
          runId: body.runId,
          status: body.status,
          text: body.result?.text ?? null,
        });
      else if (request.url?.startsWith("/events"))
        this.events.push({
          at,
          id: String(request.headers["webhook-id"]),
          type: body.type,
          runId: body.data.run_id,
        });
      else
        this.effects.push({
          at,
          idempotencyKey: String(request.headers["idempotency-key"]),
          key: body.key,
          turn: body.turn,
        });
      response
        .writeHead(this.status ?? 200, { "content-type": "application/json" })
        .end('{"ok":true}');
    });
  }

  static async start(): Promise<FaultReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new Error("The receiver listens on no port.");
    return new FaultReceiver(server, address.port);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
