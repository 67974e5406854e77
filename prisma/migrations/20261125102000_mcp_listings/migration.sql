-- CreateTable
CREATE TABLE "mcp_revisions" (
    "account_id" UUID NOT NULL,
    "server_key" BYTEA NOT NULL,
    "version" TEXT NOT NULL,
    "is_bare" BOOLEAN NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_revisions_pkey" PRIMARY KEY ("account_id","server_key")
);

-- CreateTable
CREATE TABLE "mcp_listings" (
    "account_id" UUID NOT NULL,
    "listing_key" BYTEA NOT NULL,
    "definitions" TEXT NOT NULL,
    "listed_at" TIMESTAMPTZ(6) NOT NULL,
    "fresh_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_listings_pkey" PRIMARY KEY ("account_id","listing_key")
);

-- CreateIndex
CREATE INDEX "mcp_revisions_until_idx" ON "mcp_revisions"("until");

-- CreateIndex
CREATE INDEX "mcp_listings_listed_at_idx" ON "mcp_listings"("listed_at");

-- AddForeignKey
ALTER TABLE "mcp_revisions" ADD CONSTRAINT "mcp_revisions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_listings" ADD CONSTRAINT "mcp_listings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
