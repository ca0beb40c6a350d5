-- Work that outlives a request. A job runs in the scope (office, client or platform) of the transaction that enqueued it.
CREATE TABLE "job" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "name" TEXT NOT NULL,
    "customer_id" BIGINT,
    "client_id" BIGINT,
    -- Whose turn it is: jobs of one share are one office's, or one client's.
    "share" BIGINT NOT NULL GENERATED ALWAYS AS (coalesce("customer_id", -"client_id", 0)) STORED,
    "key" TEXT,
    "dedupe" TEXT,
    "payload" JSONB NOT NULL,
    "priority" SMALLINT NOT NULL,
    -- waiting: until run_at. ready: may be claimed. held: another job of its key has begun.
    "state" TEXT NOT NULL CHECK ("state" IN ('waiting', 'ready', 'held', 'running', 'done', 'failed', 'uncertain')),
    "due" TIMESTAMPTZ(3) NOT NULL,
    "run_at" TIMESTAMPTZ(3) NOT NULL,
    -- Counts the claims. Whoever names an older one has lost the job.
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "delays" INTEGER NOT NULL DEFAULT 0,
    "irreversible" BOOLEAN NOT NULL DEFAULT false,
    "cursor" JSONB,
    "error" TEXT,
    "traceparent" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "finished" TIMESTAMPTZ(3),
    "stopped" TIMESTAMPTZ(3)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX "job_ready_idx" ON "job" ("name", "share", "priority" DESC, "due", "id") WHERE "state" = 'ready';
CREATE INDEX "job_waiting_idx" ON "job" ("run_at") WHERE "state" = 'waiting';
CREATE INDEX "job_running_idx" ON "job" ("lease_until") WHERE "state" = 'running';
CREATE INDEX "job_held_idx" ON "job" ("name", "key", "priority" DESC, "due", "id") WHERE "state" = 'held';
-- One job of a key at a time, from its first claim to its end.
CREATE UNIQUE INDEX "job_begun_idx" ON "job" ("name", "key")
    WHERE "key" IS NOT NULL AND "fence" > 0 AND "state" IN ('waiting', 'ready', 'running');
CREATE UNIQUE INDEX "job_dedupe_idx" ON "job" ("name", "dedupe") WHERE "dedupe" IS NOT NULL;
CREATE INDEX "job_finished_idx" ON "job" ("finished") WHERE "finished" IS NOT NULL;
CREATE INDEX "job_stopped_idx" ON "job" ("stopped") WHERE "stopped" IS NOT NULL;

-- When a schedule enqueues its job the next time.
CREATE TABLE "schedule" (
    "name" TEXT PRIMARY KEY,
    "rule" TEXT NOT NULL,
    "next" TIMESTAMPTZ(3) NOT NULL
);
