import "server-only";

export interface FairQueueLimits {
  /** Cost of all requests in work at once. */
  total: number;
  /** Cost of one client's requests in work at once. */
  each: number;
  /** Requests of one client that may wait. */
  waitingEach: number;
}

export interface Entry {
  /** Who asks: whose requests wait for each other. */
  client: string;
  /** 1 for most; more for what holds the processor longer. */
  cost: number;
  /** False for a request whose body is still on its way: a slow sender takes a place of its own client's, never of all. */
  shared: boolean;
  start: () => void;
}

interface Client {
  inWork: number;
  waiting: Set<Entry>;
}

/**
 * Lets requests into work: few of one client's at a time, and the clients in turn. However many requests one client has open, at most `each` of them are
 * in front of another client's next one.
 */
export class FairQueue {
  readonly #clients = new Map<string, Client>();
  /** Clients with something waiting and a place free, in the order of their turns. */
  readonly #turns = new Set<Client>();
  #inWork = 0;
  #starting = false;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Starts the request, now or when its turn comes. @returns what ends its work or its waiting; null when its client has too many waiting */
  enter(entry: Entry): (() => void) | null {
    const client = this.#clients.get(entry.client) ?? { inWork: 0, waiting: new Set() };
    if (client.waiting.size >= this.limits.waitingEach) return null;
    this.#clients.set(entry.client, client);
    client.waiting.add(entry);
    this.#startInTurn(client);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(client, entry);
    };
  }

  #leave(client: Client, entry: Entry): void {
    if (!client.waiting.delete(entry)) {
      client.inWork -= entry.cost;
      if (entry.shared) this.#inWork -= entry.cost;
    }
    if (client.inWork === 0 && client.waiting.size === 0) {
      this.#clients.delete(entry.client);
      this.#turns.delete(client);
    }
    this.#startInTurn(client);
  }

  #startInTurn(changed: Client): void {
    this.#place(changed);
    // What is started may end at once and call this again: the loop below goes on for it.
    if (this.#starting) return;
    this.#starting = true;
    for (let started = true; started; ) {
      started = false;
      for (const client of this.#turns) {
        const entry = first(client.waiting);
        if (!entry || (entry.shared && !this.#fits(this.#inWork, entry.cost, this.limits.total))) continue;
        this.#start(client, entry);
        started = true;
        break;
      }
    }
    this.#starting = false;
  }

  #start(client: Client, entry: Entry): void {
    client.waiting.delete(entry);
    client.inWork += entry.cost;
    if (entry.shared) this.#inWork += entry.cost;
    // To the end of the turns.
    this.#turns.delete(client);
    this.#place(client);
    entry.start();
  }

  #place(client: Client): void {
    const next = first(client.waiting);
    if (next && this.#fits(client.inWork, next.cost, this.limits.each)) this.#turns.add(client);
    else this.#turns.delete(client);
  }

  /** What costs more than the whole limit goes in alone. */
  #fits(inWork: number, cost: number, limit: number): boolean {
    return inWork === 0 || inWork + cost <= limit;
  }
}

function first<T>(set: Set<T>): T | undefined {
  for (const value of set) return value;
  return undefined;
}
