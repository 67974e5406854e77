-- Fills an empty, migrated database: fill.runs runs of fill.accounts accounts over 30 days, a third
-- of everything in the first account. Used by bench/million.mjs and by the test of the queries'
-- plans. Triggers and foreign keys are passed over: they count row by row.
SET session_replication_role = replica;
SET synchronous_commit = off;

CREATE FUNCTION pg_temp.id_at(moment timestamptz, number bigint, salt text) RETURNS uuid
LANGUAGE sql IMMUTABLE AS
$$ SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')
     || '7' || substr(md5(salt || number), 1, 3)
     || 'a' || substr(md5(salt || number), 4, 15))::uuid $$;
CREATE FUNCTION pg_temp.account(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT pg_temp.id_at(timestamptz '2026-01-01' + number * interval '1 second', number,
     'account') $$;
CREATE FUNCTION pg_temp.agent(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT pg_temp.id_at(timestamptz '2026-01-02' + number * interval '1 second', number,
     'agent') $$;

CREATE TEMP TABLE size AS
SELECT current_setting('fill.runs')::bigint AS runs,
  current_setting('fill.accounts')::bigint AS accounts;

-- Each run's number, moment, account and agent; everything else follows from them.
CREATE TEMP TABLE numbered AS
SELECT n, moment, pg_temp.id_at(moment, n, 'run') AS id, pg_temp.account(owner) AS account_id,
  pg_temp.agent(owner) AS agent_id, owner,
  CASE WHEN n % 100 < 3 THEN 'agent_edit' WHEN n % 100 < 5 THEN 'agent_creation'
       WHEN n % 100 < 10 THEN 'app'
       WHEN owner = 2 AND n % 5 = 0 THEN 'super_agent' ELSE 'agent' END AS kind,
  CASE WHEN n % 100 < 94 THEN 'completed' WHEN n % 100 < 98 THEN 'failed'
       ELSE 'cancelled' END AS status,
  pg_temp.id_at(moment, n / 4, 'conversation') AS unused
FROM (
  SELECT n,
    now() - interval '30 days' + (n::float8 / runs) *
    interval '29 days 23 hours 50 minutes' AS moment,
    CASE WHEN n % 3 = 0 THEN 1 ELSE 2 + (n % (accounts - 1)) END AS owner
  FROM size, generate_series(1, runs) n
) numbers;
ALTER TABLE numbered DROP COLUMN unused;
CREATE INDEX ON numbered (n);

INSERT INTO accounts (id, name, available_micros, created_at)
SELECT pg_temp.account(n), 'Account ' || n, 1000000000000, now() - interval '40 days'
FROM size, generate_series(1, accounts) n;
INSERT INTO users (id, account_id, email, name)
SELECT pg_temp.account(n), pg_temp.account(n), 'person-' || n || '@example.test', 'Person'
FROM size, generate_series(1, accounts) n;
INSERT INTO api_keys (id, account_id, name, hash, prefix, last_four)
SELECT pg_temp.account(n), pg_temp.account(n), 'key', sha256(('key' || n)::bytea), 'lat_', 'abcd'
FROM size, generate_series(1, accounts) n;
INSERT INTO user_sessions (id, user_id, account_id, version, address, user_agent, expires_at)
SELECT pg_temp.id_at(now() - interval '5 days', n, 'session'), pg_temp.account(n),
  pg_temp.account(n), 0, '192.0.2.1', 'curl', now() + interval '5 days'
FROM size, generate_series(1, accounts) n;
-- One agent an account, and 900 more of the first.
INSERT INTO agents (id, account_id, name, description, version, status, write_autonomy,
  skill_content, config_content, config, current_version_id, updated_at)
SELECT pg_temp.agent(n), pg_temp.account(CASE WHEN n > accounts THEN 1 ELSE n END), 'Agent ' || n,
  'It answers.', '1.0.0', CASE WHEN n % 10 = 9 THEN 'archived' ELSE 'active' END, 'ask',
  '# Skill', 'version: 1', '{"version":1}', pg_temp.agent(n), now()
FROM size, generate_series(1, accounts + 900) n;
INSERT INTO agent_versions (id, agent_id, number, version, source, name, write_autonomy,
  skill_content, config_content, config)
SELECT pg_temp.agent(n), pg_temp.agent(n), 1, '1.0.0', 'create', 'Agent ' || n, 'ask', '# Skill',
  'version: 1', '{"version":1}' FROM size, generate_series(1, accounts + 900) n;
INSERT INTO workspaces (id, account_id, name, updated_at)
SELECT pg_temp.account(n), pg_temp.account(n), 'Workspace', now()
FROM size, generate_series(1, accounts) n;
INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type, sha256,
  storage_key, updated_at)
SELECT pg_temp.id_at(now() - interval '20 days' + n * interval '1 second', n, 'file'),
  pg_temp.account(owner), pg_temp.account(owner), 'folder-' || n % 200 || '/file-' || n || '.txt',
  10, 'text/plain', md5(n::text), 'key-' || n, now()
FROM (SELECT n, CASE WHEN n % 3 = 0 THEN 1 ELSE 2 + n % (accounts - 1) END AS owner
  FROM size, generate_series(1, runs / 10) n) files;

INSERT INTO runs (id, account_id, kind, status, agent_id, conversation_id, input, model, metadata,
  result, created_at, started_at, completed_at, webhook_url)
SELECT id, account_id, kind, status,
  CASE WHEN kind = 'super_agent' OR n % 10 = 7 THEN NULL ELSE agent_id END,
  CASE WHEN n % 2 = 0 THEN pg_temp.id_at(moment, n, 'conversation') END,
  jsonb_build_object('text', 'What were the best three months? ' || n), 'compatible/n1-i0',
  CASE WHEN n % 10 < 5 THEN '{}'::jsonb
       WHEN n % 10 < 8 THEN jsonb_build_object('customer', 'c_' || n % 4999)
       ELSE '{"env":"production"}'::jsonb END,
  jsonb_build_object('text', repeat('tok ', 100), 'artifacts', '[]'::jsonb), moment, moment,
  moment + interval '3 seconds', CASE WHEN n % 5 = 0 THEN 'https://hooks.example.com/runs' END
FROM numbered;
INSERT INTO run_logs (run_id, next_sequence, writer, closed_at)
SELECT id, 10, 1, now() - (n % 70000) * interval '1 second' FROM numbered;
-- Ten lines a run, in three batches.
INSERT INTO run_events (run_id, first_sequence, last_sequence, lines, created_at)
SELECT id, first, last,
  (SELECT string_agg(jsonb_build_object(
     'type', CASE WHEN line = 0 THEN 'run.created' WHEN line = 9 THEN 'run.completed'
                  ELSE 'output_text.delta' END,
     'sequence_number', line, 'run_id', id, 'created_at', moment,
     'delta', 'tok tok tok tok ')::text, E'\n' ORDER BY line)
   FROM generate_series(first, last) line), moment
FROM numbered, (VALUES (0, 2), (3, 6), (7, 9)) AS batch(first, last);
INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason, created_at)
SELECT id, 0, pg_temp.id_at(moment, n, 'turn'), 'compatible/n1-i0',
  '[{"type":"text","text":"tok "}]', 'stop', moment FROM numbered;
INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens,
  output_tokens, cached_input_tokens, units, credits_micros, price_micros, created_at)
SELECT id, 'turn-0', account_id, agent_id, 'compatible/n1-i0', 'text', 10, 100, 0, 0, 1000, 1000,
  moment FROM numbered;
INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros, created_at)
SELECT pg_temp.id_at(moment, n, 'ledger'), account_id, id, 'usage', -1000, moment FROM numbered;
INSERT INTO conversations (id, account_id, family, created_at, updated_at)
SELECT pg_temp.id_at(moment, n, 'conversation'), account_id,
  CASE WHEN kind = 'super_agent' THEN 'super_agent' WHEN kind = 'agent_creation' THEN 'creation'
       ELSE 'agent' END, moment, moment FROM numbered WHERE n % 2 = 0;
INSERT INTO messages (id, conversation_id, run_id, role, text, created_at)
SELECT pg_temp.id_at(moment + part * interval '1 second', n, role),
  pg_temp.id_at(moment, n, 'conversation'), id, role, 'What were the best three months?', moment
FROM numbered, (VALUES (0, 'user'), (1, 'assistant')) AS said(part, role) WHERE n % 2 = 0;
INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, created_at)
SELECT pg_temp.id_at(moment, n, 'delivery'), id, account_id, 'https://hooks.example.com/runs',
  CASE WHEN n % 500 = 5 THEN 'failed' ELSE 'delivered' END,
  '{"text":"' || repeat('tok ', 100) || '"}', moment FROM numbered WHERE n % 5 = 0;
INSERT INTO webhook_attempts (delivery_id, attempt, at, status_code, duration_ms)
SELECT pg_temp.id_at(moment, n, 'delivery'), 1, moment, 200, 12 FROM numbered WHERE n % 5 = 0;
INSERT INTO notifications (id, account_id, run_id, title, body, read_at, emailed_at, created_at)
SELECT pg_temp.id_at(moment, n, 'notification'), account_id, id, 'A run completed',
  'Text', CASE WHEN n % 3 = 0 THEN moment END, moment, moment FROM numbered WHERE n % 5 = 1;
INSERT INTO approvals (id, run_id, account_id, agent_id, tool_call_id, tool_name, arguments,
  summary, status, created_at, expires_at, decided_at)
SELECT pg_temp.id_at(moment, n, 'approval'), id, account_id, agent_id, 'call', 'http', '{}',
  'A call', CASE WHEN n % 40 = 2 THEN 'rejected' ELSE 'approved' END, moment,
  moment + interval '1 day', moment FROM numbered WHERE n % 20 = 2;
INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type, size_bytes,
  sha256, storage_key, created_at)
SELECT pg_temp.id_at(moment, n, 'artifact'), id, account_id, 'call', 'Table', 'table.csv',
  'text/csv', 10, md5(n::text), 'key-' || n, moment FROM numbered WHERE n % 20 = 3;
INSERT INTO idempotency_keys (account_id, route, key, request_hash, status, body, created_at)
SELECT account_id, 'createRun', 'key-' || n, md5(n::text), 202, '{}',
  now() - (n % 70000) * interval '1 second' FROM numbered WHERE n % 10 = 4;
INSERT INTO audit_events (id, account_id, actor_kind, action, object_kind, object_id, created_at)
SELECT pg_temp.id_at(moment, n, 'audit'), account_id,
  'key', CASE WHEN n % 50 = 5 THEN 'agent.created' ELSE 'key.created' END, 'agent', agent_id, moment
FROM numbered WHERE n % 10 = 5;
INSERT INTO row_counts (account_id, name, count)
SELECT account_id, 'conversations', count(*) FROM conversations GROUP BY 1;
INSERT INTO row_counts (account_id, name, count)
SELECT account_id, 'agents', count(*) FROM agents GROUP BY 1;
INSERT INTO row_counts (account_id, name, count)
SELECT account_id, 'workspaces', count(*) FROM workspaces GROUP BY 1;
INSERT INTO row_counts (account_id, name, count)
SELECT account_id, 'files', count(*) FROM workspace_files GROUP BY 1;
DROP TABLE numbered;
DROP TABLE size;
SET session_replication_role = origin;
ANALYZE;
