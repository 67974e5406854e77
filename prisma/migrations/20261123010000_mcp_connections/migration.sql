-- CreateTable
CREATE TABLE "mcp_connections" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "server_url" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "issuer" TEXT,
    "client_id" TEXT,
    "scopes" TEXT[],
    "sealed" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "signed_in_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "sign_in_hash" BYTEA,
    "sign_in_session" UUID,
    "sign_in_until" TIMESTAMPTZ(3),
    "refresh_lease" UUID,
    "refresh_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_connections_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mcp_connections_sign_in_hash_key" ON "mcp_connections"("sign_in_hash");

-- CreateIndex
CREATE UNIQUE INDEX "mcp_connections_account_id_server_url_key" ON "mcp_connections"("account_id", "server_url");

-- AddForeignKey
ALTER TABLE "mcp_connections" ADD CONSTRAINT "mcp_connections_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "mcp_connections" ADD CONSTRAINT "mcp_connections_status" CHECK ("status" IN ('pending', 'connected', 'needs_sign_in'));

CREATE TRIGGER "mcp_connections_counted_in" AFTER INSERT ON "mcp_connections" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('connections');
CREATE TRIGGER "mcp_connections_counted_out" AFTER DELETE ON "mcp_connections" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_account_rows"('connections');
