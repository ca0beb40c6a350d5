-- As before, with words that end in a sigma found whatever their case: Σ becomes σ also at the end of a word, where ς is written.
CREATE OR REPLACE FUNCTION "search_query"("customer_id" bigint, "texts" text, "labels" text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN "texts" COLLATE pg_c_utf8 ~ '[[:alnum:]]' THEN to_tsquery('search', regexp_replace((
        replace(btrim("search_words"("customer_id", "texts")), '  ', CASE "labels" WHEN '' THEN ' & ' ELSE ':' || "labels" || ' & ' END)
        || ':*' || "labels") COLLATE pg_c_utf8, '([[:alnum:]]+)[σς](:\S+)?( |$)', '(\1σ\2 | \1ς\2)\3', 'g')) END;
