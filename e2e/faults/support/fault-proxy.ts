import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * What the proxy does with what passes it: `pass`; `blackhole`: nothing arrives any more, in either
 * direction, and nobody is told (what was sent meanwhile arrives when the network is back, as TCP
 * sends it again); `reset`: connections are cut, and new ones refused; a number: so many
 * milliseconds later.
 */
export type ProxyMode = "pass" | "blackhole" | "reset" | number;

interface Link {
  client: Socket;
  server: Socket | null;
  mode: ProxyMode;
  /** Its next answer is swallowed, and the connection cut. */
  isDoomed: boolean;
}

/** A proxy on loopback before one server, whose faults a test switches on and off. */
export class FaultProxy {
  #links = new Set<Link>();
  #mode: ProxyMode = "pass";
  #swallow: { pattern: RegExp; skip: number; left: number } | null = null;
  #swallowed = 0;

  #target: number;

  private constructor(
    readonly server: Server,
    readonly port: number,
    target: number,
  ) {
    this.#target = target;
    server.on("connection", (client) => this.#accept(client));
  }

  static async start(target: number): Promise<FaultProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new Error("The proxy listens on no port.");
    return new FaultProxy(server, address.port, target);
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Answers swallowed so far by `swallowAnswers`. */
  get swallowed(): number {
    return this.#swallowed;
  }

  /** For all connections, those that are still to come too. */
  setMode(mode: ProxyMode): void {
    this.#mode = mode;
    for (const link of this.#links) this.#apply(link, mode);
  }

  /** Those that are open now carry nothing any more; new ones pass. */
  blackholeOpen(): void {
    for (const link of this.#links) this.#apply(link, "blackhole");
  }

  /** New connections go elsewhere, as after a fail-over; those that are open are cut. */
  retarget(port: number): void {
    this.#target = port;
    this.cut();
  }

  cut(): void {
    for (const link of [...this.#links]) end(link);
  }

  /**
   * After `skip` requests that match, the next `count` arrive; their answers do not, and their
   * connections are cut.
   */
  swallowAnswers(pattern: RegExp, count: number, skip = 0): void {
    this.#swallow = { pattern, skip, left: count };
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  #accept(client: Socket): void {
    const link: Link = { client, server: null, mode: this.#mode, isDoomed: false };
    client
      .setNoDelay(true)
      .on("error", () => end(link))
      .on("close", () => this.#forget(link));
    if (this.#mode === "reset") return void client.resetAndDestroy();
    this.#links.add(link);
    if (this.#mode === "blackhole") client.pause();
    else this.#connect(link);
  }

  #connect(link: Link): void {
    const server = connect(this.#target, "127.0.0.1").setNoDelay(true);
    link.server = server;
    server.on("error", () => end(link)).on("close", () => this.#forget(link));
    link.client.on("data", (data) => {
      this.#look(link, data);
      forward(link, data, server);
    });
    server.on("data", (data) => {
      if (!link.isDoomed) return forward(link, data, link.client);
      this.#swallowed += 1;
      end(link);
    });
    link.client.on("end", () => server.end());
    server.on("end", () => link.client.end());
  }

  /**
   * Requests of one write are looked at as they come: a pattern must not lie across two packets.
   */
  #look(link: Link, data: Buffer): void {
    const swallow = this.#swallow;
    if (!swallow || swallow.left === 0 || !swallow.pattern.test(data.toString("latin1"))) return;
    if (swallow.skip > 0) swallow.skip -= 1;
    else {
      swallow.left -= 1;
      link.isDoomed = true;
    }
  }

  #apply(link: Link, mode: ProxyMode): void {
    link.mode = mode;
    if (mode === "reset") {
      link.client.resetAndDestroy();
      link.server?.destroy();
    } else if (mode === "blackhole") {
      link.client.pause();
      link.server?.pause();
    } else {
      if (!link.server) this.#connect(link);
      link.client.resume();
      link.server?.resume();
    }
  }

  #forget(link: Link): void {
    this.#links.delete(link);
    end(link);
  }
}

function forward(link: Link, data: Buffer, to: Socket): void {
  if (typeof link.mode === "number") setTimeout(() => to.write(data), link.mode);
  else to.write(data);
}

function end(link: Link): void {
  link.client.destroy();
  link.server?.destroy();
}
