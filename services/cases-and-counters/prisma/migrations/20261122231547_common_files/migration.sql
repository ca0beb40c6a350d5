-- CreateTable
CREATE TABLE "common_files" (
    "id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "mime" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "virus_scan_status" TEXT NOT NULL,
    "virus_scan_error" TEXT,
    "file_not_exists" BOOLEAN NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL,
    "modified" TIMESTAMPTZ(3) NOT NULL,
    "deleted" BOOLEAN NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "common_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "common_file_objects" (
    "id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "common_file_id" BIGINT NOT NULL,
    "object_name" TEXT NOT NULL,
    "object_id" BIGINT NOT NULL,

    CONSTRAINT "common_file_objects_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "common_files_customer_id_id_idx" ON "common_files"("customer_id", "id");

-- CreateIndex
CREATE INDEX "common_file_objects_object_name_object_id_idx" ON "common_file_objects"("object_name", "object_id");

-- CreateIndex
CREATE INDEX "common_file_objects_common_file_id_idx" ON "common_file_objects"("common_file_id");

-- Row-level security
ALTER TABLE "common_files" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "common_files" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "common_files" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
CREATE POLICY "of_sentences" ON "common_files" FOR SELECT USING ((SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) IS NOT NULL AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[])) AND EXISTS (SELECT FROM "common_file_objects" AS link WHERE link."common_file_id" = "common_files"."id"));
ALTER TABLE "common_file_objects" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "common_file_objects" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "common_file_objects" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
CREATE POLICY "of_sentences" ON "common_file_objects" FOR SELECT USING ((SELECT NULLIF(current_setting('app.client_id', true), '')::bigint) IS NOT NULL AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[])) AND "object_name" = 'IssueSentence' AND EXISTS (
  SELECT FROM "issue_sentences" AS sentence WHERE sentence."id" = "common_file_objects"."object_id" AND sentence."user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint)));
