-- CreateTable
CREATE TABLE "groups" (
    "id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "deleted" BOOLEAN NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "groups_customer_id_id_idx" ON "groups"("customer_id", "id");

-- The cases of a group, when it is deleted. A case without one costs nothing.
CREATE INDEX "issues_customer_id_group_id_id_idx" ON "issues"("customer_id", "group_id", "id") WHERE "group_id" IS NOT NULL;

-- Row-level security
ALTER TABLE "groups" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "groups" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "groups" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
