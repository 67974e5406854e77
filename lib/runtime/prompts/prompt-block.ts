/** A named block of a prompt. The text cannot close its own block early. */
export function promptBlock(name: string, text: string): string {
  return `<${name}>\n${text.replaceAll(`</${name}>`, `<\\/${name}>`).trim()}\n</${name}>`;
}
