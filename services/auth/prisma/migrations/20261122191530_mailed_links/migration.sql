-- CreateTable
CREATE TABLE "mailed_links" (
    "hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "email" TEXT,
    "state" BYTEA NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailed_links_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "mailed_links_expires_idx" ON "mailed_links"("expires");

-- Row-level security
ALTER TABLE "mailed_links" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "mailed_links" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "mailed_links" USING ((SELECT current_setting('app.platform', true) = 'on'));
