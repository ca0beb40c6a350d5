-- What a key has used up of a limit, as rate-limiter-flexible keeps it. The name of the limit begins the key.
CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,
    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "rate_limit_expire_idx" ON "rate_limit" ("expire");
