-- A word counts once: texts repeat theirs, above all where they quote what they answer, and the search for words takes most of the time of an
-- insert. Positions and weights are of no use to `matching_messages`. Documents that are there stay as they are: they match the same.
CREATE OR REPLACE FUNCTION "search_document"("customer_id" bigint, "texts" text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN strip(to_tsvector('search', "search_words"("customer_id", (
        SELECT string_agg("word", ' ') FROM (
            SELECT DISTINCT "word" FROM string_to_table(translate("texts", E'\n\r\t', '   '), ' ') AS "word") AS "words"))));
