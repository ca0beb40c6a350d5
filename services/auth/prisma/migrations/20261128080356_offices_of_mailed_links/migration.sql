-- The office that a mail names: whoever sets a password by its invitation accepts it. The build before leaves it empty.
ALTER TABLE "mailed_links" ADD COLUMN "customer_id" BIGINT;
