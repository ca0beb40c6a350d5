-- Words without accents: the dictionary `unaccent`, which every distribution of PostgreSQL has, and a database's owner may create.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE TEXT SEARCH CONFIGURATION "search" (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION "search" ALTER MAPPING FOR word, numword WITH unaccent, simple;

-- DropForeignKey
ALTER TABLE "mail_folders" DROP CONSTRAINT "mail_folders_parent_id_fkey";

-- DropIndex
DROP INDEX "mail_received_messages_mail_server_id_message_id_idx";

-- AlterTable
ALTER TABLE "mail_folders" ADD COLUMN     "is_global" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "mail_received_messages" DROP COLUMN "in_reply_to",
DROP COLUMN "message_id",
ADD COLUMN     "in_reply_to_msg_uid" TEXT,
ADD COLUMN     "msg_unique_identifier" TEXT,
ALTER COLUMN "mail_to" SET DATA TYPE TEXT,
ALTER COLUMN "mail_cc" SET DATA TYPE TEXT;

-- CreateTable
CREATE TABLE "mail_received_documents" (
    "message_id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "document" tsvector NOT NULL,

    CONSTRAINT "mail_received_documents_pkey" PRIMARY KEY ("message_id")
);

-- CreateIndex
CREATE INDEX "mail_received_documents_document_idx" ON "mail_received_documents" USING GIN ("document");

-- CreateIndex
CREATE INDEX "mail_received_messages_customer_id_timestamp_id_idx" ON "mail_received_messages"("customer_id", "timestamp", "id");

-- CreateIndex
CREATE INDEX "mail_received_messages_customer_id_client_id_timestamp_id_idx" ON "mail_received_messages"("customer_id", "client_id", "timestamp", "id");

-- CreateIndex
CREATE INDEX "mail_received_messages_mail_server_id_msg_unique_identifier_idx" ON "mail_received_messages"("mail_server_id", "msg_unique_identifier");

-- AddForeignKey
ALTER TABLE "mail_folders" ADD CONSTRAINT "mail_folders_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "mail_folders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Row-level security
ALTER TABLE "mail_received_documents" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "mail_received_documents" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "mail_received_documents" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
CREATE POLICY "owner" ON "mail_received_documents" FOR SELECT TO CURRENT_USER USING (true);

-- What the schema language cannot say. The words of an office begin with its id (`o7oinvoice`): what a search costs, also one for the beginning of
-- a word, does not depend on what other offices have received.
ALTER TABLE "mail_received_documents" ALTER COLUMN "document" SET STORAGE EXTERNAL;
ALTER TABLE "mail_received_documents" SET (toast_tuple_target = 128);
ALTER INDEX "mail_received_documents_document_idx" SET (gin_pending_list_limit = 256);

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

-- The messages of the office of the transaction that match. PostgreSQL uses no index for `@@` behind row-level security, because it is not
-- leakproof: this runs with the rights of the owner, and limits itself to the office.
CREATE FUNCTION "matching_messages"("texts" text) RETURNS SETOF bigint LANGUAGE sql STABLE SECURITY DEFINER SET enable_seqscan = off
BEGIN ATOMIC
    SELECT "message_id" FROM "mail_received_documents"
    WHERE "customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint)
        AND "document" @@ (SELECT "search_query"(NULLIF(current_setting('app.customer_id', true), '')::bigint, "texts", ''));
END;

-- Of long messages, the first words. What is more than PostgreSQL takes (1 MB) is not found, and keeps no message from being stored.
CREATE FUNCTION "index_message"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "mail_received_documents" ("message_id", "customer_id", "document")
        VALUES (NEW."id", NEW."customer_id", "search_document"(NEW."customer_id",
            left(concat_ws(' ', NEW."mail_subject", NEW."mail_name", NEW."mail_address", NEW."mail_to", NEW."mail_cc", NEW."body_text"), 50000)));
    RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN NULL;
END
$$;
CREATE TRIGGER "index_message" AFTER INSERT ON "mail_received_messages" FOR EACH ROW EXECUTE FUNCTION "index_message"();

CREATE FUNCTION "forget_message"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "mail_received_documents" WHERE "message_id" = OLD."id";
    RETURN NULL;
END
$$;
CREATE TRIGGER "forget_message" AFTER DELETE ON "mail_received_messages" FOR EACH ROW EXECUTE FUNCTION "forget_message"();
CREATE TRIGGER "forget_removed_message" AFTER UPDATE OF "removed" ON "mail_received_messages" FOR EACH ROW
    WHEN (NEW."removed" AND NOT OLD."removed") EXECUTE FUNCTION "forget_message"();
