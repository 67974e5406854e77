-- What each vendor's own list of models showed last: for the starts at which the vendor does not answer.
CREATE TABLE "vendor_models" (
    "vendor" TEXT NOT NULL,
    "models" JSONB NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "vendor_models_pkey" PRIMARY KEY ("vendor")
);
