import "server-only";

const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text whose model does not say: one for four characters, rounded up. */
export function estimateTokens(characters: number): number {
  return Math.ceil(Math.max(0, characters) / CHARACTERS_PER_TOKEN);
}
