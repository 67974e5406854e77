/** The command that runs npm: the very npm that started us when there is one, else the one on the PATH. */
export function npmCommand(args, environment = process.env) {
  const script = environment.npm_execpath;
  // Yarn and pnpm set the same variable to themselves.
  if (script && /npm-cli\.c?js$/.test(script)) return [process.execPath, [script, ...args]];
  return [process.platform === "win32" ? "npm.cmd" : "npm", args];
}
