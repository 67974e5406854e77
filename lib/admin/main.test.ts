import { describe, expect, it } from "vitest";
import { COMMANDS, run } from "@/lib/admin/main";

describe("the operator's command", () => {
  it.each([["help"], ["--help"], ["-h"]])(
    "%s lists every command with what it does",
    async (word) => {
      const help = await run([word]);
      for (const { name, summary } of COMMANDS)
        expect(help).toMatch(new RegExp(`${name} +${escaped(summary)}`));
    },
  );

  it("a group's --help lists its commands alone", async () => {
    const help = await run(["account", "--help"]);
    expect(help).toContain("account create");
    expect(help).not.toContain("key create");
  });

  it.each(COMMANDS.map(({ name, flags }) => [name, flags] as const))(
    "%s --help shows each of its flags",
    async (name, flags) => {
      const help = await run([...name.split(" "), "--help"]);
      expect(help).toContain(`Usage: npm run -s admin -- ${name}`);
      for (const [flag, spec] of Object.entries(flags)) {
        expect(spec.help).toMatch(/\.$/);
        expect(help).toContain(`--${flag} ${spec.value}`);
        expect(help).toContain(spec.help);
      }
    },
  );

  it("a missing command names those that are, of its group where there is one", async () => {
    const namesOf = (group: string) =>
      COMMANDS.flatMap(({ name }) => (name.startsWith(group) ? [name] : [])).join(", ");
    await expect(run(["nonsense"])).rejects.toThrow(
      `There is no command "nonsense". Commands: ${namesOf("")}.`,
    );
    await expect(run(["key", "make"])).rejects.toThrow(
      `There is no command "key make". Commands: ${namesOf("key ")}.`,
    );
    await expect(run([])).rejects.toThrow("--help shows what they do.");
  });
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
