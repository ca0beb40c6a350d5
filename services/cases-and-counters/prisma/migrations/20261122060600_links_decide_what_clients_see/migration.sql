-- The state of a link, and the revision at which it is known: an older build advances "revision" alone, and then nobody knows the state.
ALTER TABLE "client_links" ADD COLUMN "state" TEXT,
ADD COLUMN "state_revision" BIGINT;

ALTER TABLE "client_links"
    ADD CONSTRAINT "client_links_state_check" CHECK ("state" IN ('invited', 'active', 'ended', 'banned'));

-- Whether the client sees their own records at the office: after the link ended they still do, after a ban they do not. Unknown is no.
CREATE FUNCTION "is_open"("link" "client_links") RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN "link"."linked" OR ("link"."state_revision" IS NOT DISTINCT FROM "link"."revision" AND COALESCE("link"."state" <> 'banned', false));

-- The offices at which the client of this transaction sees their own records. Every policy that admits a client asks it, once a statement:
-- `"customer_id" = ANY ((SELECT "client_offices"())::bigint[])`.
CREATE FUNCTION "client_offices"() RETURNS bigint[] LANGUAGE sql STABLE
    RETURN (
        SELECT COALESCE(array_agg("link"."customer_id"), '{}')
        FROM "client_links" AS "link"
        WHERE "link"."client_id" = NULLIF(current_setting('app.client_id', true), '')::bigint AND "is_open"("link")
    );

ALTER POLICY "own" ON "issues" USING (
    "user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) AND "customer_id" = ANY ((SELECT "client_offices"())::bigint[]));
ALTER POLICY "own_lock" ON "issues" USING (
    "user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) AND "customer_id" = ANY ((SELECT "client_offices"())::bigint[]));
