-- Dead letters are deleted after 90 days.
CREATE INDEX "dead_letter_created_idx" ON "dead_letter" ("created");
