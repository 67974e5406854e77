-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "row_caps" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "last_error" JSONB;

-- CreateTable
CREATE TABLE "row_counts" (
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "row_counts_pkey" PRIMARY KEY ("account_id","name")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "reserved_bytes" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "uploads_account_id_idx" ON "uploads"("account_id");

-- CreateIndex
CREATE INDEX "uploads_expires_at_idx" ON "uploads"("expires_at");

-- CreateIndex
CREATE INDEX "api_keys_account_id_agent_id_revoked_at_expires_at_idx" ON "api_keys"("account_id", "agent_id", "revoked_at", "expires_at");

-- AddForeignKey
ALTER TABLE "row_counts" ADD CONSTRAINT "row_counts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say.

-- Rows an account has, counted where they are written: exact whoever writes them, cascades and older processes too. One update a statement and account;
-- its row lock has writers of one account and one kind come one after another, so that whoever looks at the count after its own insert sees all others.
CREATE FUNCTION "count_account_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count) SELECT account_id, TG_ARGV[0], count(*) FROM changed GROUP BY account_id
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSE
    UPDATE row_counts c SET count = c.count - gone.count FROM (SELECT account_id, count(*) AS count FROM changed GROUP BY account_id) gone
    WHERE c.account_id = gone.account_id AND c.name = TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;

-- Archived agents do not count: nothing else takes an agent away.
CREATE FUNCTION "count_active_agents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, 'agents', count(*) FROM new_rows WHERE status = 'active' GROUP BY account_id
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (SELECT account_id, count(*) AS count FROM old_rows WHERE status = 'active' GROUP BY account_id) gone
    WHERE c.account_id = gone.account_id AND c.name = 'agents';
  ELSE
    UPDATE row_counts c SET count = c.count + moved.count
    FROM (SELECT n.account_id, sum((n.status = 'active')::int - (o.status = 'active')::int)::int AS count
          FROM new_rows n JOIN old_rows o ON o.id = n.id AND o.status <> n.status GROUP BY n.account_id) moved
    WHERE c.account_id = moved.account_id AND c.name = 'agents';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "agents_counted_in" AFTER INSERT ON "agents" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION "count_active_agents"();
CREATE TRIGGER "agents_counted_on" AFTER UPDATE ON "agents" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION "count_active_agents"();
CREATE TRIGGER "agents_counted_out" AFTER DELETE ON "agents" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION "count_active_agents"();
CREATE TRIGGER "workspaces_counted_in" AFTER INSERT ON "workspaces" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('workspaces');
CREATE TRIGGER "workspaces_counted_out" AFTER DELETE ON "workspaces" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('workspaces');
CREATE TRIGGER "workspace_files_counted_in" AFTER INSERT ON "workspace_files" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('files');
CREATE TRIGGER "workspace_files_counted_out" AFTER DELETE ON "workspace_files" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('files');
CREATE TRIGGER "schedules_counted_in" AFTER INSERT ON "schedules" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('schedules');
CREATE TRIGGER "schedules_counted_out" AFTER DELETE ON "schedules" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('schedules');
CREATE TRIGGER "conversations_counted_in" AFTER INSERT ON "conversations" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('conversations');
CREATE TRIGGER "conversations_counted_out" AFTER DELETE ON "conversations" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('conversations');
CREATE TRIGGER "secrets_counted_in" AFTER INSERT ON "secrets" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('secrets');
CREATE TRIGGER "secrets_counted_out" AFTER DELETE ON "secrets" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('secrets');
CREATE TRIGGER "skills_counted_in" AFTER INSERT ON "skills" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('skills');
CREATE TRIGGER "skills_counted_out" AFTER DELETE ON "skills" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('skills');

-- What is there already. The triggers above have locked the tables against writes until this is committed.
INSERT INTO row_counts (account_id, name, count)
SELECT r.account_id, r.name, count(*) FROM (
  SELECT account_id, 'agents' AS name FROM agents WHERE status = 'active'
  UNION ALL SELECT account_id, 'workspaces' FROM workspaces
  UNION ALL SELECT account_id, 'files' FROM workspace_files
  UNION ALL SELECT account_id, 'schedules' FROM schedules
  UNION ALL SELECT account_id, 'conversations' FROM conversations
  UNION ALL SELECT account_id, 'secrets' FROM secrets
  UNION ALL SELECT account_id, 'skills' FROM skills
) r JOIN accounts a ON a.id = r.account_id GROUP BY r.account_id, r.name;
