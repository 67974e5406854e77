import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  url: string;
  /** Connections so far. */
  connections(): number;
  close(): void;
}

/**
 * A proxy on loopback that breaks connections: the first of them after so many bytes from the
 * service as the first number says, and so on; the rest live. `answers` are given in the service's
 * place to the first requests, a connection each.
 */
export async function startCuttingProxy(
  serviceUrl: string,
  budgets: number[],
  answers: string[] = [],
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((client) => {
    const answer = answers[count];
    if (answer !== undefined) {
      count += 1;
      client.on("error", () => undefined).once("data", () => client.end(answer));
      return;
    }
    let left = budgets[count++] ?? Number.POSITIVE_INFINITY;
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => [client, service].forEach((each) => void each.destroy()));
    }
    client.pipe(service);
    service.on("data", (data) => {
      const part = data.subarray(0, left);
      left -= part.length;
      client.write(part, () => left <= 0 && client.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The proxy listens on no port.");
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}`, connections: () => count, close };
}

export interface SharedAddress {
  url: string;
  /** Has connections go to `port` from now on, too. */
  add(port: number): void;
  /**
   * As where a process does not answer its checks: its connections are cut, new ones go elsewhere.
   */
  takeOut(port: number): void;
  /** Breaks all connections; new ones pass. */
  cut(): void;
  stop(): Promise<void>;
}

/**
 * One address for several processes, as a proxy in front of them has it: each connection goes to
 * the next port that takes it.
 */
export async function startSharedAddress(first: readonly number[]): Promise<SharedAddress> {
  let turn = 0;
  const ports = new Set(first);
  const sockets = new Set<Socket>();
  const forward = (client: Socket, tries: number) => {
    const port = [...ports][turn++ % ports.size];
    if (tries === 0 || port === undefined) return void client.destroy();
    const service = connect(port, "127.0.0.1");
    let isConnected = false;
    service.on("connect", () => {
      isConnected = true;
      sockets.add(service);
      client.pipe(service).pipe(client);
    });
    // A process that is gone takes no connection; one that ends breaks those that it has.
    service.on("error", () => !isConnected && forward(client, tries - 1));
    service.on("close", () => {
      sockets.delete(service);
      if (isConnected) client.destroy();
    });
    client.on("close", () => service.destroy());
  };
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    client.on("close", () => sockets.delete(client));
    forward(client, ports.size);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The shared address has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: (port) => void ports.add(port),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    takeOut(port) {
      ports.delete(port);
      for (const socket of sockets) if (socket.remotePort === port) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
