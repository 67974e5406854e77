import { describe, expect, it } from "vitest";
import { applyToolPolicy } from "@/lib/model/agent-config/permissions";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const none = { ask: [], deny: [] };
const guarded = { names: ["create_ticket"], isGuarded: true };
const harmless = { names: ["web_fetch"], isGuarded: false };

describe("applyToolPolicy", () => {
  it("lets the write autonomy decide over guarded calls, and leaves the others alone", () => {
    expect(WRITE_AUTONOMIES.map((autonomy) => applyToolPolicy(guarded, autonomy, none))).toEqual([
      "run",
      "ask",
      "refuse",
    ]);
    expect(WRITE_AUTONOMIES.map((autonomy) => applyToolPolicy(harmless, autonomy, none))).toEqual([
      "run",
      "run",
      "run",
    ]);
  });

  it("makes any call stricter by a permission, and none looser", () => {
    const ask = { ask: ["create_ticket", "web_fetch"], deny: [] };
    expect(WRITE_AUTONOMIES.map((autonomy) => applyToolPolicy(guarded, autonomy, ask))).toEqual([
      "ask",
      "ask",
      "refuse",
    ]);
    expect(applyToolPolicy(harmless, "full_auto", ask)).toBe("ask");
    const deny = { ask: ["web_fetch"], deny: ["create_ticket", "web_fetch"] };
    expect(WRITE_AUTONOMIES.map((autonomy) => applyToolPolicy(guarded, autonomy, deny))).toEqual([
      "refuse",
      "refuse",
      "refuse",
    ]);
    expect(applyToolPolicy(harmless, "full_auto", deny)).toBe("refuse");
  });

  it("hears a permission that names the server of a tool", () => {
    const tool = { names: ["github__merge", "github"], isGuarded: false };
    expect(applyToolPolicy(tool, "full_auto", { ask: ["github"], deny: [] })).toBe("ask");
    expect(applyToolPolicy(tool, "full_auto", { ask: [], deny: ["github__merge"] })).toBe("refuse");
    expect(applyToolPolicy(tool, "full_auto", { ask: ["git"], deny: ["merge"] })).toBe("run");
  });
});
