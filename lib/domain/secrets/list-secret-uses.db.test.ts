import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { listSecretUses } from "@/lib/domain/secrets/list-secret-uses";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

const TOOLS = `config:
  version: 1
  tools:
    builtin: [todo]
    mcp: [{name: hub, url: "https://example.com/mcp", auth_secret: HUB_TOKEN}]
    http:
      - {name: a, method: GET, url: "https://example.com/a", description: A., auth_secret: \
CRM_KEY, input_schema: {type: object, properties: {auth_secret: {type: string}}}}
      - {name: b, method: GET, url: "https://other.example.com:8443/b/{id}", description: B., \
auth_secret: CRM_KEY}
      - {name: c, method: GET, url: "https://example.com/c", description: C., input_schema: {type: \
object}}
`;

test("each own active agent is named once for each secret of its connectors", async () => {
  const owner = await database.account();
  const stranger = await database.account();
  const agent = await newAgent(owner, TOOLS);
  const archived = await newAgent(owner, TOOLS);
  await archiveAgent(owner, archived.id);
  await newAgent(owner);
  expect(await listSecretUses(owner)).toEqual([
    {
      name: "CRM_KEY",
      agentId: agent.id,
      agentName: "Helper",
      hosts: ["example.com", "other.example.com:8443"],
    },
    { name: "HUB_TOKEN", agentId: agent.id, agentName: "Helper", hosts: ["example.com"] },
  ]);
  expect(await listSecretUses(stranger)).toEqual([]);
});
