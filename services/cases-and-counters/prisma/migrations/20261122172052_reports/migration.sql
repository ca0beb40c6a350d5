-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email" TEXT,
ADD COLUMN     "firstname" TEXT,
ADD COLUMN     "lastname" TEXT;

-- The names of those who are copied already come with the next snapshot
DO $$ BEGIN
  IF to_regclass('kit.copy_state') IS NOT NULL THEN
    UPDATE kit.copy_state SET stale_since = now() WHERE name = 'users';
  END IF;
END $$;

-- CreateTable
CREATE TABLE "report_days" (
    "customer_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "user_id" BIGINT NOT NULL,
    "sentences" INTEGER NOT NULL,
    "approved" INTEGER NOT NULL,
    "rejected" INTEGER NOT NULL,
    "corrected" INTEGER NOT NULL,

    CONSTRAINT "report_days_pkey" PRIMARY KEY ("customer_id","day","user_id")
);

-- CreateTable
CREATE TABLE "report_issues" (
    "customer_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "user_id" BIGINT NOT NULL,
    "issue_id" BIGINT NOT NULL,

    CONSTRAINT "report_issues_pkey" PRIMARY KEY ("customer_id","day","user_id","issue_id")
);

-- Row-level security
ALTER TABLE "report_days" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "report_days" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "report_days" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER TABLE "report_issues" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "report_issues" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "report_issues" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
