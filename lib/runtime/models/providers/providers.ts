import "server-only";
import { anthropic } from "@/lib/runtime/models/providers/anthropic";
import { builtin } from "@/lib/runtime/models/providers/builtin";
import { compatible } from "@/lib/runtime/models/providers/compatible";
import { google } from "@/lib/runtime/models/providers/google";
import { openai } from "@/lib/runtime/models/providers/openai";
import type { ProviderAdapter } from "@/lib/runtime/models/providers/provider-adapter";

/**
 * Every provider of models, in order of preference: where nobody names a model, the first one that
 * is switched on has it. All that is known of a provider stands in its file.
 */
export const PROVIDERS: readonly ProviderAdapter[] = [
  openai,
  anthropic,
  google,
  compatible,
  builtin,
];

const byId = new Map(PROVIDERS.map((provider) => [provider.id, provider]));

/**
 * The provider of a model. @param id `provider/name`, of whoever; null: there is no such provider
 */
export function providerOf(id: string): ProviderAdapter | null {
  return byId.get(id.slice(0, Math.max(0, id.indexOf("/")))) ?? null;
}

/** A provider whose models come and go by a list of its own. */
export type VendorAdapter = ProviderAdapter & Required<Pick<ProviderAdapter, "vendor">>;

/** The providers that have a list of models of their own, and ids that end. */
export const VENDORS: readonly VendorAdapter[] = PROVIDERS.filter(isVendor);

/** The vendor of this name; null where there is none. */
export function vendorNamed(name: string): VendorAdapter | null {
  const provider = byId.get(name);
  return provider && isVendor(provider) ? provider : null;
}

function isVendor(provider: ProviderAdapter): provider is VendorAdapter {
  return provider.vendor !== undefined;
}
