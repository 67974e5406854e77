import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface GivenAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A server on loopback that keeps what it is sent. */
export class RecordingServer {
  readonly received: ReceivedRequest[] = [];
  readonly #server;

  private constructor(answer: (request: ReceivedRequest) => GivenAnswer | Promise<GivenAnswer>) {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      // A request's pieces are buffers.
      for await (const part of request) parts.push(part as Buffer);
      const { method = "", url = "", headers } = request;
      const received = { method, path: url, headers, body: Buffer.concat(parts).toString("utf8") };
      this.received.push(received);
      const {
        status = 200,
        headers: more = { "content-type": "text/plain" },
        body = "",
      } = await answer(received);
      response.writeHead(status, more).end(body);
    });
  }

  static async start(
    answer: (request: ReceivedRequest) => GivenAnswer | Promise<GivenAnswer> = () => ({}),
  ): Promise<RecordingServer> {
    const made = new RecordingServer(answer);
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on TCP
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
