-- CreateTable
CREATE TABLE "client_data_changes" (
    "id" UUID NOT NULL,
    "external_user_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'received',
    "user_client_id" BIGINT,
    "updated_initiators" INTEGER,
    "refusal" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished" TIMESTAMPTZ(3),

    CONSTRAINT "client_data_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "client_data_changes_finished_idx" ON "client_data_changes"("finished");

-- Row-level security
ALTER TABLE "client_data_changes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "client_data_changes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "client_data_changes" USING ((SELECT current_setting('app.platform', true) = 'on'));

-- Few: those that have not ended.
CREATE INDEX "client_data_changes_unfinished_idx" ON "client_data_changes"("created", "id") WHERE "finished" IS NULL;
CREATE INDEX "client_data_changes_external_user_id_idx" ON "client_data_changes"("external_user_id") WHERE "finished" IS NULL;
