-- The first job of a key that has not begun, whether it is held or not.
DROP INDEX "job_held_idx";
CREATE INDEX "job_next_idx" ON "job" ("name", "key", "priority" DESC, "due", "id")
    WHERE "key" IS NOT NULL AND "state" IN ('ready', 'held');
