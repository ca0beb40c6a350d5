import { of } from './of.mjs'

const files = 'services/files/test/common-files.api.test.ts'
const refused = 'services/files/test/refused-uploads.api.test.ts'
const downloads = 'services/files/test/downloads.api.test.ts'
const clients = 'services/files/test/client-files.api.test.ts'
const links = 'services/files/test/common-file-objects.api.test.ts'
const clientLinks = 'services/files/test/client-file-objects.api.test.ts'
const disk = 'services/files/test/disk-blob-store.test.ts'
const s3 = 'services/files/test/chaos/s3-blob-store.chaos-test.ts'
const s3Faults = 'services/files/test/chaos/s3-faults.chaos-test.ts'
const diskFaults = 'services/files/test/chaos/disk-faults.chaos-test.ts'
const deletions = 'services/files/test/deletions.api.test.ts'
const repeated = 'services/files/test/repeated-uploads.api.test.ts'
const lost = 'services/files/test/lost-files.api.test.ts'
const archives = 'services/files/test/archive-scanner.test.ts'
const clamd = 'services/files/test/clamd-scanner.test.ts'
const scans = 'services/files/test/scans.api.test.ts'
const uploads = 'gateway/test/uploads.test.ts'

/** What was acknowledged is there, what was not has left nothing, and nothing unclean leaves. */
export default [
  ...of('services/files/src/downloads/download.service.ts', downloads, [
    [
      "if (file.status !== 'ok') throw file.isLost ? fileLost() : fileNotClean()",
      '',
      'is refused until the file was scanned, and where it is infected',
    ],
    ["file.status !== 'ok'", "file.status === 'infected'", 'is refused until the file was scanned, and where it is infected'],
    [
      'if (isLost !== file.isLost) await noteLost(file, isLost)',
      '',
      'a download whose bytes are lost is refused, and the loss is stored and published once; it works when they are back',
      lost,
    ],
    [
      '(await blobs.sizeOf(file.blobKey)) !== file.sizeBytes',
      'false',
      'a truncated file is lost, and stays lost when it is downloaded',
      lost,
    ],
  ]),
  ...of('packages/kit/src/downloads/requested-range.ts', downloads, [
    ['ifRange !== undefined && ifRange !== etag', 'false', 'answers with the requested range, or 416'],
    ['sizeBytes === 0 || ', '', 'answers any range of an empty file with 200'],
    ["if (parts === -1) return 'unsatisfiable'", 'if (parts === -1) return undefined', 'answers with the requested range, or 416'],
    ["|| parts.type !== 'bytes'", '', 'answers with the requested range, or 416'],
    ['|| parts.length !== 1', '', 'answers with the requested range, or 416'],
  ]),
  ...of('services/files/src/scans/scan.grpc.ts', 'services/files/test/content-scans.test.ts', [
    ['sizeBytes > maxBytes', 'false', 'refuses content that is larger than a file may be'],
    ['sizeBytes > maxBytes', 'sizeBytes >= maxBytes', 'refuses content that is larger than a file may be'],
  ]),
  ...of('packages/kit/src/grpc/client-stream.ts', 'packages/kit/test/grpc-client-stream.test.ts', [
    ['cancellation.abort()', '', 'is cancelled when the request stream fails, and rejects with its error'],
  ]),
  ...of('packages/kit/src/downloads/send-download.ts', downloads, [
    ["request.method === 'GET' ? request.headers.range : undefined", 'request.headers.range', 'answers HEAD without the bytes'],
    ['  freeWritten(reply.raw)\n', '', 'frees the memory of its bytes as they are sent'],
    ['    reply.raw.destroy()\n', '', 'a download is aborted where the loss of bytes was not known before', lost],
  ]),
  ...of('packages/kit/src/buffers/free.ts', 'packages/kit/src/buffers/free.test.ts', [
    ['write(chunk, () => free(chunk))', '(write(chunk), free(chunk), true)', 'is freed once it has been written, and not before'],
    ['rest.length === 0 && ', '', 'is not freed where the writer has passed a callback, which is called'],
    [
      ' &&\n  chunk.byteLength === chunk.buffer.byteLength',
      '',
      'whole buffers are freed; short ones, and views of parts of a buffer, are not',
    ],
  ]),
  ...of('packages/kit/src/buffers/observe.ts', 'packages/kit/src/buffers/observe.test.ts', [
    ['content.pause()', 'content', 'is observed as a whole'],
  ]),
  ...of('services/files/src/uploads/upload.service.ts', refused, [
    ['if (!mayBeKept) await discard(file)', '', 'are removed where'],
    [
      "mayBeKept = error instanceof AppError && error.kind === 'uncertain'\n",
      'await discard(file)\n',
      'after its transaction has lost its connection and was retried',
      repeated,
    ],
  ]),
  ...of('services/files/src/uploads/measured.ts', files, [
    ['this.sizeBytes > maxBytes', 'false', 'is refused when it is too large'],
    ['this.sizeBytes > maxBytes', 'this.sizeBytes >= maxBytes', 'is refused when it is too large'],
  ]),
  ...of('services/files/src/uploads/upload-body.client.ts', files, [
    ["part.fieldname !== 'file' || ", '', 'another part'],
    ['!part.filename && file.bytesRead === 0', 'false', 'are required: a form without a chosen file is refused', refused],
    [' || stored.length > 0', '', 'two files'],
    ['decodeURIComponent(escaped)', 'escaped', 'has its original name, which forms escape'],
    ["addContentTypeParser('*'", "addContentTypeParser('text/none'", 'that is truncated, JSON, or not a form is refused'],
  ]),
  ...of('services/files/src/uploads/upload.routes.ts', files, [
    ['${file.name}\\n${etagOf(file.sha256)}', '', 'with an Idempotency-Key is stored once; the key is refused with other bytes'],
    ["${office ?? ''}", '', 'an Idempotency-Key of a client is refused with another office in the form', clients],
  ]),
  ...of('services/files/src/common-files/common-file.repository.ts', files, [
    ['Number(used?.bytes) > quotaBytes', 'false', 'when the quota of the office is used up'],
    ['used.bytes + excluded.bytes', 'excluded.bytes', 'when the quota of the office is used up'],
    ['await outbox(tx, fileTopic, deletedFileEvent(file))', '', 'is published with every change'],
    ['if (!(await sent.find(client, id))) throw forbidden()', '', 'removes neither a file nor a link of the office', clientLinks],
    [
      '{ links: { some: { userClientId: userId } } }',
      '',
      'sees the files that are attached to their own visible objects, each once, and no other files',
      clientLinks,
    ],
    ['FOR UPDATE`', '`', 'that is removed meanwhile', links],
    [
      'if (added) return false',
      '',
      'an employee cannot delete a file that is concurrently attached to an object from which they may not detach it',
      deletions,
    ],
  ]),
  ...of('services/files/src/common-file-objects/common-file-object.repository.ts', links, [
    ['if (present) return present.id', '', 'once, even by repeated and concurrent requests'],
    [
      'await enqueueLinkRefresh(tx, customerId, { objectName, objectId })',
      '',
      'sees the file also where the sentence was sent before the link was stored',
      clientLinks,
    ],
    [
      'if (count > 0) await files.republish(tx, customerId, commonFileId)',
      '',
      'and each change of its links is published with all of its links',
    ],
    ['objectIds.filter((id) => !present.has(id))', '[]', 'with its object, once'],
    ['objectRevision: { lt: version }', '', 'is not affected by an older version that arrives late', clientLinks],
    ['objectId: { in: missing }', '', 'with its object, once'],
  ]),
  ...of('services/files/src/common-file-objects/common-file-object.ts', links, [
    ["CompanyCard: 'company-card'", "CompanyCard: 'mail'", 'to an object of another service, and is detached when the object is deleted'],
  ]),
  ...of('services/files/src/common-file-objects/common-file-object.service.ts', links, [
    ['if (!(await mayDetach(caller, caller.customerId, link))) throw notFound()', '', 'the caller does not see its object'],
    ['objectIds: [objectId] })).length === 0', 'objectIds: [objectId] })).length >= 0', 'the caller does not see its object'],
    [
      'if (!(await mayDetach(caller, customerId, object))) throw forbidden()',
      'await mayDetach(caller, customerId, object)',
      'the caller does not see its object',
    ],
    ['throw fileBusy()', '', 'attached again and again is a conflict', deletions],
    ["(object === undefined ? ['object_id'] : [])", '[]', 'that belongs to another office, or does not exist'],
    ['(await owners.mayLink(caller, customerId, { objectName, objectId })) !== undefined ||', 'true ||', 'the owner of its object refuses'],
    [
      'file ? await detachable(client, file.customerId, id) : []',
      '[]',
      'removes no upload that the office has attached to another object',
      clientLinks,
    ],
    [
      'const link = await links.get(caller, id)\n      requireVersion(link, expected)',
      'const link = await links.get(caller, id)',
      'by any employee, and is listed',
    ],
    ['if (!(await files.sent.find(client, link.commonFileId))) throw forbidden()', '', 'removes neither a file nor a link', clientLinks],
    [
      'const file = await files.sent.find(client, input.commonFileId)',
      'const file = { customerId: 1n }',
      'attaches nothing to objects of others, and no files of others',
      clientLinks,
    ],
  ]),
  ...of('services/files/src/common-file-objects/linked-objects.consumer.ts', links, [
    [
      "objectName: 'MailSentMysqlMessage', objectIds: own",
      "objectName: 'MailSentMysqlMessage', objectIds: []",
      'to an object of another service, and is detached when the object is deleted',
    ],
    [
      "objectName: 'MailReceivedMysqlMessage', objectIds: own",
      "objectName: 'MailReceivedMysqlMessage', objectIds: []",
      'to an object of another service, and is detached when the object is deleted',
    ],
    ['followCase(customerId, issueId)', 'Promise.resolve()', 'with the case of its object'],
  ]),
  ...of('packages/kit/src/objects/object-service.ts', 'services/cases-and-counters/test/issues/linkable-objects.test.ts', [
    ['Object.hasOwn(objects, name)', 'true', 'never to an object of another office or an unknown one'],
    ['|| !isEmployee(kind.value.role)', '', 'never to an object of another office or an unknown one'],
  ]),
  ...of('packages/kit/src/blobs/disk-blob-store.ts', disk, [
    ['await discard(key).catch(() => undefined)', '', 'leave nothing'],
    [
      'isMissing(error) && (await isThere(incoming))',
      'isMissing(error)',
      'are unavailable while the storage is down, and readable when it is back',
    ],
    [
      'access(incoming).then(() => discard(key))',
      'discard(key)',
      'are unavailable while the storage is down, and readable when it is back',
    ],
    ['mtime < moment', 'true', 'the age of a blob is the time of its last write'],
    ['      await stored(synchronize(file))\n', '', 'are synced before the file is renamed'],
    ['    await Promise.all(changed.map(synchronizeFolder))\n', '', 'are synced before the file is renamed'],
    ["await stored(open(path, 'wx', 0o600))", "await open(path, 'wx', 0o600)", 'that is read-only', diskFaults],
  ]),
  ...of('packages/kit/src/blobs/file-writer.ts', 'packages/kit/src/blobs/file-writer.test.ts', [
    ['    piece.forEach(free)\n', '', 'the chunks of a stream are freed after they are written, and the bytes of a caller are not', disk],
    ['await stored(file.writev(rest))', 'await file.writev(rest)', 'that becomes full during uploads', diskFaults],
    ['    toSkip -= skipped\n', '', 'bytes that a partial write leaves are written by the next call'],
    [' && chunks.length < pieceChunks', '', 'a call writes at most 1,024 chunks'],
    ['    await syncIfSlotIsFree()\n', '', 'a large file is synchronized while'],
    ['    if (syncs.activeCount === syncs.concurrency) return\n', '', 'others are written meanwhile'],
    ['pLimit(2)', 'pLimit(3)', 'two files are synchronized at a time'],
    ['    await synced\n', '', 'the stream fails when any of the synchronizations fails'],
    ['.then(() => synced)', '', 'the stream fails when any of the synchronizations fails'],
  ]),
  ...of('packages/kit/src/s3/s3-blob-store.ts', s3, [
    [
      'for await (const { uploadId } of bucket.unfinished(key)) await bucket.abort(key, uploadId)',
      '',
      'are listed by their age, with unfinished uploads, which can be removed',
    ],
    ['[bucket.objects, bucket.unfinished]', '[bucket.objects]', 'are listed by their age, with unfinished uploads, which can be removed'],
    ['since < moment', 'true', 'are listed by their age, with unfinished uploads, which can be removed'],
  ]),
  ...of('packages/kit/src/s3/s3-bucket.ts', s3, [
    ['await exists()', '', 'a missing bucket is an error, and its objects are not reported as lost'],
    ['Key, Range }', 'Key }', 'are read whole or in part, with their size'],
  ]),
  ...of('packages/kit/src/s3/s3-upload.ts', s3, [
    ['throw broken ?? storageUnavailable(error)', 'throw storageUnavailable(error)', 'of a sender that breaks off'],
    ['broken = error', '', 'of a sender that breaks off'],
    ['{ abortSignal: signal }', '{}', 'that is slow without being silent', s3Faults],
  ]),
  ...of('packages/kit/src/s3/s3-client.ts', s3, [
    ['socketTimeout: silenceMs', 'socketTimeout: 500', 'may pause for longer'],
    ["error.name === 'TimeoutError' && error.code === undefined", 'false', 'that falls silent within a part', s3Faults],
  ]),
  ...of('services/files/src/lost-files/lost-file-check.job.ts', lost, [
    [
      '(await blobs.sizeOf(file.blobKey)) !== file.size',
      '(await blobs.sizeOf(file.blobKey)) === undefined',
      'a truncated file is lost, and stays lost when it is downloaded',
    ],
    [
      'if (isLost !== file.fileNotExists) await files.note(file, isLost)',
      '',
      'the check of files detects lost bytes, and the check of lost files detects restored ones',
    ],
  ]),
  ...of('services/files/src/lost-files/lost-file.repository.ts', lost, [
    ['if (unscanned.count > 0) await scan(tx, file)', '', 'is scanned when they are back'],
    [
      'if (changed.count === 0) return',
      '',
      'a download whose bytes are lost is refused, and the loss is stored and published once; it works when they are back',
    ],
    [
      'await publish(tx, file)',
      '',
      'a download whose bytes are lost is refused, and the loss is stored and published once; it works when they are back',
    ],
    [
      'lostOnly && { fileNotExists: true }',
      'lostOnly && { fileNotExists: false }',
      'the check of files detects lost bytes, and the check of lost files detects restored ones',
    ],
  ]),
  ...of('packages/kit/src/blobs/sweep.ts', s3Faults, [
    ['if (!known.has(key))', 'if (false)', 'parts that the store could not remove are removed by the sweep'],
  ]),
  ...of('services/files/src/scans/archive-scanner.ts', archives, [
    ['entries > limits.entries', 'false', 'has too many files'],
    ['unpackedBytes > limits.unpackedBytes', 'false', 'is too large when it is unpacked'],
    ['unpackedBytes > limits.ratio * file.sizeBytes', 'false', 'fails when its ratio is too high, also in a nested archive'],
    ['depth > limits.depth', 'false', 'nested too deeply'],
    ['entry.encrypted && !limits.allowEncrypted', 'false', 'fails when it is encrypted'],
    ['look(unpacked, depth + 1)', 'Promise.resolve()', 'is detected as a plain file, in an archive, and in nested archives'],
  ]),
  ...of('services/files/src/scans/archive-scanner.ts', archives, [
    [
      'if (archive) await lookInto(archive, depth)\n      const result = await inner.scan(content, signal)',
      'const result = await inner.scan(content, signal)\n      if (archive) await lookInto(archive, depth)',
      'that exceeds the limits is not passed to the scanner, nor is one that contains it',
    ],
  ]),
  ...of('services/files/src/scans/zip-archive.client.ts', archives, [
    ['begin >= 0 && (await', 'begin > 0 && (await', 'with offsets of the whole file'],
    ['&& (begin > 0 || !whole)', '&& !whole', 'after the beginning of another archive'],
    ['=== signatures.zip64) return content', '=== signatures.zip64) return whole', 'fails where the offsets of a ZIP64 archive are wrong'],
    [', tailAt + at + endBytes + commentBytes)', ')', 'between other bytes'],
  ]),
  ...of('services/files/src/scans/clamd-scanner.client.ts', clamd, [
    ["answer === 'stream: OK\\0'", "answer.startsWith('stream: OK')", 'no result'],
    ["answer === 'stream: OK\\0'", "!answer.endsWith('ERROR\\0')", 'no result'],
    ['if (answer !== tooLarge) throw unavailable(error)', '', 'is an OK before the end of the file'],
    [
      'if (answer !== tooLarge) throw unavailable(error)',
      'throw unavailable(error)',
      'is a failure where clamd answers before the end of the file that it is too large',
    ],
    ['socket.setTimeout(timeoutMs)', '', 'is returned by a clamd that hangs'],
    ['socket.destroy()\n    }', '}', 'is returned for content that cannot be read; the error of lost bytes is passed on'],
    ['addAbortSignal(signal, ', '((socket) => socket)(', 'ends at once when it is aborted, whether clamd hangs or is down'],
    [', allowHalfOpen: true', '', 'has ended while the file was read'],
    ['if (performance.now() >= until) throw', 'throw', 'waits for a clamd that is down'],
  ]),
  ...of('services/files/src/scans/scan.job.ts', scans, [
    [
      'retry: { maxMs: 4000 }',
      'retry: { firstMs: 30_000, maxMs: 30_000 }',
      'files stay pending, and are scanned within 10 s after its restart',
    ],
    [
      'handleJob(firstScan, scan, { concurrency })',
      'handleJob(firstScan, scan, { concurrency: 50 })',
      'scans at most the configured number of files at once, and at most half of it for one office',
    ],
  ]),
  ...of('services/files/src/scans/rescan.job.ts', scans, [
    ['after = last.id', 'return', 'includes all files, also where they are more than a batch'],
  ]),
  ...of('services/files/src/scans/scanned-file.repository.ts', scans, [
    [
      'if (await tx.commonFile.findFirst({ where: { ...where, ...data } })) return',
      '',
      'keeps the previous result until it has a new one, and publishes only a change',
    ],
    [', created: { gte: since }', '', 'includes only files that were uploaded since the given time and have a result'],
  ]),
  ...of('gateway/src/requests/limit-body.ts', uploads, [
    ['if (mayUpload(request)) return uploadLimitBytes', '', 'may be larger than other bodies'],
  ]),
  ...of('packages/kit/src/http/server/body-timeout.ts', uploads, [
    ['hasBody && !routeOptions.config.longLived', 'hasBody', 'may last for as long as it needs'],
    ['if (!raw.complete)', 'if (false)', 'that takes too long is 408'],
  ]),
]
