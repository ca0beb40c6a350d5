-- Words without accents: the dictionary `unaccent`, which every distribution of PostgreSQL has, and a database's owner may create.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE TEXT SEARCH CONFIGURATION "search" (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION "search" ALTER MAPPING FOR word, numword WITH unaccent, simple;

-- CreateTable
CREATE TABLE "issue_documents" (
    "issue_id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "user_client_id" BIGINT,
    "document" tsvector NOT NULL,

    CONSTRAINT "issue_documents_pkey" PRIMARY KEY ("issue_id")
);

-- Row-level security
ALTER TABLE "issue_documents" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "issue_documents" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "issue_documents" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
CREATE POLICY "own" ON "issue_documents" FOR SELECT USING ("user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[])));
CREATE POLICY "owner" ON "issue_documents" FOR SELECT TO CURRENT_USER USING (true);

-- What the schema language cannot say. The words of an office begin with its id (`o7oinvoice`): what a search costs, also one for the beginning of
-- a word, does not depend on what other offices have written.
CREATE INDEX "issue_documents_document_idx" ON "issue_documents" USING gin ("document") WITH (gin_pending_list_limit = 256);
-- A document stays beside its row, where a search of the newest cases reads it.
ALTER TABLE "issue_documents" SET (toast_tuple_target = 8160);

-- Letters and digits make words, whatever the locale of the database; so neither the parser of documents nor that of queries sees anything else.
CREATE FUNCTION "search_words"("customer_id" bigint, "texts" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(
        lower(normalize("texts") COLLATE pg_c_utf8), '[^[:alnum:]]*([[:alnum:]]+)[^[:alnum:]]*', ' o' || "customer_id" || 'o\1 ', 'g');

CREATE FUNCTION "search_document"("customer_id" bigint, "texts" text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_tsvector('search', "search_words"("customer_id", "texts"));

-- All words of a text, and of the last one its beginning; `labels` says which words of a document may match, none of them that all may. NULL without
-- a word.
CREATE FUNCTION "search_query"("customer_id" bigint, "texts" text, "labels" text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN "texts" COLLATE pg_c_utf8 ~ '[[:alnum:]]' THEN to_tsquery('search',
        replace(btrim("search_words"("customer_id", "texts")), '  ', CASE "labels" WHEN '' THEN ' & ' ELSE ':' || "labels" || ' & ' END)
        || ':*' || "labels") END;

-- The cases of the office of the transaction that match. PostgreSQL uses no index for `@@` behind row-level security, because it is not leakproof:
-- this runs with the rights of the owner, and limits itself to the office.
CREATE FUNCTION "matching_issues"("texts" text) RETURNS SETOF bigint LANGUAGE sql STABLE SECURITY DEFINER SET enable_seqscan = off
BEGIN ATOMIC
    SELECT "issue_id" FROM "issue_documents"
    WHERE "customer_id" = NULLIF(current_setting('app.customer_id', true), '')::bigint
        AND "document" @@ "search_query"(NULLIF(current_setting('app.customer_id', true), '')::bigint, "texts", '');
END;

-- The labels of words: A of the contact, which clients do not see; B of subject and number; D of the sentences that were sent.
CREATE FUNCTION "contact_words"("contact" "issue_initiators") RETURNS tsvector LANGUAGE sql IMMUTABLE
    RETURN setweight("search_document"(("contact")."customer_id", concat_ws(' ', ("contact")."first_name", ("contact")."last_name",
        ("contact")."company_name", ("contact")."email", ("contact")."phone")), 'A');

-- The contact is locked, so that a change of it and this one see each other.
CREATE FUNCTION "issue_head_words"("issue" "issues") RETURNS tsvector LANGUAGE plpgsql AS $$
DECLARE
    "words" tsvector := setweight("search_document"("issue"."customer_id", "issue"."number" || ' ' || "issue"."subject"), 'B');
    "contact" "issue_initiators";
BEGIN
    IF "issue"."issue_initiator_id" IS NULL THEN RETURN "words"; END IF;
    SELECT * INTO "contact" FROM "issue_initiators"
        WHERE "customer_id" = "issue"."customer_id" AND "id" = "issue"."issue_initiator_id" FOR SHARE;
    RETURN "words" || COALESCE("contact_words"("contact"), '');
END
$$;

-- Of very long cases, the first words.
CREATE FUNCTION "sentence_words"("of_customer" bigint, "of_issue" bigint) RETURNS tsvector LANGUAGE sql STABLE
    RETURN "search_document"("of_customer", (
        SELECT COALESCE(left(string_agg("body", ' ' ORDER BY "id"), 50000), '') FROM "issue_sentences"
        WHERE "customer_id" = "of_customer" AND "issue_id" = "of_issue" AND "status" = 'sent'));

CREATE FUNCTION "index_issue"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "issue_documents" VALUES (NEW."id", NEW."customer_id", NEW."user_client_id", "issue_head_words"(NEW));
    ELSIF TG_OP = 'UPDATE' THEN
        UPDATE "issue_documents" SET "user_client_id" = NEW."user_client_id", "document" = ts_filter("document", '{d}') || "issue_head_words"(NEW)
            WHERE "issue_id" = NEW."id";
    ELSE
        DELETE FROM "issue_documents" WHERE "issue_id" = OLD."id";
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "index_issue" AFTER INSERT OR DELETE ON "issues" FOR EACH ROW EXECUTE FUNCTION "index_issue"();
CREATE TRIGGER "index_changed_issue" AFTER UPDATE OF "subject", "issue_initiator_id", "user_client_id" ON "issues" FOR EACH ROW
    WHEN ((OLD."subject", OLD."issue_initiator_id", OLD."user_client_id") IS DISTINCT FROM (NEW."subject", NEW."issue_initiator_id", NEW."user_client_id"))
    EXECUTE FUNCTION "index_issue"();

-- A word has a place in a document once. What is more than PostgreSQL takes (1 MB) is not found, and keeps nobody from writing.
CREATE FUNCTION "index_sentence"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "words" tsvector := "search_document"(NEW."customer_id", NEW."body");
BEGIN
    UPDATE "issue_documents" SET "document" = "document" || ts_delete("words", tsvector_to_array(ts_filter("document", '{d}')))
        WHERE "issue_id" = NEW."issue_id" AND ts_delete("words", tsvector_to_array(ts_filter("document", '{d}'))) <> '';
    RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN NULL;
END
$$;
CREATE TRIGGER "index_sentence" AFTER INSERT ON "issue_sentences" FOR EACH ROW
    WHEN (NEW."status" = 'sent') EXECUTE FUNCTION "index_sentence"();
CREATE TRIGGER "index_sent_sentence" AFTER UPDATE OF "status" ON "issue_sentences" FOR EACH ROW
    WHEN (NEW."status" = 'sent' AND OLD."status" <> 'sent') EXECUTE FUNCTION "index_sentence"();

CREATE FUNCTION "forget_sentence"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "issue_documents" SET "document" = ts_filter("document", '{a,b}') || "sentence_words"(OLD."customer_id", OLD."issue_id")
        WHERE "issue_id" = OLD."issue_id";
    RETURN NULL;
END
$$;
CREATE TRIGGER "forget_sentence" AFTER DELETE ON "issue_sentences" FOR EACH ROW
    WHEN (OLD."status" = 'sent') EXECUTE FUNCTION "forget_sentence"();

CREATE FUNCTION "index_contact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "issue_documents" SET "document" = ts_filter("document", '{b,d}') || "contact_words"(NEW)
        FROM "issues" WHERE "issues"."customer_id" = NEW."customer_id" AND "issues"."issue_initiator_id" = NEW."id"
            AND "issue_documents"."issue_id" = "issues"."id";
    RETURN NULL;
END
$$;
CREATE TRIGGER "index_contact" AFTER UPDATE OF "first_name", "last_name", "company_name", "email", "phone" ON "issue_initiators"
    FOR EACH ROW EXECUTE FUNCTION "index_contact"();

-- The cases that are there. Nobody writes one until the commit: the triggers above have locked the tables.
INSERT INTO "issue_documents" SELECT "id", "customer_id", "user_client_id", "issue_head_words"("issues") || "sentence_words"("customer_id", "id") FROM "issues";
