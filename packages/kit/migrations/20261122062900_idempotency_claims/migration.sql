-- A key that is committed before its request is carried out belongs to one request, until a moment.
ALTER TABLE "idempotency_key" ADD COLUMN "claim" UUID, ADD COLUMN "claimed_until" TIMESTAMPTZ(3);
