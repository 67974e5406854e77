import { setTimeout as delay } from "node:timers/promises";
import { countedStatements } from "./bench-database.mjs";
import { cpuSeconds, residentMiB } from "./processes.mjs";

const TOKENS = 100;

/**
 * What is measured. `run({ client, side, model, quick })` measures one side once and gives its
 * values; `model` is what the same round gave at the model server itself, where `withModel`. A
 * figure is one row of the table: `value` picks it, `goal` says what is wanted of the service: `of`
 * (a side to compare with, else the figure itself) and `least` or `most`. `floor` is what `--short`
 * requires against the reference: several times away from what is usual, for machines that are
 * busy. Processor time is the least disturbed by what else runs there.
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
      figure("statements", "Idle: statements a second", { goal: { most: 1 } }),
      figure("cpu", "… % of a core, without the database", { goal: { most: 0.5 } }),
      figure("mib", "… memory of the service, MiB", { goal: { most: 300 } }),
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
    figures: [
      figure("statements", "A silent stream: statements a second more", { goal: { most: 0.01 } }),
    ],
  },
  acceptCase(16, [
    figure("accepted", "Runs accepted a second, 16 connections", {
      goal: { of: "langgraph", least: 1.5 },
      floor: { least: 0.01 },
    }),
    figure("finished", "Runs finished a second (1 token), 16 connections", {
      goals: [
        { of: "langgraph", least: 2 },
        { of: "reference", least: 0.25 },
      ],
      floor: { least: 0.01 },
    }),
    figure("cpu", "… processor time a run, database included, ms", { floor: { most: 80 } }),
    figure("database", "… of which the database, ms", {}),
  ]),
  acceptCase(64, [
    figure("accepted", "Runs accepted a second, 64 connections", {
      goal: { of: "langgraph", least: 1.5 },
    }),
    figure("p99", "… p99 of the answer, ms", { goal: { of: "langgraph", most: 0.2 } }),
    figure("finished", "… finished a second", {}),
  ]),
  {
    name: "one-run",
    async run({ client, side, quick }) {
      return {
        ms: (await client("oneRun", side, { model: "n200-i0", repeats: quick ? 5 : 15 })).p50,
      };
    },
    figures: [
      figure("ms", "One run of 200 tokens on an idle system, request to “completed” seen, ms", {
        goal: { of: "langgraph", most: 0.5 },
      }),
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
        goal: { of: "reference", least: 0.4 },
        floor: { least: 0.02 },
      }),
      figure("p99", "… p99, ms", {}),
      figure("cpu", "… processor time a read, database included, ms", { floor: { most: 50 } }),
    ],
  },
  streamCase(1, [
    figure("ratio", `1 stream of ${TOKENS} tokens, 10 ms apart ÷ the model server`, {
      goal: { most: 1.02 },
    }),
    figure("first", "… first event, p50 ms", { goal: { most: 10 } }),
  ]),
  streamCase(50, [
    figure("ratio", "50 such streams ÷ the model server", {
      goal: { most: 1.08 },
      floor: { most: 15 },
    }),
    figure("token", "… first token, p50 ms", {}),
    figure("cpu", "… processor time a token, database included, µs", {
      goal: { most: 60 },
      floor: { most: 25 },
    }),
  ]),
  streamCase(200, [
    figure("ratio", "200 such streams ÷ the model server", { goal: { most: 1.15 } }),
    figure("first", "… first event, p50 ms", {}),
    figure("token", "… first token, p50 ms", { goal: { most: 150 } }),
  ]),
  {
    ...streamCase(1000, [
      figure("whole", "1,000 such streams: complete", { goal: { least: 1000 } }),
      figure("ratio", "… ÷ the model server", { goal: { most: 2 } }),
      figure("token", "… first token, p50 ms", {}),
      figure("mib", "… memory of the service, MiB", { goal: { most: 700 } }),
    ]),
    sides: ["service", "reference"],
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
      figure("ratio", "Two processes, one database: runs finished a second ÷ one process", {
        goal: { least: 1.6 },
      }),
      figure("late", "… a follower at the other process sees an event later by, p50 ms", {
        goal: { most: 50 },
      }),
      figure("late99", "… p99 ms", {}),
    ],
  },
];

function figure(key, title, { goal, goals = goal ? [goal] : [], floor = null }) {
  return { key, title, goals, floor };
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

function streamCase(count, figures) {
  return {
    name: `streams${count}`,
    withModel: true,
    async run({ client, side, model }) {
      const before = cpuSeconds(side.pids);
      let mib = 0;
      const watch = setInterval(() => {
        if (side.processes) mib = Math.max(mib, residentMiB(side.processes));
      }, 250);
      const seen = await client("streams", side, { model: "n100-i10", count });
      clearInterval(watch);
      if (seen.whole === 0)
        throw new Error(`No stream of ${side.name} is complete: ${seen.failure}`);
      const cpu = ((cpuSeconds(side.pids) - before) * 1e6) / (count * TOKENS);
      return { ...seen, ratio: model ? seen.total / model.total : 1, cpu, mib: mib || null };
    },
    figures,
  };
}
