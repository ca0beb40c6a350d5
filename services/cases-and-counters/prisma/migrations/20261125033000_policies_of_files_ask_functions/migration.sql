-- What a client sees of files is asked by functions, with the rights of the client and behind the same policies: each policy that another one reads is
-- part of every plan, of employees as well, and PostgreSQL began 55 parts of a plan of which it needed four. AND asks them of clients alone.
CREATE FUNCTION "is_own_sentence"("sentence_id" bigint) RETURNS boolean LANGUAGE sql STABLE
    RETURN EXISTS (
        SELECT FROM "issue_sentences" AS "sentence"
        WHERE "sentence"."id" = "sentence_id" AND "sentence"."user_client_id" = NULLIF(current_setting('app.client_id', true), '')::bigint
    );

CREATE FUNCTION "is_linked_file"("file_id" bigint) RETURNS boolean LANGUAGE sql STABLE
    RETURN EXISTS (SELECT FROM "common_file_objects" AS "link" WHERE "link"."common_file_id" = "file_id");

ALTER POLICY "of_sentences" ON "common_file_objects" USING ((SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) IS NOT NULL AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[])) AND "object_name" = 'IssueSentence' AND "is_own_sentence"("object_id"));
ALTER POLICY "of_sentences" ON "common_files" USING ((SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) IS NOT NULL AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[])) AND "is_linked_file"("id"));
