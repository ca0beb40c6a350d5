-- A state without a name here shows the client nothing. No constraint says which there are: a later build may know more of them, while this
-- one still runs.
ALTER TABLE "client_links" DROP CONSTRAINT "client_links_state_check";

CREATE OR REPLACE FUNCTION "is_open"("link" "client_links") RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN "link"."linked" OR (
        "link"."state_revision" IS NOT DISTINCT FROM "link"."revision"
        AND COALESCE("link"."state" IN ('invited', 'active', 'ended'), false));
