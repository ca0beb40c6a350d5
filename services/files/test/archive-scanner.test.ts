import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import { ZipFile } from 'yazl'
import { archiveScanner, defaultLimits } from '../src/scans/archive-scanner.js'
import { eicarScanner } from '../src/scans/eicar-scanner.js'
import { inTemporaryFile } from '../src/scans/temporary-file.client.js'
import type { VirusScanner } from '../src/scans/virus-scanner.js'
import { zipArchives } from '../src/scans/zip-archive.client.js'
import { eicar, nested, zip } from './support/archives.js'

const scannedOf = (content: Buffer) => ({
  sizeBytes: content.length,
  read: async ({ start, end } = { start: 0, end: content.length - 1 }) => Readable.from([content.subarray(start, end + 1)]),
})

const scan = (content: Buffer, limits: Partial<typeof defaultLimits> = {}, inner = eicarScanner) =>
  archiveScanner({ inner, format: zipArchives, spool: inTemporaryFile, limits: { ...defaultLimits, ...limits } }).scan(
    scannedOf(content),
    new AbortController().signal,
  )

const infected = { status: 'infected', error: 'Eicar-Test-Signature' }

describe('the EICAR test file', () => {
  it('is detected as a plain file, in an archive, and in nested archives', async () => {
    expect(await scan(Buffer.from(eicar))).toEqual(infected)
    expect(await scan(await zip({ 'clean.txt': 'clean', 'eicar.com': eicar }))).toEqual(infected)
    expect(await scan(await nested(4, eicar))).toEqual(infected)
  })

  it('is not detected in a text that quotes it', async () => {
    expect(await scan(Buffer.from(`The test file is ${eicar}`))).toEqual({ status: 'ok' })
    expect(await scan(Buffer.alloc(0))).toEqual({ status: 'ok' })
  })
})

/** Prepends bytes and adjusts the offsets, as in self-extracting archives. */
function counted(prefix: Buffer, archive: Buffer): Buffer {
  const file = Buffer.concat([prefix, archive])
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const directory = file.indexOf('PK\x01\x02', 0, 'latin1')
  file.writeUInt32LE(directory, end + 16)
  file.writeUInt32LE(file.readUInt32LE(directory + 42) + prefix.length, directory + 42)
  return file
}

describe('an archive that begins in the middle of a file', () => {
  const program = Buffer.from(`MZ${'\0'.repeat(100)}`)

  it.each<[string, (archive: Buffer) => Buffer]>([
    ['after a program that unpacks it', (archive) => Buffer.concat([program, archive])],
    ['with offsets of the whole file', (archive) => counted(program, archive)],
    ['after the mark of an archive in parts', (archive) => Buffer.concat([Buffer.from('PK00'), archive])],
    ['between other bytes', (archive) => Buffer.concat([program, archive, Buffer.from('more')])],
    ['after the beginning of another archive', (archive) => Buffer.concat([Buffer.from('PK\x03\x04'), archive])],
  ])('is scanned: %s', async (_where, placed) => {
    expect(await scan(placed(await zip({ 'eicar.com': eicar })))).toEqual(infected)
    expect(await scan(await zip({ inner: placed(await zip({ 'eicar.com': eicar })) }))).toEqual(infected)
    expect(await scan(placed(await zip({ zeros: Buffer.alloc(10_000_000) })))).toMatchObject({ status: 'failed' })
    expect(await scan(placed(await zip({ 'clean.txt': 'clean' })))).toEqual({ status: 'ok' })
  })

  it('is not recognized from its end record alone', async () => {
    const end = (await zip({ a: 'a' })).subarray(-22)
    expect(await scan(Buffer.concat([program, end]))).toEqual({ status: 'ok' })
    expect(await scan(Buffer.concat([program, end.subarray(0, 10)]))).toEqual({ status: 'ok' })
  })

  it('fails where the offsets of a ZIP64 archive are wrong', async () => {
    const archive = new ZipFile()
    archive.addBuffer(Buffer.from(eicar), 'eicar.com')
    archive.end({ forceZip64Format: true, comment: '' })
    expect(await scan(Buffer.concat([program, await buffer(archive.outputStream)]))).toMatchObject({ status: 'failed' })
  })
})

describe('an archive', () => {
  it('is clean when all of its files are, with folders, and when it is empty', async () => {
    const archive = new ZipFile()
    archive.addEmptyDirectory('folder')
    archive.addBuffer(Buffer.from('x'), 'folder/x.txt')
    archive.end()
    expect(await scan(await buffer(archive.outputStream))).toEqual({ status: 'ok' })
    expect(await scan(await zip({}))).toEqual({ status: 'ok' })
    expect(await scan(await nested(4, 'clean'))).toEqual({ status: 'ok' })
  })

  it.each([
    ['has too many files', { entries: 2 }, 'The archive has too many files.'],
    ['is too large when it is unpacked', { unpackedBytes: 5 }, 'The archive is too large when it is unpacked.'],
  ])('fails when it %s', async (_what, limits, error) => {
    expect(await scan(await zip({ a: 'aa', b: 'bb', c: 'cc' }), limits)).toEqual({ status: 'failed', error })
  })

  it('fails when its ratio is too high, also in a nested archive', async () => {
    const failed = { status: 'failed', error: 'The archive is packed too tightly.' }
    const zeros = Buffer.alloc(10_000_000)
    expect(await scan(await zip({ zeros }))).toEqual(failed)
    expect(await scan(await nested(3, zeros))).toEqual(failed)
  })

  it('fails when it is nested too deeply', async () => {
    expect(await scan(await nested(5, 'clean'))).toEqual({
      status: 'failed',
      error: 'The archive has archives in it that are nested too deeply.',
    })
  })

  it('fails when it is encrypted, unless that is allowed', async () => {
    const encrypted = await zip({ a: 'a' })
    // The first bit of the general purpose flags, in the header of the file and in the central directory (APPNOTE.TXT 4.4.4).
    for (const [signature, offset] of [
      ['PK\x03\x04', 6],
      ['PK\x01\x02', 8],
    ] as const) {
      const at = encrypted.indexOf(signature, 0, 'latin1') + offset
      encrypted.writeUInt16LE(encrypted.readUInt16LE(at) | 1, at)
    }
    expect(await scan(encrypted)).toEqual({ status: 'failed', error: 'The archive is encrypted.' })
    expect(await scan(encrypted, { allowEncrypted: true })).toEqual({ status: 'ok' })
  })

  it('fails when it is damaged, or larger than it declares', async () => {
    const failed = { status: 'failed', error: 'The archive is damaged.' }
    const whole = await zip({ 'a.txt': 'some text' })
    expect(await scan(whole.subarray(0, -10))).toEqual(failed)
    const lying = Buffer.from(whole)
    lying.writeUInt32LE(2, lying.indexOf('PK\x01\x02', 0, 'latin1') + 24)
    expect(await scan(lying)).toEqual(failed)
  })

  it('that exceeds the limits is not passed to the scanner, nor is one that contains it', async () => {
    const given: number[] = []
    const inner: VirusScanner = {
      async scan({ sizeBytes }) {
        given.push(sizeBytes)
        return { status: 'ok' }
      },
    }
    const bomb = await zip({ zeros: Buffer.alloc(10_000_000) })
    const around = await zip({ 'a.txt': 'clean', 'bomb.zip': bomb })
    expect(await scan(around, {}, inner)).toMatchObject({ status: 'failed' })
    expect(given).toEqual([5])
    expect(await scan(await zip({ 'a.txt': 'clean' }), {}, inner)).toEqual({ status: 'ok' })
    expect(given).toEqual([5, 5, expect.any(Number)])
    given.length = 0
    expect(await scan(await zip({ a: 'a', b: 'b', c: 'c' }), { entries: 2 }, inner)).toMatchObject({ status: 'failed' })
    expect(await scan(await zip({ 'a.txt': 'clean', zeros: Buffer.alloc(10_000_000) }), {}, inner)).toMatchObject({ status: 'failed' })
    expect(given).toEqual([])
  })
})
