import "server-only";
import type { GetStepTools, Inngest, InngestFunction } from "inngest";
import type {
  EngineEvent,
  EngineFunction,
  EngineLimit,
  StepId,
  Steps,
  Trigger,
} from "@/lib/engine/functions";

/** The functions as an Inngest server's SDK has them, to be served to that server. */
export function toInngestFunctions(
  client: Inngest.Any,
  functions: readonly EngineFunction[],
): InngestFunction.Any[] {
  return functions.map((definition) => toInngestFunction(client, definition));
}

function toInngestFunction(client: Inngest.Any, definition: EngineFunction): InngestFunction.Any {
  const { id, retries, triggers, limits = [], cancelOn = [], onFailure, handler } = definition;
  const options = {
    id,
    // The SDK counts them out to twenty in its type.
    retries: retries as 0,
    triggers: triggers.map(toTrigger),
    ...(limits.length > 0 && { concurrency: limits.map(toConcurrency) as [{ limit: number }] }),
    ...(cancelOn.length > 0 && {
      cancelOn: cancelOn.map(({ event, field }) => ({ event, match: `data.${field}` })),
    }),
    ...(onFailure && {
      onFailure: ({ event, error }: { event: unknown; error: Error }) => {
        const { data } = event as { data: { event: EngineEvent } };
        return onFailure({
          event: data.event,
          error: { name: error.name, message: error.message },
        });
      },
    }),
  };
  return client.createFunction(options, ({ event, step }: { event: unknown; step: unknown }) =>
    handler({
      event: event as EngineEvent,
      step: toSteps(step as GetStepTools<Inngest.Any>),
    }),
  );
}

function toTrigger(trigger: Trigger): { event: string; if?: string } | { cron: string } {
  if ("cron" in trigger) return trigger;
  const { event, where } = trigger;
  return where
    ? { event, if: `event.data.${where.field} == ${JSON.stringify(where.value)}` }
    : { event };
}

function toConcurrency({ limit, field }: EngineLimit): { limit: number; key?: string } {
  return field === undefined ? { limit } : { limit, key: `event.data.${field}` };
}

function toSteps(step: GetStepTools<Inngest.Any>): Steps {
  return {
    // What JSON makes of it is what the function gets in both hosts.
    run: <T>(id: StepId, work: () => T | Promise<T>) =>
      step.run(toSdkId(id), work) as Promise<unknown> as Promise<T>,
    async sleep(id, milliseconds) {
      await step.sleep(id, milliseconds);
    },
    waitForEvent: (id, { event, match, timeoutSeconds }) =>
      step.waitForEvent(toSdkId(id), {
        event,
        timeout: `${timeoutSeconds}s`,
        if: `async.data.${match.field} == ${JSON.stringify(match.value)}`,
      }) as Promise<unknown> as Promise<EngineEvent | null>,
  };
}

function toSdkId(id: StepId): string | { id: string; parallelMode: "race" } {
  return typeof id === "string" ? id : { id: id.id, parallelMode: "race" };
}
