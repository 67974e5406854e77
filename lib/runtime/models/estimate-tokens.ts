import "server-only";

const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text whose model does not say: one for four characters, rounded up. */
export function estimateTokens(characters: number): number {
  return Math.ceil(Math.max(0, characters) / CHARACTERS_PER_TOKEN);
}

// Sixths of a token a character.
const LETTER = 2;
const DIGIT = 6;
const SIGN = 3;
const BEYOND_ASCII = 9;

/**
 * What a text may come to in tokens, whichever model counts: more than the vendors' tokenizers make of prose, JSON and code (a third of a token a letter
 * or space, half a sign, one a digit, one and a half a character beyond ASCII, of which an emoji has two). Only text that was made to be dear, such as
 * random letters, comes to more: see docs/decisions/0019.
 */
export function tokensAtMost(text: string): number {
  let sixths = 0;
  for (let at = 0; at < text.length; at++) sixths += weightOf(text.charCodeAt(at));
  return Math.ceil(sixths / 6);
}

function weightOf(code: number): number {
  if (code > 127) return BEYOND_ASCII;
  if (code >= 48 && code <= 57) return DIGIT;
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || code === 32 ? LETTER : SIGN;
}
