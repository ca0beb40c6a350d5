-- The columns of a mailbox have the names of the REST interface, by which the reads of a resource find them.
ALTER TABLE "mail_servers" RENAME COLUMN "protocol" TO "server_protocol";
ALTER TABLE "mail_servers" RENAME COLUMN "address" TO "server_address";
ALTER TABLE "mail_servers" RENAME COLUMN "port" TO "server_port";
ALTER TABLE "mail_servers" RENAME COLUMN "secure" TO "server_secure";
ALTER TABLE "mail_servers" RENAME COLUMN "encryption" TO "server_encryption";
ALTER TABLE "mail_servers" ADD COLUMN "user_password" TEXT;
