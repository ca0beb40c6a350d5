ALTER TABLE "mail_sent_messages" ADD COLUMN "copy_due" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "mail_sent_messages_mail_server_id_sent_at_idx" ON "mail_sent_messages"("mail_server_id", "sent_at");
CREATE INDEX "mail_sent_messages_mail_server_id_copy_due_idx" ON "mail_sent_messages"("mail_server_id", "copy_due");
