-- CreateTable
CREATE TABLE "token_requests" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "token_requests_pkey" PRIMARY KEY ("key")
);

-- It has no policy: it holds addresses and numbers, and the limiter has connections of its own.
