-- Recipients are kept as JSON. The names of its fields are no words of a message: each message with a recipient was found by `address`, and by `name`. What
-- stands in a value has its quotes escaped, so that no value looks like a field. Documents that are there stay as they are.
CREATE FUNCTION "search_addresses"("addresses" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace("addresses", '"(?:address|name)":', ' ', 'g');

CREATE OR REPLACE FUNCTION "index_message"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "mail_received_documents" ("message_id", "customer_id", "document")
        VALUES (NEW."id", NEW."customer_id", "search_document"(NEW."customer_id",
            left(concat_ws(' ', NEW."mail_subject", NEW."mail_name", NEW."mail_address", "search_addresses"(NEW."mail_to"), "search_addresses"(NEW."mail_cc"),
                NEW."body_text"), 50000)));
    RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN NULL;
END
$$;

-- A soft hyphen says where a word may be divided, and divides none.
CREATE OR REPLACE FUNCTION "search_words"("customer_id" bigint, "texts" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(
        lower(normalize(replace("texts", U&'\00AD', '')) COLLATE pg_c_utf8), '[^[:alnum:]]*([[:alnum:]]+)[^[:alnum:]]*', ' o' || "customer_id" || 'o\1 ', 'g');
