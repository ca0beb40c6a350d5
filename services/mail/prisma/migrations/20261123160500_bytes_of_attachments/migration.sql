-- CreateIndex
CREATE INDEX "mail_attachments_blob_key_idx" ON "mail_attachments"("blob_key");
