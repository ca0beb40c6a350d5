-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "second_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "second_factors" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "secret" BYTEA NOT NULL,
    "confirmed" TIMESTAMPTZ(3),
    "last_step" INTEGER,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "second_factor_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("second_factor_id","hash")
);

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_second_factor_id_fkey" FOREIGN KEY ("second_factor_id") REFERENCES "second_factors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security
ALTER TABLE "second_factors" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "second_factors" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "second_factors" USING ((SELECT current_setting('app.platform', true) = 'on'));
ALTER TABLE "recovery_codes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "recovery_codes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "recovery_codes" USING ((SELECT current_setting('app.platform', true) = 'on'));

-- By hand: whose one may be, and that a person has one that signs in, and one that is being set up.
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_kind_check" CHECK ("kind" IN ('employee', 'client'));
CREATE UNIQUE INDEX "second_factors_confirmed_key" ON "second_factors"("kind", "user_id") WHERE "confirmed" IS NOT NULL;
CREATE UNIQUE INDEX "second_factors_pending_key" ON "second_factors"("kind", "user_id") WHERE "confirmed" IS NULL;
