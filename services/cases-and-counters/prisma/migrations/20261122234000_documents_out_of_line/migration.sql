-- An index search reads the row of each case that matches, of which a page shows few: 50,000 rows with their documents are 25,000 pages, without them
-- 3,500. Long documents are stored out of line, uncompressed, because the search of the newest cases reads them; those that there are move when
-- they are written.
ALTER TABLE "issue_documents" ALTER COLUMN "document" SET STORAGE EXTERNAL;
ALTER TABLE "issue_documents" SET (toast_tuple_target = 128);

-- As before, with the office asked for once, and not for each row that matches.
CREATE OR REPLACE FUNCTION "matching_issues"("texts" text) RETURNS SETOF bigint LANGUAGE sql STABLE SECURITY DEFINER SET enable_seqscan = off
BEGIN ATOMIC
    SELECT "issue_id" FROM "issue_documents"
    WHERE "customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint)
        AND "document" @@ (SELECT "search_query"(NULLIF(current_setting('app.customer_id', true), '')::bigint, "texts", ''));
END;
