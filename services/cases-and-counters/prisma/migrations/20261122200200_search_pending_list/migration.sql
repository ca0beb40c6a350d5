-- Words that wait to be sorted in: of more of them at once each costs a third, and a search that looks at all of them takes a few milliseconds more.
ALTER INDEX "issue_documents_document_idx" SET (gin_pending_list_limit = 1024);
