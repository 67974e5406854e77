import "server-only";
import { testFunction } from "@/lib/engine/test/fake-engine";
/** What a test keeps closed until it has seen what it wants to see: steps wait at it. */
export type Gates = Map<string, () => void>;

interface Data {
  key: string;
  [name: string]: unknown;
}

/**
 * Functions that use of the engine what the functions of lib/jobs use, each in the way in which
 * they do. An engine that drives these as the suite says drives ours.
 * Each notes what it does under `event.data.key`, and its end as `end …`.
 */
export function conformanceFunctions(journal: Journal, gates: Gates) {
  const note = (data: unknown, entry: string) => journal.add((data as Data).key, entry);
  const pass = (name: string) => new Promise<void>((resolve) => gates.set(name, resolve));
  const data = (event: { data: Data }) => event.data;

  return [
    // As execute-run: a loop of steps, each with what the one before gave.
    testFunction<Data>(
      { id: "steps", triggers: [{ event: "c/steps" }] },
      async ({ event, step }) => {
        let sum = 0;
        for (let turn = 0; turn < 5; turn++) {
          sum += Number(
            await step.run(`turn-${turn}`, () => {
              note(data(event), `turn-${turn}`);
              return turn;
            }),
          );
        }
        await step.run("end", () => note(data(event), `end ${sum}`));
      },
    ),
    // As every function with retries.
    testFunction<Data>(
      { id: "flaky", retries: 4, triggers: [{ event: "c/flaky" }] },
      async ({ event, step }) => {
        await step.run("first", () => note(data(event), "first"));
        await step.run("flaky", () => {
          if (note(data(event), "flaky") < 3) throw new Error("not yet");
        });
        await step.run("end", () => note(data(event), "end"));
      },
    ),
    testFunction<Data>(
      {
        id: "broken",
        retries: 1,
        triggers: [{ event: "c/broken" }],
        onFailure: async ({ event, error }) => {
          note(event.data, `end ${error.message}`);
        },
      },
      async ({ event, step }) => {
        await step.run("broken", () => {
          note(data(event), "broken");
          throw new Error("as broken as ever");
        });
      },
    ),
    // As deliver-webhook: a pause in milliseconds that a step has chosen. The SDK leaves parts of a
    // second out.
    testFunction<Data>(
      { id: "pauses", triggers: [{ event: "c/pauses" }] },
      async ({ event, step }) => {
        const from = Number(await step.run("from", () => Date.now()));
        const pauseMs = await step.run("pause", () => 2_000);
        await step.sleep("wait", Number(pauseMs));
        await step.run("end", () =>
          note(data(event), `end ${Date.now() - from >= 1_900 ? "in time" : "too early"}`),
        );
      },
    ),
    // As callToolSteps: the wait is there before anybody is asked, and only then a step asks, or
    // looks whether the answer is known already.
    testFunction<Data>(
      {
        id: "asks",
        retries: 1,
        onFailure: async ({ event, error }) => {
          note(event.data, `end ${error.message}`);
        },
        triggers: [{ event: "c/asks" }],
      },
      async ({ event, step }) => {
        const { key, timeout } = data(event);
        const [known, answer] = await step.askAndWait(
          {
            id: "ask",
            work: async () => {
              note(data(event), "asked");
              if (data(event).gate) await pass(key);
              if (data(event).broken) throw new Error("as broken as ever");
              return Boolean(data(event).known);
            },
            awaits: (known) => !known,
          },
          "answer",
          {
            event: "c/answered",
            match: { field: "question", value: key },
            timeoutSeconds: Number(timeout),
          },
        );
        const given = known ? "known" : (answer?.data.text ?? "nobody");
        await step.run("end", () => note(data(event), `end ${given}`));
        // What is made after a wait is made once.
        await step.run("after", () => note(data(event), "after"));
      },
    ),
    // As execute-run: ended from outside, by a field of the event that started it.
    testFunction<Data>(
      {
        id: "ended-early",
        triggers: [{ event: "c/cancel" }],
        cancelOn: [{ event: "c/cancelled", field: "key" }],
      },
      async ({ event, step }) => {
        const { key } = data(event);
        await step.run("first", async () => {
          note(data(event), "first");
          await pass(key);
        });
        await step.run("end", () => note(data(event), "end"));
      },
    ),
    // As execute-run and deliver-webhook: so many at once of one value of each key.
    testFunction<Data>(
      {
        id: "in-turn",
        triggers: [{ event: "c/in-turn" }],
        limits: [
          { limit: 2, field: "account" },
          { limit: 3, field: "host" },
        ],
      },
      async ({ event, step }) => {
        const { account, host, key } = event.data as Data & { account: string; host: string };
        await step.run("work", async () => {
          for (const each of [account, host]) journal.add(`${each} at work`, "+");
          await pass(key);
          for (const each of [account, host]) journal.add(`${each} at work`, "-");
        });
        await step.run("end", () => note(data(event), "end"));
      },
    ),
    // As cancel-children: only the events that the trigger's condition lets through.
    testFunction<Data>(
      {
        id: "some-kind",
        triggers: [{ event: "c/kind", where: { field: "kind", value: "wanted" } }],
      },
      async ({ event, step }) => void (await step.run("end", () => note(data(event), "end"))),
    ),
    // As delete-accounts: by an event or in its time, one at once.
    testFunction<Data>(
      {
        id: "either",
        retries: 0,
        limits: [{ limit: 1 }],
        triggers: [{ event: "c/either" }, { cron: "* * * * *" }],
      },
      async ({ event, step }) => {
        await step.run("end", () =>
          journal.add(event.name === "c/either" ? data(event).key : "by the clock", "end"),
        );
      },
    ),
    // As execute-run: what a step gives comes back as it was, however large.
    testFunction<Data>(
      { id: "large", triggers: [{ event: "c/large" }] },
      async ({ event, step }) => {
        const large = await step.run("large", () => ({
          text: 'ä\u0000"\\\u{1F600}'.repeat(80_000),
          list: [null, 1.5, { a: [] }],
        }));
        await step.run("end", () =>
          note(data(event), `end ${large.text.length} ${JSON.stringify(large.list)}`),
        );
      },
    ),
  ];
}

/**
 * What the functions of the conformance suite did, in order, by the key that each run has in its
 * event: the same on every engine.
 */
export class Journal {
  readonly #entries = new Map<string, string[]>();

  /** @returns how many entries of this text the key has now */
  add(key: string, entry: string): number {
    const entries = this.of(key);
    entries.push(entry);
    this.#entries.set(key, entries);
    return entries.filter((each) => each === entry).length;
  }

  of(key: string): string[] {
    return this.#entries.get(key) ?? [];
  }
}
