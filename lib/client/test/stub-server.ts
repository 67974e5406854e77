import { createServer, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export interface StubRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface StubServer {
  url: string;
  requests: StubRequest[];
}

/** A server on loopback that answers as the test says; it ends with the test. */
export async function startStubServer(answer: (request: StubRequest, response: ServerResponse) => void): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer); // no encoding was set
    const request = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(parts).toString(),
    };
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The stub listens on no port.");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}
