import "server-only";
import type { GetStepTools, Inngest, InngestFunction } from "inngest";
import {
  type EngineEvent,
  type EngineFunction,
  type EngineLimit,
  type EventWait,
  NonRetriableError,
  type Steps,
  type Trigger,
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
  return client.createFunction(
    options,
    ({ event, step, attempt }: { event: unknown; step: unknown; attempt: number }) =>
      handler({
        event: event as EngineEvent,
        step: toSteps(client, step as GetStepTools<Inngest.Any>, attempt >= retries),
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

/** @param isLastTry the step that this call is for is not tried again */
function toSteps(client: Inngest.Any, step: GetStepTools<Inngest.Any>, isLastTry: boolean): Steps {
  // What JSON makes of it is what the function gets in both hosts.
  const run = <T>(id: string, work: () => T | Promise<T>) =>
    step.run(id, work) as Promise<unknown> as Promise<T>;
  const waitForEvent = (id: string, { event, match, timeoutSeconds }: EventWait) =>
    step.waitForEvent(id, {
      event,
      timeout: `${timeoutSeconds}s`,
      if: `async.data.${match.field} == ${JSON.stringify(match.value)}`,
    }) as Promise<unknown> as Promise<EngineEvent | null>;
  return {
    run,
    async sleep(id, milliseconds) {
      await step.sleep(id, milliseconds);
    },
    waitForEvent,
    // The server goes on once both have ended. Its other way, the SDK's `race`, calls the function
    // for each of them, and makes what follows twice where they end together. So the step itself
    // ends a wait that nobody needs, also where it fails for good; the server stores waits before
    // it calls for a step.
    async askAndWait({ id, work, awaits }, waitId, wait) {
      const [event, given] = await Promise.all([
        waitForEvent(waitId, wait),
        run(id, async () => {
          let isAwaited = !isLastTry;
          try {
            const given = await work();
            isAwaited = awaits(given);
            return given;
          } catch (error) {
            if (error instanceof NonRetriableError) isAwaited = false;
            throw error;
          } finally {
            if (!isAwaited) await client.send(toEnding(wait));
          }
        }),
      ]);
      return [given, awaits(given) ? event : null];
    },
  };
}

/** An event that ends a wait. */
function toEnding({ event, match }: EventWait): { name: string; data: Record<string, string> } {
  return { name: event, data: { [match.field]: match.value } };
}
