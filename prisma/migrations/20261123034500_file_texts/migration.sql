-- CreateTable
CREATE TABLE "file_indexes" (
    "file_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "storage_key" TEXT NOT NULL,
    "problem" TEXT,

    CONSTRAINT "file_indexes_pkey" PRIMARY KEY ("file_id")
);

-- CreateTable
CREATE TABLE "file_texts" (
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "account_id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "first_line" INTEGER,
    "text" TEXT NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "file_texts_pkey" PRIMARY KEY ("file_id","position")
);

-- CreateIndex
CREATE INDEX "file_indexes_account_id_idx" ON "file_indexes"("account_id");

-- CreateIndex
CREATE INDEX "file_texts_words_idx" ON "file_texts" USING GIN ("words");

-- CreateIndex
CREATE INDEX "file_texts_account_id_idx" ON "file_texts"("account_id");

-- AddForeignKey
ALTER TABLE "file_indexes" ADD CONSTRAINT "file_indexes_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "workspace_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_texts" ADD CONSTRAINT "file_texts_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "file_indexes"("file_id") ON DELETE CASCADE ON UPDATE CASCADE;
