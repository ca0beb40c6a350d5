-- What waits to be sent, or is being sent, of all offices: few rows among those of every message that was ever sent.
CREATE INDEX "mail_sent_messages_queue" ON "mail_sent_messages"("mail_server_id") WHERE "status" IN (0, 1);
