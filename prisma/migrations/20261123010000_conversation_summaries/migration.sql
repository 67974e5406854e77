-- CreateTable
CREATE TABLE "conversation_summaries" (
    "conversation_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "through_position" BIGINT NOT NULL,
    "summary" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_summaries_pkey" PRIMARY KEY ("conversation_id")
);

-- CreateIndex
CREATE INDEX "conversation_summaries_account_id_idx" ON "conversation_summaries"("account_id");

-- CreateIndex
CREATE INDEX "conversation_summaries_run_id_idx" ON "conversation_summaries"("run_id");

-- AddForeignKey
ALTER TABLE "conversation_summaries" ADD CONSTRAINT "conversation_summaries_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was said in a run that is deleted is in no summary any more, whichever version of the service deletes it.
CREATE FUNCTION "forget_summed_up_messages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_summaries s USING gone g WHERE s.conversation_id = g.conversation_id AND g.position <= s.through_position;
  RETURN NULL;
END
$$;
CREATE TRIGGER "messages_forget_summary" AFTER DELETE ON "messages" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "forget_summed_up_messages"();
