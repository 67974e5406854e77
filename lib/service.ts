import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";

/** What a service is set up by, named as in `.env.example`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What every service has one of: a pool, a cache, a limit, its settings. Called, it is that of the
 * current service, which makes it when it is first asked for.
 */
export interface Part<T> {
  (): T;
  readonly partName: string;
  readonly create: (service: Service) => T;
  readonly close: ((made: T) => unknown) | null;
}

/**
 * Says what every service has one of. Bundlers load a module several times in a process, so `name`,
 * not this definition, is what a service knows a part by.
 * @param create called once a service. It may ask for other parts; they are closed after this one
 * @param close what ends the handles, timers and threads that the part holds, awaited
 */
export function definePart<T extends object | string | number | boolean | null>(
  name: string,
  create: (service: Service) => T,
  close: ((made: T) => unknown) | null = null,
): Part<T> {
  const part: Part<T> = Object.assign(() => currentService().of(part), {
    ...{ partName: name, create, close },
  });
  return part;
}

/** Something was asked for that a closed service does not make again. */
export class ServiceClosed extends Error {
  override readonly name = "ServiceClosed";
  constructor(partName: string) {
    super(`The service is closed, and with it its part "${partName}".`);
  }
}

const BEING_MADE = Symbol("being made");

/**
 * One whole service: all that it shares among its requests and runs, each thing made when it is
 * first asked for, and closed in the reverse order in which it was made.
 */
export class Service {
  readonly #made = new Map<string, unknown>();
  readonly #closers: (() => unknown)[] = [];
  readonly #workers: (() => unknown)[] = [];
  #closing: Promise<void> | null = null;
  #isClosed = false;

  /** @param variables null for those of the process */
  constructor(readonly variables: Variables | null) {}

  /**
   * @throws what its making throws, of which nothing is kept: the next who asks tries again;
   * ServiceClosed
   */
  of<T>(part: Part<T>): T {
    const made = this.#made.get(part.partName);
    if (made !== undefined && made !== BEING_MADE) return made as T; // a name has one definition
    return this.#make(part);
  }

  #make<T>(part: Part<T>): T {
    const { partName: name, create, close } = part;
    if (this.#made.get(name) === BEING_MADE)
      throw new Error(`The service's part "${name}" cannot be made of itself.`);
    // What holds nothing open may be had of a closed service: late work still logs.
    if (this.#isClosed && close) throw new ServiceClosed(name);
    this.#made.set(name, BEING_MADE);
    let made: T;
    try {
      made = runInService(this, () => create(this));
    } catch (error) {
      this.#made.delete(name);
      throw error;
    }
    this.#made.set(name, made);
    if (close)
      this.#closers.push(() => {
        // Only now: what is closed before it may still need it.
        if (this.#made.get(name) === made) this.#made.delete(name);
        return close(made);
      });
    return made;
  }

  /** Has this service use `value` from now on. Whoever gives it closes it, after the service. */
  give<T>(part: Part<T>, value: T): void {
    this.#made.set(part.partName, value);
  }

  /**
   * Has `end` awaited before any part is closed: for what works on its own, and so has parts made
   * after it. The last that began ends first.
   */
  beforeClose(end: () => unknown): void {
    this.#workers.push(end);
  }

  /**
   * Ends what works, then all that was made, the last first, also what is made meanwhile. A second
   * call is the first one's.
   * @throws AggregateError of what could not be closed, after all else has been
   */
  close(): Promise<void> {
    this.#closing ??= runInService(this, () => this.#closeAll());
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const problems: unknown[] = [];
    const next = () => this.#workers.pop() ?? this.#closers.pop();
    for (let close = next(); close; close = next())
      try {
        await close();
      } catch (error) {
        problems.push(error);
      }
    this.#isClosed = true;
    if (problems.length > 0) throw new AggregateError(problems, "A part could not be closed.");
  }
}

/**
 * The one place of a process, whichever of its bundles asks. Its number changes with its shape, so
 * that two versions of this module never read each other's.
 */
interface Place {
  /** What is current where no other is. */
  service: Service | null;
  /** Made with the first service that runs beside the process's own: until then nobody pays. */
  scope: AsyncLocalStorage<Service> | null;
}

const PLACE = Symbol.for("lathe.service.1");

function findPlace(): Place {
  const global = globalThis as { [PLACE]?: Place }; // the global object declares no symbols
  global[PLACE] ??= { service: null, scope: null };
  return global[PLACE];
}

const place = findPlace();

/** The service of the work that asks: that of `runInService`, else the process's. */
export function currentService(): Service {
  const scoped = place.scope?.getStore();
  if (scoped) return scoped;
  place.service ??= new Service(null);
  return place.service;
}

/** A service of these variables and no others, beside whatever else there is in the process. */
export function createService(variables: Variables): Service {
  return new Service(variables);
}

/** Does `work`, and all that it starts, as that of `service`. */
export function runInService<T>(service: Service, work: () => T): T {
  if (currentService() === service) return work();
  place.scope ??= new AsyncLocalStorage();
  return place.scope.run(service, work);
}

/**
 * Makes `service` the process's own, for a test file or a command that has no other.
 * @returns what puts the one before in its place again
 */
export function holdService(service: Service): () => void {
  const before = place.service;
  place.service = service;
  return () => {
    if (place.service === service) place.service = before;
  };
}

/** Closes the process's service, at the end of a command. Who asks afterwards begins another. */
export async function closeProcessService(): Promise<void> {
  const { service } = place;
  await service?.close();
  if (place.service === service) place.service = null;
}
