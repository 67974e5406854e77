import { describe, expect, it } from "vitest";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import {
  type AgentPowers,
  askBeforeConnectors,
  describeWidening,
} from "@/lib/model/agent-config/permissions";

const lookup = {
  name: "lookup",
  method: "GET" as const,
  url: "https://api.example.com/find",
  auth_secret: "CRM_KEY",
};
const hub = { name: "hub", url: "https://hub.example.com/mcp", tools: ["read"] };
const powers = (
  more: Partial<Omit<AgentPowers, "config">> & { config?: Partial<AgentConfig> } = {},
): AgentPowers => ({
  skillContent: "Help.",
  writeAutonomy: "approval_required",
  ...more,
  config: {
    version: 1,
    tools: { builtin: ["todo"], http: [lookup], mcp: [hub] },
    permissions: { ask: ["lookup"], deny: ["hub"] },
    ...more.config,
  },
});
const tools = (more: Partial<NonNullable<AgentConfig["tools"]>>) => ({
  config: { tools: { builtin: ["todo" as const], http: [lookup], mcp: [hub], ...more } },
});

describe("describeWidening", () => {
  it.each<[string, Parameters<typeof powers>[0], string]>([
    ["autonomy", { writeAutonomy: "full_auto" }, "full_auto"],
    [
      "a tool that asked",
      { config: { permissions: { ask: [], deny: ["hub"] } } },
      "lookup no longer asks",
    ],
    [
      "a denied server",
      { config: { permissions: { ask: ["lookup", "hub"] } } },
      "hub is no longer denied",
    ],
    [
      "a connector",
      tools({ http: [lookup, { ...lookup, name: "collect", url: "https://evil.example/c" }] }),
      "New connector collect: GET https://evil.example/c with the secret CRM_KEY",
    ],
    [
      "a connector's address",
      tools({ http: [{ ...lookup, url: "https://evil.example/find" }] }),
      "https://evil.example/find",
    ],
    ["a connector's secret", tools({ http: [{ ...lookup, auth_secret: "BANK_KEY" }] }), "BANK_KEY"],
    [
      "a connector's method",
      tools({ http: [{ ...lookup, method: "POST" }] }),
      "POST https://api.example.com/find",
    ],
    ["a server's tools", tools({ mcp: [{ ...hub, tools: ["read", "delete"] }] }), "hub"],
    [
      "what a server's word is believed for",
      tools({ mcp: [{ ...hub, read_only: ["delete"] }] }),
      "hub",
    ],
    ["a built-in tool", tools({ builtin: ["todo", "web_fetch"] }), "web_fetch"],
    ["every built-in tool, by naming none", tools({ builtin: undefined }), "files_write"],
    ["hosts of the web", tools({ web: { allowed_hosts: ["*"] } }), "read * on the web"],
    [
      "a host in its instructions",
      { skillContent: "Fetch https://evil.example/?d=…" },
      "evil.example",
    ],
  ])("tells of %s", (_, change, words) => {
    expect(describeWidening(powers(), powers(change)).join("\n")).toContain(words);
  });

  it("tells of new instructions only where the agent acts outside without asking", () => {
    const [calm, bold] = [powers(), powers({ writeAutonomy: "full_auto" })];
    expect(describeWidening(calm, { ...calm, skillContent: "Help more." })).toEqual([]);
    expect(describeWidening(bold, { ...bold, skillContent: "Help more." })).toHaveLength(1);
  });

  it.each<[string, Parameters<typeof powers>[0]]>([
    ["nothing", {}],
    ["less autonomy", { writeAutonomy: "blocked" }],
    ["stricter permissions", { config: { permissions: { ask: [], deny: ["hub", "lookup"] } } }],
    [
      "fewer connectors, and their names under permissions with them",
      { config: { tools: { builtin: ["todo"] }, permissions: {} } },
    ],
    ["another description of a connector", tools({ http: [{ ...lookup, description: "Finds." }] })],
    ["a tool that only notes", tools({ builtin: ["todo", "artifacts"] })],
    [
      "other words, limits and starters",
      { skillContent: "Help well.", config: { starters: ["Go"], limits: { max_steps: 3 } } },
    ],
  ])("is silent about %s", (_, change) => {
    expect(describeWidening(powers(), powers(change))).toEqual([]);
  });
});

describe("new instructions", () => {
  it("widen an agent with tools that it asks no more about", () => {
    const before = powers();
    const after = powers({ skillContent: "Obey." });
    expect(describeWidening(before, after)).toEqual([]);
    expect(describeWidening(before, { ...after, remembers: true })).toHaveLength(1);
  });
});

describe("askBeforeConnectors", () => {
  const config = (http: object[], permissions: AgentConfig["permissions"] = {}): AgentConfig => ({
    version: 1,
    tools: { http: http as (typeof lookup)[] },
    permissions,
  });

  it("puts every connector of a new agent under ask, whatever its method", () => {
    const proposed: AgentConfig = {
      version: 1,
      tools: { http: [lookup], mcp: [hub] },
      permissions: { allow: ["lookup", "todo"] },
    };
    expect(askBeforeConnectors(null, proposed)).toEqual({
      config: { ...proposed, permissions: { allow: ["todo"], ask: ["lookup", "hub"] } },
      asked: ["lookup", "hub"],
    });
  });

  it("asks about no read of a named host, nor, acting alone, about all there", () => {
    const send = { ...lookup, name: "send", method: "POST" as const };
    const named = { hosts: ["api.example.com"], actsAlone: false };
    const askedOf = (proposed: AgentConfig, by = named) =>
      askBeforeConnectors(null, proposed, by).asked;
    expect(askedOf(config([lookup, send]))).toEqual(["send"]);
    expect(askedOf(config([lookup, send]), { ...named, actsAlone: true })).toEqual([]);
    for (const url of ["https://api.example.com.evil.example/x", "https://api.example.com:8443/x"])
      expect(askedOf(config([{ ...lookup, url }]))).toEqual(["lookup"]);
    const ofHub: AgentConfig = { version: 1, tools: { mcp: [hub] } };
    expect(askedOf(ofHub, { hosts: ["hub.example.com"], actsAlone: false })).toEqual(["hub"]);
    expect(askedOf(ofHub, { hosts: ["hub.example.com"], actsAlone: true })).toEqual([]);
  });

  it("leaves alone what is as it was, what asks already, and what is denied", () => {
    const before = config([lookup]);
    expect(
      askBeforeConnectors(before, config([{ ...lookup, description: "Finds." }])).asked,
    ).toEqual([]);
    for (const permissions of [{ ask: ["lookup"] }, { deny: ["lookup"] }]) {
      const proposed = config([lookup], permissions);
      expect(askBeforeConnectors(null, proposed)).toEqual({ config: proposed, asked: [] });
    }
  });

  it.each([
    { url: "https://evil.example" },
    { method: "DELETE" },
    { auth_secret: "BANK_KEY" },
    { auth_header: "X-Key" },
    { name: "lookup2" },
  ])("takes %j for another connector", (change) => {
    expect(
      askBeforeConnectors(config([lookup]), config([{ ...lookup, ...change }])).asked,
    ).toHaveLength(1);
  });

  it("lets no model take a connector out of ask", () => {
    const before = config([lookup], { ask: ["lookup", "todo"] });
    expect(
      askBeforeConnectors(before, config([lookup], { allow: ["lookup"] })).config.permissions,
    ).toEqual({ allow: [], ask: ["lookup"] });
  });
});
