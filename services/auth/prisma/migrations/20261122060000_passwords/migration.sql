-- Made by whoever runs the installation: it signs in, and is good for nothing but setting another one.
ALTER TABLE "users" ADD COLUMN "password_expired" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "clients" ADD COLUMN "password_expired" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "known_addresses" (
    "hash" BYTEA NOT NULL,
    "seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_addresses_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "known_addresses_seen_idx" ON "known_addresses"("seen");

ALTER TABLE "known_addresses" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "known_addresses" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "known_addresses" USING ((SELECT current_setting('app.platform', true) = 'on'));
