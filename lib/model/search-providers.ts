/** The search providers whose interface the service speaks. */
export const SEARCH_PROVIDERS = ["searxng", "brave", "tavily", "exa", "serper"] as const;

export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];
