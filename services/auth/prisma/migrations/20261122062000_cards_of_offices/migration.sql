-- When the person gave or accepted the names and the phone of the account. Until then these are what an office entered, and its own.
ALTER TABLE "clients" ADD COLUMN "names_confirmed" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "office_requests" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "office_requests_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "office_requests_expire_idx" ON "office_requests"("expire");

-- It has no policy: it holds ids of clients and numbers, and the limiter has connections of its own.

-- As "office_clients", whose columns cannot change their types: addresses are compared without regard to case, as they are unique.
CREATE VIEW "office_client_cards" WITH (security_invoker = true) AS
SELECT
    client."id", link."customer_id", client."email", link."firstname", link."lastname", link."phone", link."company_name",
    CASE WHEN link."state" = 'active' THEN client."external_user_id" END AS "external_user_id",
    link."banned", link."created", link."modified", link."version"
FROM "client_links" link
JOIN "clients" client ON client."id" = link."user_client_id"
WHERE link."state" <> 'ended';

-- A banned client sees nothing of the office, so not the link either.
CREATE OR REPLACE VIEW "active_links" WITH (security_invoker = true) AS
SELECT "id", "customer_id", "user_client_id", "created", "modified", "version"
FROM "client_links"
WHERE "state" = 'active' AND NOT "banned";
