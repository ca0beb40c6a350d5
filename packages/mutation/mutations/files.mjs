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
    ['(await blobs.sizeOf(file.blobKey)) !== file.sizeBytes', 'false', 'stay so when they are asked for', lost],
  ]),
  ...of('packages/kit/src/downloads/requested-range.ts', downloads, [
    ['ifRange !== undefined && ifRange !== etag', 'false', 'answers with a range, or 416'],
    ['sizeBytes === 0 || ', '', 'is the whole of an empty file'],
    ["if (parts === -1) return 'unsatisfiable'", 'if (parts === -1) return undefined', 'answers with a range, or 416'],
    ["|| parts.type !== 'bytes'", '', 'answers with a range, or 416'],
    ['|| parts.length !== 1', '', 'answers with a range, or 416'],
  ]),
  ...of('services/files/src/scans/scan.grpc.ts', 'services/files/test/content-scans.test.ts', [
    ['sizeBytes > maxBytes', 'false', 'takes no more than a file may have'],
    ['sizeBytes > maxBytes', 'sizeBytes >= maxBytes', 'takes no more than a file may have'],
  ]),
  ...of('packages/kit/src/grpc/client-stream.ts', 'packages/kit/test/grpc-client-stream.test.ts', [
    ['left.abort()', '', 'is cancelled when the request stream fails, and rejects with its error'],
  ]),
  ...of('packages/kit/src/downloads/send-download.ts', downloads, [
    ["request.method === 'GET' ? request.headers.range : undefined", 'request.headers.range', 'answers HEAD without the bytes'],
    ['  freeWritten(reply.raw)\n', '', 'frees the memory of its bytes as they are sent'],
    ['    reply.raw.destroy()\n', '', 'a download is truncated where the loss of bytes was not known before', lost],
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
    ["mayBeKept = error instanceof AppError && error.kind === 'uncertain'\n", 'await discard(file)\n', 'was run again', repeated],
  ]),
  ...of('services/files/src/uploads/measured.ts', files, [
    ['this.sizeBytes > maxBytes', 'false', 'is refused when it is too large'],
    ['this.sizeBytes > maxBytes', 'this.sizeBytes >= maxBytes', 'is refused when it is too large'],
  ]),
  ...of('services/files/src/uploads/upload-body.client.ts', files, [
    ["part.fieldname !== 'file' || ", '', 'another part'],
    ['!part.filename && file.bytesRead === 0', 'false', 'are missing where no file was chosen', refused],
    [' || stored.length > 0', '', 'two files'],
    ['decodeURIComponent(escaped)', 'escaped', 'has its original name, which forms escape'],
    ["addContentTypeParser('*'", "addContentTypeParser('text/none'", 'that is cut off, is no form'],
  ]),
  ...of('services/files/src/uploads/upload.routes.ts', files, [
    ['${file.name}\\n${etagOf(file.sha256)}', '', 'with other bytes the key is refused'],
    ["${office ?? ''}", '', 'a key of a client is for one office', clients],
  ]),
  ...of('services/files/src/common-files/common-file.repository.ts', files, [
    ['Number(used?.bytes) > quotaBytes', 'false', 'when the quota of the office is used up'],
    ['used.bytes + excluded.bytes', 'excluded.bytes', 'when the quota of the office is used up'],
    ['await outbox(tx, fileTopic, deletedFileEvent(file))', '', 'is published with every change'],
    ['if (!(await sent.find(client, id))) throw forbidden()', '', 'removes neither a file nor a link of the office', clientLinks],
    ['{ links: { some: { userClientId: userId } } }', '', 'sees what is attached to what they see', clientLinks],
    ['FOR UPDATE`', '`', 'that is removed meanwhile', links],
    [
      'if (added) return false',
      '',
      'a file that an employee deletes stays where it is concurrently attached to an object from which they may not detach it',
      deletions,
    ],
  ]),
  ...of('services/files/src/common-file-objects/common-file-object.repository.ts', links, [
    ['if (present) return present.id', '', 'once, even by repeated and concurrent requests'],
    ['await enqueueLinkRefresh(tx, customerId, { objectName, objectId })', '', 'was sent before there was the link', clientLinks],
    [
      'if (count > 0) await files.republish(tx, customerId, commonFileId)',
      '',
      'and each change of its links is published with all of them',
    ],
    ['objectIds.filter((id) => !present.has(id))', '[]', 'with its object, once'],
    ['objectRevision: { lt: version }', '', 'when an older answer comes late', clientLinks],
    ['objectId: { in: gone }', '', 'with its object, once'],
  ]),
  ...of('services/files/src/common-file-objects/common-file-object.ts', links, [
    ["CompanyCard: 'company-card'", "CompanyCard: 'mail'", 'to what another service owns'],
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
    ["(object === undefined ? ['object_id'] : [])", '[]', 'that is of another office'],
    ['(await owners.mayLink(caller, customerId, { objectName, objectId })) !== undefined ||', 'true ||', 'the owner of its object refuses'],
    ['file ? await detachable(client, file.customerId, id) : []', '[]', 'that the office has attached to something else', clientLinks],
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
      "objectName: 'MailSentMysqlMessage', objectIds: sentIds",
      "objectName: 'MailSentMysqlMessage', objectIds: []",
      'is detached when that is gone',
    ],
    [
      "objectName: 'MailReceivedMysqlMessage', objectIds: receivedIds",
      "objectName: 'MailReceivedMysqlMessage', objectIds: []",
      'is detached when that is gone',
    ],
    ['followCase(customerId, issueId)', 'Promise.resolve()', 'with the case of its object'],
  ]),
  ...of('packages/kit/src/objects/object-service.ts', 'services/cases-and-counters/test/linkable-objects.test.ts', [
    ['Object.hasOwn(objects, name)', 'true', 'never to an object of another office or an unknown one'],
    ['|| !isEmployee(kind.value.role)', '', 'never to an object of another office or an unknown one'],
  ]),
  ...of('packages/kit/src/blobs/disk-blob-store.ts', disk, [
    ['await discard(key).catch(() => undefined)', '', 'leave nothing'],
    ['isMissing(error) && (await isThere(incoming))', 'isMissing(error)', 'are unavailable while the storage is away'],
    ['access(incoming).then(() => discard(key))', 'discard(key)', 'are unavailable while the storage is away'],
    ['mtime < moment', 'true', 'the age of a blob is the time of its last write'],
    ['      await stored(synchronize(file))\n', '', 'are on the disk before they have their name'],
    ['    await Promise.all(changed.map(synchronizeFolder))\n', '', 'are on the disk before they have their name'],
    ["await stored(open(path, 'wx', 0o600))", "await open(path, 'wx', 0o600)", 'that may not be written', diskFaults],
  ]),
  ...of('packages/kit/src/blobs/file-writer.ts', 'packages/kit/src/blobs/file-writer.test.ts', [
    ['    piece.forEach(free)\n', '', 'the chunks of a stream are freed once they are written, and bytes are not', disk],
    ['await stored(file.writev(rest))', 'await file.writev(rest)', 'that becomes full in the middle of them', diskFaults],
    ['    left -= skipped\n', '', 'bytes that a partial write leaves are written by the next call'],
    [' && chunks.length < pieceChunks', '', 'a call writes at most 1,024 chunks'],
    ['    await syncIfSlotIsFree()\n', '', 'a large file is synchronized while'],
    ['    if (syncs.activeCount === syncs.concurrency) return\n', '', 'others are written meanwhile'],
    ['pLimit(2)', 'pLimit(3)', 'two files are synchronized at a time'],
    ['    await synced\n', '', 'the stream fails when any of the synchronizations fails'],
    ['.then(() => synced)', '', 'the stream fails when any of the synchronizations fails'],
  ]),
  ...of('packages/kit/src/s3/s3-blob-store.ts', s3, [
    ['for await (const { uploadId } of bucket.unfinished(key)) await bucket.abort(key, uploadId)', '', 'which can be removed'],
    ['[bucket.objects, bucket.unfinished]', '[bucket.objects]', 'are listed by their age'],
    ['since < moment', 'true', 'are listed by their age'],
  ]),
  ...of('packages/kit/src/s3/s3-bucket.ts', s3, [
    ['await exists()', '', 'a missing bucket is an error, and its objects do not count as lost'],
    ['Key, Range }', 'Key }', 'are given whole or in part'],
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
    ['(await blobs.sizeOf(file.blobKey)) !== file.size', '(await blobs.sizeOf(file.blobKey)) === undefined', 'of which some are gone'],
    ['if (isLost !== file.fileNotExists) await files.note(file, isLost)', '', 'the check finds bytes that are gone'],
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
    ['lostOnly && { fileNotExists: true }', 'lostOnly && { fileNotExists: false }', 'finds them again'],
  ]),
  ...of('packages/kit/src/blobs/sweep.ts', s3Faults, [['if (!known.has(key))', 'if (false)', 'go with the sweep']]),
  ...of('services/files/src/scans/archive-scanner.ts', archives, [
    ['entries > limits.entries', 'false', 'has too many files'],
    ['unpackedBytes > limits.unpackedBytes', 'false', 'is too large when it is unpacked'],
    ['unpackedBytes > limits.ratio * file.sizeBytes', 'false', 'fails when its ratio is too high, also in a nested archive'],
    ['depth > limits.depth', 'false', 'nested too deeply'],
    ['entry.encrypted && !limits.allowEncrypted', 'false', 'fails when it is encrypted'],
    ['look(unpacked, depth + 1)', 'Promise.resolve()', 'in an archive of an archive'],
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
    ['&& (begin > 0 || !whole)', '&& !whole', 'after the beginning of another one'],
    ['=== signatures.zip64) return content', '=== signatures.zip64) return whole', 'fails where its directory is that of a large archive'],
    [', tailAt + at + endBytes + commentBytes)', ')', 'between other bytes'],
  ]),
  ...of('services/files/src/scans/clamd-scanner.client.ts', clamd, [
    ["answer === 'stream: OK\\0'", "answer.startsWith('stream: OK')", 'no result'],
    ["answer === 'stream: OK\\0'", "!answer.endsWith('ERROR\\0')", 'no result'],
    ['if (answer !== tooLarge) throw unavailable(error)', '', 'is an OK before the end of the file'],
    ['if (answer !== tooLarge) throw unavailable(error)', 'throw unavailable(error)', 'too large for clamd, which says so before its end'],
    ['socket.setTimeout(timeoutMs)', '', 'comes of a clamd that hangs'],
    ['socket.destroy()\n    }', '}', 'comes when the content cannot be read'],
    ['addAbortSignal(signal, ', '((socket) => socket)(', 'ends at once when it is aborted, whether clamd hangs or is down'],
    [', allowHalfOpen: true', '', 'has ended while the file was read'],
    ['if (performance.now() >= until) throw', 'throw', 'waits for a clamd that is down'],
  ]),
  ...of('services/files/src/scans/scan.job.ts', scans, [
    ['retry: { maxMs: 4000 }', 'retry: { firstMs: 30_000, maxMs: 30_000 }', 'scanned within 10 s after it is back'],
    ['handleJob(firstScan, scan, { concurrency })', 'handleJob(firstScan, scan, { concurrency: 50 })', 'scans no more files at once'],
  ]),
  ...of('services/files/src/scans/rescan.job.ts', scans, [['after = last.id', 'return', 'also of more than are enqueued at once']]),
  ...of('services/files/src/common-files/common-file.repository.ts', scans, [
    [
      'if (await tx.commonFile.findFirst({ where: { ...where, ...data } })) return',
      '',
      'keeps its result until there is another one, and only a change is published',
    ],
    [', created: { gte: since }', '', 'is one that was uploaded since then'],
  ]),
  ...of('gateway/src/requests/limit-body.ts', uploads, [
    ['if (mayUpload(request)) return uploadLimitBytes', '', 'may be larger than other bodies'],
  ]),
  ...of('packages/kit/src/http/server/body-timeout.ts', uploads, [
    ['hasBody && !routeOptions.config.longLived', 'hasBody', 'may last for as long as it needs'],
    ['if (!raw.complete)', 'if (false)', 'that takes too long is 408'],
  ]),
]
