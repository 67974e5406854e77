import "server-only";
import { z } from "zod";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { type Check, checkSchemaOfAnswer } from "@/lib/model/evaluation/checks";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres, type Transaction } from "@/lib/platform/postgres";

/** Of an agent: each edit runs all of them twice. */
export const CASES_MAX = 12;
const NAME_MAX_CHARACTERS = 120;
const CHECKS_MAX = 20;
const FILES_MAX = 10;
const FILE_MAX_CHARACTERS = 100_000;
/** Of one case as JSON. */
const CASE_MAX_CHARACTERS = 400_000;

/** A case as it is written, by a builder or by a person. */
export const newCaseSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(NAME_MAX_CHARACTERS),
    input: z.record(z.string(), z.unknown()),
    answers: z.record(z.string(), z.unknown()).default({}),
    files: z
      .record(z.string().min(1).max(255), z.string().max(FILE_MAX_CHARACTERS))
      .default({})
      .refine((files) => Object.keys(files).length <= FILES_MAX, {
        error: `must have at most ${FILES_MAX} files`,
      }),
    checks: z.array(checkSchemaOfAnswer).min(1).max(CHECKS_MAX),
  })
  .refine((written) => JSON.stringify(written).length <= CASE_MAX_CHARACTERS, {
    error: `must have at most ${CASE_MAX_CHARACTERS} characters as JSON`,
  })
  // The database takes neither.
  .refine((written) => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(written)), {
    error: "must hold no NUL characters and no halves of characters",
  });

export type NewCase = z.infer<typeof newCaseSchema>;

/** A case of an agent: an input, what its tools give, and what the answer must be like. */
export interface AgentCase extends NewCase {
  id: string;
  agentId: string;
  source: "builder" | "person";
  createdAt: Date;
}

const COLUMNS = `i.id, d.agent_id AS "agentId", i.name, i.input, i.answers, i.files, i.checks, i.source, i.created_at AS "createdAt"`;

/** The cases of an account's agent, in the order in which they were added. */
export async function listCases(accountId: string, agentId: string): Promise<AgentCase[]> {
  const { rows } = await postgres().query<AgentCase>(
    `SELECT ${COLUMNS} FROM datasets d JOIN dataset_items i ON i.dataset_id = d.id
     WHERE d.agent_id = $1 AND d.account_id = $2 ORDER BY i.id LIMIT $3`,
    [agentId, accountId, CASES_MAX],
  );
  return rows;
}

/** The same, page by page. */
export async function listCasePage(
  { accountId }: Principal,
  agentId: string,
  page: PageRequest,
): Promise<Page<AgentCase>> {
  const { rows } = await postgres().query<AgentCase>(
    `SELECT ${COLUMNS} FROM datasets d JOIN dataset_items i ON i.dataset_id = d.id
     WHERE d.agent_id = $1 AND d.account_id = $2 AND ($3::uuid IS NULL OR i.id > $3) ORDER BY i.id LIMIT $4`,
    [agentId, accountId, readCursor(page.cursor), rowsToRead(page)],
  );
  return toPage(rows, page.limit, ({ id }) => id);
}

/**
 * Adds a case that a person wrote; one of the same name is replaced.
 * @throws ServiceError CONFLICT where the agent has as many as it may have; RATE_LIMITED
 */
export async function addCase(
  principal: Principal,
  agentId: string,
  written: NewCase,
): Promise<AgentCase> {
  const { accountId } = principal;
  await accountTransaction(accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const left = await storeCases(tx, { accountId, agentId, source: "person" }, [written]);
    if (left.length > 0)
      throw new ServiceError(
        "CONFLICT",
        `An agent has at most ${CASES_MAX} cases. Delete one first.`,
      );
  });
  const cases = await listCases(accountId, agentId);
  const added = cases.find(({ name }) => name === written.name);
  if (!added) throw caseMissing();
  return added;
}

/** Deletes a case. @throws ServiceError CASE_NOT_FOUND, RATE_LIMITED */
export async function deleteCase(
  principal: Principal,
  agentId: string,
  caseId: string,
): Promise<void> {
  await accountTransaction(principal.accountId, async (tx) => {
    const { rowCount } = await tx.query(
      `DELETE FROM dataset_items i USING datasets d
       WHERE d.id = i.dataset_id AND d.agent_id = $2 AND d.account_id = $3 AND i.id = $1`,
      [caseId, agentId, principal.accountId],
    );
    if (rowCount === 0) throw caseMissing();
    await consumeWriteQuota(tx, principal);
  });
}

function caseMissing(): ServiceError {
  return new ServiceError("CASE_NOT_FOUND", "The agent has no such case.");
}

/**
 * Stores cases in the data set of an agent, in place of those of the same names.
 * @returns those for which there was no room
 */
export async function storeCases(
  tx: Transaction,
  {
    accountId,
    agentId,
    source,
  }: { accountId: string; agentId: string; source: AgentCase["source"] },
  cases: readonly NewCase[],
): Promise<NewCase[]> {
  if (cases.length === 0) return [];
  // Two that add at once wait for each other at this row, and count what the other has added.
  const { rows } = await tx.query<{ id: string }>(
    `INSERT INTO datasets (id, account_id, agent_id, name)
     SELECT $1, a.account_id, a.id, 'Cases' FROM agents a WHERE a.id = $2 AND a.account_id = $3
     ON CONFLICT (agent_id) DO UPDATE SET updated_at = now() RETURNING id`,
    [newId(), agentId, accountId],
  );
  const [dataset] = rows;
  if (!dataset) throw new ServiceError("AGENT_NOT_FOUND", "There is no such agent.");
  const left: NewCase[] = [];
  for (const { name, input, answers, files, checks } of cases) {
    const { rowCount } = await tx.query(
      `INSERT INTO dataset_items (id, dataset_id, name, input, answers, files, checks, source)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE EXISTS (SELECT 1 FROM dataset_items o WHERE o.dataset_id = $2 AND o.name = $3)
         OR (SELECT count(*) FROM dataset_items o WHERE o.dataset_id = $2) < $9
       ON CONFLICT (dataset_id, name) DO UPDATE SET input = excluded.input, answers = excluded.answers,
         files = excluded.files, checks = excluded.checks, source = excluded.source`,
      [
        newId(),
        dataset.id,
        name,
        JSON.stringify(input),
        JSON.stringify(answers),
        JSON.stringify(files),
        JSON.stringify(checks satisfies readonly Check[]),
        source,
        CASES_MAX,
      ],
    );
    if (rowCount === 0) left.push({ name, input, answers, files, checks });
  }
  return left;
}
