import "server-only";
import { systemTimer, type Timer } from "@/lib/server/body-guard";

export interface FairQueueLimits {
  /** Cost of all requests in work at once. */
  total: number;
  /** Cost of one client's requests in work at once, while others are about. */
  each: number;
  /**
   * The same of a client that has been alone for a while; of it, what costs more than 1 a request
   * keeps to `each`.
   */
  alone: number;
  /** Requests of one client that may wait. */
  waitingEach: number;
}

interface Entry {
  /** Who asks: whose requests wait for each other. */
  client: string;
  /** 1 for most; more for what holds the processor longer. */
  cost: number;
  /**
   * False for a request whose body is still on its way: a slow sender takes a place of its own
   * client's, never of all.
   */
  shared: boolean;
  start: () => void;
}

interface Client {
  name: string;
  inWork: number;
  /** Of that what costs more than 1 a request. */
  dearInWork: number;
  waiting: Set<Entry>;
  /** Lets others have the processor for a moment. */
  isResting: boolean;
}

/**
 * A client with more waiting than this floods: it rests between its requests while others are
 * about.
 */
const FLOOD_WAITING = 16;
/** Others are about while one has asked within this time. */
const ABOUT_MS = 1_000;
const REST_MAX_MS = 20;
/** Alone is a client where nobody else has asked for as long as this. */
const ALONE_MS = 10_000;

/**
 * Lets requests into work: few of one client's at a time, and the clients in turn. However many
 * requests one client has open, at most `each` of them are in front of another client's next one.
 * Where nobody else asks, more of them are in work together, which costs less than one after the
 * other; the first request of somebody new finds at most `alone` in front of it.
 * One that floods while others are about rests after each request for as long as that took: a
 * processor that one client keeps busy without a pause answers everybody late, however few of its
 * requests are in work.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  readonly #timer: Timer;
  readonly #clients = new Map<string, Client>();
  /** Clients with something waiting and a place free, in the order of their turns. */
  readonly #turns = new Set<Client>();
  #inWork = 0;
  #starting = false;
  /** Who asked last, and who last before that was somebody else. */
  #latest = { name: "", at: Number.NEGATIVE_INFINITY };
  #previous = this.#latest;
  readonly #startedAt = new WeakMap<Entry, number>();

  constructor(
    limits: FairQueueLimits,
    now: () => number = () => performance.now(),
    timer: Timer = systemTimer,
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#timer = timer;
  }

  /**
   * Starts the request, now or when its turn comes. @returns what ends its work or its waiting;
   * null when its client has too many waiting
   */
  enter(entry: Entry): (() => void) | null {
    this.#noteAsking(entry.client);
    const client = this.#clients.get(entry.client) ?? {
      name: entry.client,
      inWork: 0,
      dearInWork: 0,
      waiting: new Set(),
      isResting: false,
    };
    if (client.waiting.size >= this.#limits.waitingEach) return null;
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
      if (entry.cost > 1) client.dearInWork -= entry.cost;
      if (entry.shared) this.#inWork -= entry.cost;
      if (this.#isFlooding(client))
        this.#rest(client, this.#now() - (this.#startedAt.get(entry) ?? this.#now()));
    }
    if (client.inWork === 0 && client.waiting.size === 0) {
      this.#clients.delete(entry.client);
      this.#turns.delete(client);
    }
    this.#startInTurn(client);
  }

  #noteAsking(name: string): void {
    if (this.#latest.name !== name) this.#previous = this.#latest;
    this.#latest = { name, at: this.#now() };
  }

  #isFlooding(client: Client): boolean {
    if (client.waiting.size < FLOOD_WAITING || client.isResting) return false;
    return this.#isAnotherAbout(client, ABOUT_MS);
  }

  /** Whether somebody else has asked within so many milliseconds. */
  #isAnotherAbout({ name }: Client, withinMs: number): boolean {
    const other = this.#latest.name === name ? this.#previous : this.#latest;
    return other.at >= this.#now() - withinMs;
  }

  #rest(client: Client, workedMs: number): void {
    client.isResting = true;
    this.#timer(Math.min(REST_MAX_MS, Math.max(1, workedMs)), () => {
      client.isResting = false;
      this.#startInTurn(client);
    });
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
        if (!entry || (entry.shared && !this.#fits(this.#inWork, entry.cost, this.#limits.total)))
          continue;
        this.#start(client, entry);
        started = true;
        break;
      }
    }
    this.#starting = false;
  }

  #start(client: Client, entry: Entry): void {
    client.waiting.delete(entry);
    this.#startedAt.set(entry, this.#now());
    client.inWork += entry.cost;
    if (entry.cost > 1) client.dearInWork += entry.cost;
    if (entry.shared) this.#inWork += entry.cost;
    // To the end of the turns.
    this.#turns.delete(client);
    this.#place(client);
    entry.start();
  }

  #place(client: Client): void {
    const next = first(client.waiting);
    if (next && !client.isResting && this.#fitsClient(client, next)) this.#turns.add(client);
    else this.#turns.delete(client);
  }

  #fitsClient(client: Client, { cost }: Entry): boolean {
    const { each, alone } = this.#limits;
    if (cost > 1 && !this.#fits(client.dearInWork, cost, each)) return false;
    const limit = this.#isAnotherAbout(client, ALONE_MS) ? each : alone;
    return this.#fits(client.inWork, cost, limit);
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

const TURN_MS = 10;

/**
 * Does cheap things a few at a time: some 500 a second. A client that asks again the moment it is
 * refused would otherwise be refused thousands of times a second, and each other request would wait
 * behind that; held back, it asks no faster than it is answered.
 */
export class PacedLane {
  readonly #eachTurn: number;
  readonly #waitingMax: number;
  readonly #nextTurn: (work: () => void) => void;
  #waiting: (() => void)[] = [];
  #doneInTurn = 0;
  #isTurning = false;

  constructor(
    eachTurn = 5,
    waitingMax = 5_000,
    nextTurn: (work: () => void) => void = (work) => void setTimeout(work, TURN_MS).unref(),
  ) {
    this.#eachTurn = eachTurn;
    this.#waitingMax = waitingMax;
    this.#nextTurn = nextTurn;
  }

  /** @returns false when too many wait already; then nothing will be done */
  do(work: () => void): boolean {
    if (this.#waiting.length >= this.#waitingMax) return false;
    if (this.#doneInTurn < this.#eachTurn && this.#waiting.length === 0) {
      this.#doneInTurn += 1;
      work();
    } else {
      this.#waiting.push(work);
    }
    this.#turn();
    return true;
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#nextTurn(() => {
      this.#isTurning = false;
      const now = this.#waiting.splice(0, this.#eachTurn);
      this.#doneInTurn = now.length;
      for (const work of now) work();
      if (this.#waiting.length > 0 || now.length > 0) this.#turn();
    });
  }
}
