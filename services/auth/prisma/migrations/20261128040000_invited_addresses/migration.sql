-- The address by which an office invited somebody who has an account. It is all that the office learns of it until the person accepts.
ALTER TABLE "client_links" ADD COLUMN "invited_email" CITEXT;

CREATE OR REPLACE VIEW "office_client_cards" WITH (security_invoker = true) AS
SELECT
    client."id", link."customer_id",
    CASE WHEN link."state" = 'invited' THEN coalesce(link."invited_email", client."email") ELSE client."email" END AS "email",
    link."firstname", link."lastname", link."phone", link."company_name",
    CASE WHEN link."state" = 'active' THEN client."external_user_id" END AS "external_user_id",
    link."banned", link."created", link."modified", link."version"
FROM "client_links" link
JOIN "clients" client ON client."id" = link."user_client_id"
WHERE link."state" <> 'ended';
