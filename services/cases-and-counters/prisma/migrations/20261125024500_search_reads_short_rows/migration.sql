-- A search by the index reads the row of each case that matches, and of some kinds of words these are all old ones. PostgreSQL moves a value out of
-- line from a row of more than 2 kB, and then to less than `toast_tuple_target`; documents below that stayed in their rows, four to a page: 50,000
-- matches were 12,500 pages. A row that has a value out of line keeps it there, however short it is. So the first sentence of a case pads its row; the
-- padding is compressed, and goes with the next sentence. Documents that are there move when a sentence is written in their case.
ALTER TABLE "issue_documents" ADD COLUMN "padding" TEXT;

-- As before, with the words that are new found once. A document to which none is added is written in its place, and no index is.
CREATE OR REPLACE FUNCTION "index_sentence"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "words" tsvector := "search_document"(NEW."customer_id", NEW."body");
BEGIN
    UPDATE "issue_documents" SET
        "document" = "document" || ts_delete("words", tsvector_to_array(ts_filter("document", '{d}'))),
        "padding" = CASE WHEN pg_column_toast_chunk_id("document") IS NULL THEN repeat(' ', 2048) END
        WHERE "issue_id" = NEW."issue_id";
    RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN NULL;
END
$$;

-- As before where only a text is given. With a number, the newest so many of the matches that are below `before`: the others are not handed out one by
-- one. Without `enable_indexscan` no plan reads document after document in their order. It takes the place of the one for a text, which is called in the
-- same way.
DROP FUNCTION "matching_issues"(text);
CREATE FUNCTION "matching_issues"("texts" text, "before" bigint DEFAULT NULL, "most" bigint DEFAULT NULL) RETURNS SETOF bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET enable_seqscan = off SET enable_indexscan = off
BEGIN ATOMIC
    SELECT "issue_id" FROM "issue_documents"
    WHERE "customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint)
        AND "document" @@ (SELECT "search_query"(NULLIF(current_setting('app.customer_id', true), '')::bigint, "texts", ''))
        AND ("before" IS NULL OR "issue_id" < "before")
    ORDER BY "issue_id" DESC LIMIT "most";
END;
