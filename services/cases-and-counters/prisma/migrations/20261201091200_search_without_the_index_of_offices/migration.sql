-- As before, without the index by office: the words of a document begin with the office's id, so that the index of words finds documents of the office
-- alone. The planner knows the size of an average office, and read the entries of all documents of a large one for each search.
CREATE OR REPLACE FUNCTION "matching_issues"("texts" text, "before" bigint DEFAULT NULL, "most" bigint DEFAULT NULL) RETURNS SETOF bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET enable_seqscan = off SET enable_indexscan = off
BEGIN ATOMIC
    SELECT "issue_id" FROM "issue_documents"
    WHERE "customer_id" + 0 = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint)
        AND "document" @@ (SELECT "search_query"(NULLIF(current_setting('app.customer_id', true), '')::bigint, "texts", ''))
        AND ("before" IS NULL OR "issue_id" < "before")
    ORDER BY "issue_id" DESC LIMIT "most";
END;
