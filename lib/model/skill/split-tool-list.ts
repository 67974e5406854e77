/** The names in a list such as `Read, Bash(git add:*) Write`: divided by spaces or commas that stand in no parentheses. */
export function splitToolList(text: string): string[] {
  const names: string[] = [];
  let name = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth = Math.max(0, depth - 1);
    const isBreak = depth === 0 && (character === "," || character.trim() === "");
    if (!isBreak) name += character;
    else if (name !== "") names.push(name);
    if (isBreak) name = "";
  }
  return name === "" ? names : [...names, name];
}
