-- For the metric and the check of the lost ones: as a rule there are none.
CREATE INDEX "common_files_lost_idx" ON "common_files"("id") WHERE "file_not_exists";
