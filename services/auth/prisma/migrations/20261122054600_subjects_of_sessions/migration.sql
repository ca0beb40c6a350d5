-- A subject is a kind and an id: employees and applications have ids of their own sequences, and share an audience.
ALTER TABLE "sessions" ADD COLUMN "kind" TEXT;

-- The kind of a session that was written without one. On the address for employees the application tells: one with a secret has sessions
-- of its own only, and one of ours has those of employees only.
CREATE FUNCTION "session_kind"(audience TEXT, application_id BIGINT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN audience = 'client' THEN 'client'
        WHEN EXISTS (SELECT FROM "applications" WHERE "id" = application_id AND "kind" = 'technical') THEN 'application'
        ELSE 'employee'
    END
$$;

-- The previous build writes no kind. To be removed with the column's NULLs when it runs nowhere any more.
CREATE FUNCTION "fill_session_kind"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."kind" := "session_kind"(NEW."audience", NEW."application_id");
    RETURN NEW;
END
$$;
CREATE TRIGGER "fill_kind" BEFORE INSERT ON "sessions" FOR EACH ROW WHEN (NEW."kind" IS NULL) EXECUTE FUNCTION "fill_session_kind"();

SELECT set_config('app.platform', 'on', true);
UPDATE "sessions" SET "kind" = "session_kind"("audience", "application_id");

-- CreateIndex
CREATE INDEX "sessions_kind_user_id_idx" ON "sessions"("kind", "user_id");
