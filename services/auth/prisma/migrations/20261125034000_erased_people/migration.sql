-- The person is erased at the office. The row stays for the copies of other services, and names nobody. A constant default rewrites no row.
ALTER TABLE "client_links" ADD COLUMN     "erased" BOOLEAN NOT NULL DEFAULT false;
