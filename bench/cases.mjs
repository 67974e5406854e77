import { setTimeout as delay } from "node:timers/promises";
import { countedStatements } from "./bench-database.mjs";
import { cpuSeconds, residentMiB } from "./processes.mjs";

const TOKENS = 100;
const LONG = 1_000;

/**
 * What is measured. `run({ client, side, model, quick, results })` measures one side once and gives
 * its values; `model` is what the same round gave at the model server itself, where `withModel`;
 * `results` what the cases before gave. A figure is one row of the table: `key` picks it of a
 * round's values, and what stands is the median of the rounds, or with `isOfFirst` the first.
 * `floor` is what `--short` requires against the reference: several times away from what is usual,
 * for machines that are busy. What is wanted of them stands in targets.mjs. Processor time is the
 * least disturbed by what else runs there.
 */
export const CASES = [
  // First, while the service has hardly worked.
  {
    name: "idle",
    sides: ["service"],
    async run({ side, quick }) {
      const seconds = quick ? 8 : 15;
      const before = cpuSeconds(side.processes);
      const idle = await countedStatements(side.database, () => delay(seconds * 1000));
      const cpu = ((cpuSeconds(side.processes) - before) / seconds) * 100;
      return { statements: idle.calls / seconds, cpu, mib: residentMiB(side.processes) };
    },
    figures: [
      figure("statements", "Idle: statements a second"),
      figure("cpu", "… % of a core, without the database"),
      figure("mib", "… memory of the fresh service, MiB", { isOfFirst: true }),
    ],
  },
  {
    name: "silent",
    sides: ["service"],
    async run({ client, side }) {
      const [seconds, count] = [8, 20];
      // The rate of an idle process, and that with streams of which the model says nothing yet.
      const idle = await countedStatements(side.database, () => delay(seconds * 1000));
      const streams = client("streams", side, { model: "n1-i0-f20000", count });
      // Until all of them wait for the model.
      await delay(6_000);
      const silent = await countedStatements(side.database, () => delay(seconds * 1000));
      const { whole, failure } = await streams;
      if (whole < count)
        throw new Error(`Only ${whole} of ${count} silent streams are complete: ${failure}`);
      return { statements: (silent.calls - idle.calls) / seconds / count };
    },
    figures: [figure("statements", "A silent stream: statements a second more")],
  },
  acceptCase(16, [
    figure("accepted", "Runs accepted a second, 16 connections", {
      floor: { least: 0.01 },
    }),
    figure("finished", "Runs finished a second (1 token), 16 connections", {
      floor: { least: 0.01 },
    }),
    figure("cpu", "… processor time a run, database included, ms", { floor: { most: 80 } }),
    figure("database", "… of which the database, ms"),
  ]),
  acceptCase(64, [
    figure("accepted", "Runs accepted a second, 64 connections"),
    figure("p99", "… p99 of the answer, ms"),
    figure("finished", "… finished a second"),
  ]),
  {
    name: "one-run",
    async run({ client, side, quick }) {
      return {
        ms: (await client("oneRun", side, { model: "n200-i0", repeats: quick ? 5 : 15 })).p50,
      };
    },
    figures: [
      figure("ms", "One run of 200 tokens on an idle system, request to “completed” seen, ms"),
    ],
  },
  {
    name: "read64",
    async run({ client, side, quick }) {
      const before = cpuSeconds(side.pids);
      const { perSecond, p99, count, statuses } = await client("read", side, {
        model: "n1-i0",
        clients: 64,
        ms: quick ? 1_500 : 3_000,
      });
      if (Object.keys(statuses).some((status) => status !== "200"))
        throw new Error(`Reads were answered with ${JSON.stringify(statuses)}.`);
      return { perSecond, p99, cpu: ((cpuSeconds(side.pids) - before) * 1000) / count };
    },
    figures: [
      figure("perSecond", "A run read a second, 64 connections", {
        floor: { least: 0.02 },
      }),
      figure("p99", "… p99, ms"),
      figure("cpu", "… processor time a read, database included, ms", { floor: { most: 50 } }),
    ],
  },
  streamCase(1, [
    figure("total", "1 stream of 100 tokens, 10 ms apart, ms"),
    figure("ratio", "… ÷ the model server"),
    figure("first", "… first event, p50 ms"),
  ]),
  streamCase(50, [
    figure("total", "50 such streams, ms"),
    figure("ratio", "… ÷ the model server", {
      floor: { most: 15 },
    }),
    figure("token", "… first token, p50 ms"),
    figure("cpu", "… processor time a token, database included, µs", {
      floor: { most: 25 },
    }),
  ]),
  streamCase(200, [
    figure("total", "200 such streams, ms"),
    figure("ratio", "… ÷ the model server"),
    figure("first", "… first event, p50 ms"),
    figure("token", "… first token, p50 ms"),
  ]),
  {
    ...streamCase(1000, [
      figure("whole", "1,000 such streams: complete"),
      figure("total", "… ms"),
      figure("ratio", "… ÷ the model server"),
      figure("token", "… first token, p50 ms"),
      figure("mib", "… memory of the service, MiB"),
    ]),
    sides: ["service", "reference"],
  },
  // Behind the thousand streams: what they have left behind when nothing is asked for a minute.
  {
    name: "memory-after",
    sides: ["service"],
    async run({ side, results }) {
      if (!results.streams1000?.[side.name])
        throw new Error(
          "It is told behind a thousand streams alone: --only streams1000,memory-after.",
        );
      await delay(60_000);
      return { mib: residentMiB(side.processes) };
    },
    figures: [figure("mib", "A minute later: memory of the service, MiB")],
  },
  {
    ...streamCase(
      50,
      [
        figure("total", "50 streams of 1,000 tokens, 10 ms apart, ms"),
        figure("cpu", "… processor time a token, database included, µs"),
      ],
      LONG,
    ),
    name: "long50",
    sides: ["service", "reference", "dbos"],
  },
  {
    name: "read-beside",
    sides: ["service"],
    async run({ client, side, quick }) {
      const plan = { model: "n1-i0", clients: 8, ms: quick ? 1_500 : 3_000 };
      const alone = await client("read", side, plan);
      const beside = await client("readBeside", side, {
        ...plan,
        busy: { model: "n3000-i1", count: 50 },
      });
      return { alone: alone.p99, p99: beside.p99, ratio: beside.p99 / alone.p99 };
    },
    figures: [
      figure("alone", "A run read over 8 connections: p99, ms"),
      figure("p99", "… while 50 runs of the account stream much and nobody reads them: p99, ms"),
      figure("ratio", "… the second ÷ the first"),
    ],
  },
  {
    name: "two-processes",
    sides: ["service"],
    async run({ client, side, quick }) {
      const plan = { model: "n1-i0", clients: 16, ms: quick ? 1_500 : 3_000, most: 1_500 };
      const other = await side.startAnother();
      try {
        const warm = { ...plan, ms: 1_000, most: 60 };
        await client("accept", other, warm);
        const one = await client("accept", side, plan);
        const both = await client("accept", [side, other], plan);
        const late = await client("followElsewhere", [side, other], { model: "n100-i10" });
        return {
          ratio: both.finishedPerSecond / one.finishedPerSecond,
          late: late.p50,
          late99: late.p99,
        };
      } finally {
        await other.stop();
      }
    },
    figures: [
      figure("ratio", "Two processes, one database: runs finished a second ÷ one process"),
      figure("late", "… a follower at the other process sees an event later by, p50 ms"),
      figure("late99", "… p99 ms"),
    ],
  },
];

function figure(key, title, { floor = null, isOfFirst = false } = {}) {
  return { key, title, floor, isOfFirst };
}

function acceptCase(clients, figures) {
  return {
    name: `accept${clients}`,
    async run({ client, side, quick }) {
      const [before, stored] = [
        cpuSeconds(side.pids),
        side.database ? cpuSeconds(side.database.pids) : 0,
      ];
      const result = await client("accept", side, {
        model: "n1-i0",
        clients,
        ms: quick ? 2_000 : 3_000,
        most: quick ? 1_000 : 3_000,
      });
      if (Object.keys(result.statuses).some((status) => Number(status) >= 300))
        throw new Error(`Starts of runs were answered with ${JSON.stringify(result.statuses)}.`);
      const cpu = ((cpuSeconds(side.pids) - before) * 1000) / result.count;
      const database = side.database
        ? ((cpuSeconds(side.database.pids) - stored) * 1000) / result.count
        : null;
      return {
        accepted: result.perSecond,
        finished: result.finishedPerSecond,
        p50: result.p50,
        p99: result.p99,
        count: result.count,
        cpu,
        database,
      };
    },
    figures,
  };
}

function streamCase(count, figures, tokens = TOKENS) {
  return {
    name: `streams${count}`,
    withModel: true,
    async run({ client, side, model }) {
      const before = cpuSeconds(side.pids);
      let mib = 0;
      const watch = setInterval(() => {
        if (side.processes) mib = Math.max(mib, residentMiB(side.processes));
      }, 250);
      const seen = await client("streams", side, { model: `n${tokens}-i10`, count });
      clearInterval(watch);
      if (seen.whole === 0)
        throw new Error(`No stream of ${side.name} is complete: ${seen.failure}`);
      const cpu = ((cpuSeconds(side.pids) - before) * 1e6) / (count * tokens);
      return { ...seen, ratio: model ? seen.total / model.total : 1, cpu, mib: mib || null };
    },
    figures,
  };
}
