-- CreateIndex
CREATE INDEX "common_files_virus_scan_status_created_idx" ON "common_files"("virus_scan_status", "created");
