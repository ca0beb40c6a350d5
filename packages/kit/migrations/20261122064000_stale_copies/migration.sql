-- Set while a copy has to be filled anew.
ALTER TABLE "copy_state" ADD COLUMN "stale_since" TIMESTAMPTZ(3);
