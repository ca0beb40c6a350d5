-- What a service wants to tell, written in the transaction of the change.
CREATE TABLE "outbox" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "event_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "topic" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "published_at" TIMESTAMPTZ(3)
);

CREATE INDEX "outbox_unpublished_idx" ON "outbox" ("id") WHERE "published_at" IS NULL;
CREATE INDEX "outbox_published_at_idx" ON "outbox" ("published_at") WHERE "published_at" IS NOT NULL;

CREATE FUNCTION "wake_relay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kit_outbox', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER "outbox_written" AFTER INSERT ON "outbox" FOR EACH STATEMENT EXECUTE FUNCTION "wake_relay"();

-- Which events a consumer has taken, for effects that are neither copied state nor counted facts.
CREATE TABLE "inbox" (
    "consumer" TEXT NOT NULL,
    "event_id" UUID NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    PRIMARY KEY ("consumer", "event_id")
);

CREATE INDEX "inbox_created_idx" ON "inbox" ("created");

-- Events that a consumer could not take, until they are replayed.
CREATE TABLE "dead_letter" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "consumer" TEXT NOT NULL,
    "event_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "headers" JSONB NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "error" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    UNIQUE ("consumer", "event_id")
);

-- Answers of requests that carried an Idempotency-Key. A row without a status belongs to a request in flight.
CREATE TABLE "idempotency_key" (
    "caller" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    PRIMARY KEY ("caller", "route", "key")
);

CREATE INDEX "idempotency_key_created_idx" ON "idempotency_key" ("created");

-- Copies of what another service owns, once they are filled.
CREATE TABLE "copy_state" (
    "name" TEXT PRIMARY KEY,
    "filled" TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
