import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";
import { newFileKey } from "@/lib/storage/files/file-store";

export interface EndedRun {
  runId: string;
  conversationId: string;
  artifactId: string;
  deliveryId: string;
  storageKey: string;
  /** Of its one file. */
  fileKey: string;
  /** Of its one artifact; its one file has none. */
  bytes: number;
}

/**
 * A run that ended at a moment, with a row in every table that a run can leave one in, and bytes in
 * the store; its books agree.
 */
export async function insertEndedRun(owner: Principal, at: Date): Promise<EndedRun> {
  const { accountId } = owner;
  const time = at.getTime();
  const [runId, conversationId, artifactId, deliveryId] = [
    newId(time),
    newId(time),
    newId(time),
    newId(time),
  ];
  const storageKey = newFileKey(accountId);
  const { sizeBytes, sha256 } = await fileStore().put(storageKey, new Blob(["bytes"]).stream(), {
    maxBytes: 100,
  });
  const fileKey = newFileKey(accountId);
  const file = await fileStore().put(fileKey, new Blob([]).stream(), { maxBytes: 100 });
  const result = {
    text: "done",
    artifacts: [
      {
        id: artifactId,
        title: "t",
        type: "text/plain",
        url: `artifact:${artifactId}`,
        name: "n",
        size_bytes: 5,
      },
    ],
  };
  const sql: [string, unknown[]][] = [
    [
      `INSERT INTO conversations (id, account_id, family, created_at, updated_at)
       VALUES ($1, $2, 'agent', $3, $3)`,
      [conversationId, accountId, at],
    ],
    [
      `INSERT INTO runs (id, account_id, kind, status, conversation_id, input, model, result,
         created_at, started_at, completed_at, webhook_delivered_at)
       VALUES ($1, $2, 'agent', 'completed', $3, '{}', 'm', $4, $5, $5, $5, $5)`,
      [runId, accountId, conversationId, JSON.stringify(result), at],
    ],
    ["INSERT INTO run_logs (run_id, next_sequence, closed_at) VALUES ($1, 2, $2)", [runId, at]],
    [
      "INSERT INTO run_events (run_id, first_sequence, last_sequence, lines) VALUES ($1, 0, 1, $2)",
      [
        runId,
        ['{"type":"run.created"}', JSON.stringify({ type: "run.completed", result })].join("\n"),
      ],
    ],
    [
      `INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason)
       VALUES ($1, 0, $2, 'm', '[]', 'stop')`,
      [runId, newId()],
    ],
    [
      `INSERT INTO prompts (id, account_id, hash, system, tools) VALUES ($1, $2, 'h', 's', '[]')
       ON CONFLICT DO NOTHING`,
      [newId(time), accountId],
    ],
    [
      "INSERT INTO run_prompts (run_id, turn, account_id, hash) VALUES ($1, 0, $2, 'h')",
      [runId, accountId],
    ],
    [
      `INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output)
       VALUES ($1, 'c', 0, 'n', true, '{}')`,
      [runId],
    ],
    [
      `INSERT INTO run_spans (run_id, id, turn, kind, name, status, started_at, ended_at)
       VALUES ($1, $2, 0, 'retry', 'm', 'failed', now(), now())`,
      [runId, newId()],
    ],
    [
      `INSERT INTO client_tool_calls (run_id, tool_call_id, account_id, batch_id, turn, tool_name,
         arguments, status, expires_at)
       VALUES ($1, 'd', $2, $3, 0, 'n', '{}', 'answered', $4)`,
      [runId, accountId, newId(), at],
    ],
    [
      "INSERT INTO run_messages (id, run_id, account_id, position, due, input, turn) VALUES ($1, " +
        "$2, $3, 1, 'next_step', '\"m\"', 0)",
      [newId(time), runId, accountId],
    ],
    [
      "INSERT INTO queued_runs (run_id, account_id, conversation_id, place) VALUES ($1, $2, $3, 1)",
      [runId, accountId, conversationId],
    ],
    [
      `INSERT INTO budget_waits (id, run_id, account_id, kind, turn, least_micros, status,
         expires_at, decided_at)
       VALUES ($1, $2, $3, 'budget', 0, 1, 'raised', $4, $4)`,
      [newId(time), runId, accountId, at],
    ],
    [
      `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens,
         output_tokens, cached_input_tokens, units, credits_micros, created_at)
       VALUES ($1, 'turn-0', $2, 'm', 'chat', 1, 1, 0, 0, 7, $3)`,
      [runId, accountId, at],
    ],
    [
      `INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
       VALUES ($1, $2, $3, 'usage', -7)`,
      [newId(time), accountId, runId],
    ],
    [
      `UPDATE accounts SET available_micros = available_micros - 7, files_bytes = files_bytes + $2
       WHERE id = $1`,
      [accountId, sizeBytes],
    ],
    [
      `INSERT INTO messages (id, conversation_id, run_id, role, text)
       VALUES ($1, $2, $3, 'user', 'hello')`,
      [newId(time), conversationId, runId],
    ],
    [
      `INSERT INTO conversation_summaries (conversation_id, account_id, run_id, through_position,
         summary) VALUES ($1, $2, $3, 0, 's')`,
      [conversationId, accountId, runId],
    ],
    [
      `INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary,
         status, expires_at) VALUES ($1, $2, $3, 'c', 'n', '{}', '', 'approved', $4)`,
      [newId(time), runId, accountId, at],
    ],
    [
      `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, created_at)
       VALUES ($1, $2, $3, 'https://example.com', 'delivered', '{}', $4)`,
      [deliveryId, runId, accountId, at],
    ],
    [
      `INSERT INTO webhook_attempts (delivery_id, attempt, at, status_code, duration_ms)
       VALUES ($1, 1, $2, 200, 5)`,
      [deliveryId, at],
    ],
    [
      `INSERT INTO notifications (id, account_id, run_id, title, body)
       VALUES ($1, $2, $3, 't', 'b')`,
      [newId(time), accountId, runId],
    ],
    [
      `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type,
         size_bytes, sha256, storage_key)
       VALUES ($1, $2, $3, 's', 't', 'n', 'text/plain', $4, $5, $6)`,
      [artifactId, runId, accountId, sizeBytes, sha256, storageKey],
    ],
    [
      `INSERT INTO run_files (id, run_id, account_id, path, content_type, size_bytes, sha256,
         storage_key, step_key, updated_at)
       VALUES ($1, $2, $3, 'f.txt', 'text/plain', 0, $4, $5, 'c', $6)`,
      [newId(time), runId, accountId, file.sha256, fileKey, at],
    ],
  ];
  for (const [text, values] of sql) await postgres().query(text, values);
  return { runId, conversationId, artifactId, deliveryId, storageKey, fileKey, bytes: sizeBytes };
}
