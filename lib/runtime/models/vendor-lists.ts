import "server-only";
import type { Env } from "@/lib/env";
import { isModelName } from "@/lib/model/models/model-facts";
import type { ListedModel, ListedPage } from "@/lib/runtime/models/providers/provider-adapter";
import type { VendorAdapter } from "@/lib/runtime/models/providers/providers";

const TIME_LIMIT_MS = 10_000;
const MODELS_MAX = 2_000;
const PAGES_MAX = 5;

/**
 * The models that a vendor lists for this deployment's key. Within ten seconds in all.
 * @throws when the vendor does not answer with a list
 */
export async function readVendorList(
  { vendor }: Pick<VendorAdapter, "vendor">,
  env: Env,
): Promise<ListedModel[]> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const found: ListedModel[] = [];
  let page: string | null = "";
  for (let read = 0; page !== null && read < PAGES_MAX && found.length < MODELS_MAX; read += 1) {
    const answer: ListedPage = await vendor.list(page, env, signal);
    found.push(...answer.models.filter(({ name }) => isModelName(name)));
    page = answer.next;
  }
  return found.slice(0, MODELS_MAX);
}
