import "server-only";
import { rulesOptionsSchema } from "@/lib/model/models/rules-task";
import { RunFailure } from "@/lib/model/run/run-failure";
import { createOfflineModel, type OfflineAsk } from "@/lib/offline-model/offline-model";
import { defineProvider } from "@/lib/runtime/models/providers/provider-adapter";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";

/** The model of rules that the service brings along. */
export const builtin = defineProvider({
  id: "builtin",
  setUp: ["OFFLINE_MODEL=on"],
  variables: {},
  isOn: (_settings, env) => env.OFFLINE_MODEL === "on",
  create: () => createOfflineModel(inItsThread),
  wordCall: (options, { rules }) => ({
    ...options,
    ...(rules && { providerOptions: { lathe: rules } }),
  }),
  description:
    "Rule-based and built in: it needs no network and no key. It reads files, computes " +
    "figures and follows plain steps; it does not think. Set a provider's key to switch on a " +
    "real model.",
  isHiddenWhenOff: true,
  hasNoWindow: true,
});

/**
 * The rules read what strangers wrote: a text that they take too long over ends its run, and holds
 * up nobody.
 */
async function inItsThread(ask: OfflineAsk, signal: AbortSignal | undefined) {
  const account = rulesOptionsSchema.safeParse(ask.providerOptions?.lathe).data?.account ?? "";
  try {
    return await inTextWorker("offline-turn", withoutFiles(ask), { account, signal });
  } catch (error) {
    if (!(error instanceof TextWorkEnded)) throw error;
    throw new RunFailure("MODEL_CANNOT_ANSWER", `The built-in model gave up. ${error.message}`);
  }
}

/** It looks at no pictures: their bytes stay here. */
function withoutFiles(ask: OfflineAsk): OfflineAsk {
  const prompt = ask.prompt.map((message) =>
    message.role === "user"
      ? { ...message, content: message.content.filter((part) => part.type !== "file") }
      : message,
  );
  return { ...ask, prompt };
}
