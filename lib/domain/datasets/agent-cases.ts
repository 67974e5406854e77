import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { CASES_MAX, type NewCase } from "@/lib/model/evaluation/cases";
import type { Check } from "@/lib/model/evaluation/checks";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres, type Transaction } from "@/lib/platform/postgres";

/** A case of an agent: an input, what its tools give, and what the answer must be like. */
export interface AgentCase extends NewCase {
  id: string;
  agentId: string;
  source: "builder" | "person";
  createdAt: Date;
}

const COLUMNS =
  'i.id, d.agent_id AS "agentId", i.name, i.input, i.answers, i.files, i.checks, i.source, ' +
  'i.created_at AS "createdAt"';

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
     WHERE d.agent_id = $1 AND d.account_id = $2 AND ($3::uuid IS NULL OR i.id > $3) ORDER BY i.id
     LIMIT $4`,
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
  const now = Date.now();
  for (const [index, { name, input, answers, files, checks }] of cases.entries()) {
    const { rowCount } = await tx.query(
      `INSERT INTO dataset_items (id, dataset_id, name, input, answers, files, checks, source)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE EXISTS (SELECT 1 FROM dataset_items o WHERE o.dataset_id = $2 AND o.name = $3)
         OR (SELECT count(*) FROM dataset_items o WHERE o.dataset_id = $2) < $9
       ON CONFLICT (dataset_id, name) DO UPDATE SET input = excluded.input,
         answers = excluded.answers,
         files = excluded.files, checks = excluded.checks, source = excluded.source`,
      [
        // Listed by their ids, they stay in the order in which they were given.
        newId(now + index),
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

/** Gives an agent that was just made the cases of another one of its account. */
export async function copyCases(
  tx: Transaction,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const now = Date.now();
  const ids = Array.from({ length: CASES_MAX }, (_, index) => newId(now + index));
  await tx.query(
    `WITH source AS (
       SELECT i.*, row_number() OVER (ORDER BY i.id) AS place
       FROM datasets d JOIN dataset_items i ON i.dataset_id = d.id
       WHERE d.agent_id = $2 AND d.account_id = $1
     ), made AS (
       INSERT INTO datasets (id, account_id, agent_id, name)
       SELECT $4, a.account_id, a.id, 'Cases' FROM agents a
       WHERE a.id = $3 AND a.account_id = $1 AND EXISTS (SELECT 1 FROM source)
       RETURNING id
     )
     INSERT INTO dataset_items (id, dataset_id, name, input, answers, files, checks, source)
     SELECT n.id, made.id, s.name, s.input, s.answers, s.files, s.checks, s.source
     FROM source s JOIN unnest($5::uuid[]) WITH ORDINALITY AS n (id, place) USING (place)
     CROSS JOIN made`,
    [accountId, from, to, newId(), ids],
  );
}
