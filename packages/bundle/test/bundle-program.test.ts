import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

const bundler = join(import.meta.dirname, '../bundle-program.mjs')
/** The folder in which packages are resolved. */
const packages = join(import.meta.dirname, '../../../node_modules')

const stopIdlePolling = join(import.meta.dirname, '../../kit/dist/events/kafka/stop-idle-polling.js')

const sources = {
  'main.js': `
    // “A comment beyond Latin-1.”
    import escape from 'escape-html'
    import { thread } from './threads/thread.js'
    const { wasm } = await import('@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs')
    console.log(JSON.stringify({ escaped: escape('<'), thread, isCompiler: WebAssembly.validate(Buffer.from(wasm, 'base64')) }))`,
  'threads/thread.js': `export const thread = 'a thread'`,
  'events.js': `
    import { Kafka } from 'kafkajs'
    import { stopIdlePolling } from '${stopIdlePolling}'
    stopIdlePolling()
    console.log(typeof new Kafka({ brokers: ['127.0.0.1:9'] }).producer)`,
  'calls.js': `import { status } from '@grpc/grpc-js'; console.log(status.OK)`,
  'migrate.js': `import './migrations/apply.js'`,
  'migrations/apply.js': `import pg from 'pg'; import '@caseway/registry'; import 'node:fs'; pg.Client`,
}

describe('bundle-program', () => {
  let workspace: string
  /** A folder with the bundle alone, without packages. */
  let alone: string
  const bundled = () => join(workspace, 'dist/bundled')
  const textOf = (file: string) => readFileSync(join(bundled(), file), 'utf8')
  const run = (file: string) => execFileSync(process.execPath, [file], { encoding: 'utf8' })

  beforeAll(() => {
    workspace = mkdtempSync(join(packages, '.bundle-test-'))
    alone = mkdtempSync(join(tmpdir(), 'caseway-bundle-'))
    writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
    for (const [file, text] of Object.entries(sources)) {
      mkdirSync(join(workspace, 'dist', file, '..'), { recursive: true })
      writeFileSync(join(workspace, 'dist', file), text)
    }
    const dependencies = { '@caseway/kit': '*', 'escape-html': '*', 'fxa-common-password-list': '*' }
    writeFileSync(join(workspace, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
    mkdirSync(bundled())
    writeFileSync(join(bundled(), 'of-a-build-before.js'), '')
    execFileSync(process.execPath, [bundler, 'dist/main.js', 'dist/threads/thread.js', 'dist/events.js', 'dist/calls.js'], {
      cwd: workspace,
    })
    cpSync(bundled(), alone, { recursive: true })
  })

  afterAll(() => {
    for (const folder of [workspace, alone]) rmSync(folder, { recursive: true, force: true })
  })

  it('makes a program that runs without the packages that it imports', () => {
    expect(JSON.parse(run(join(alone, 'main.js')))).toEqual({ escaped: '&lt;', thread: 'a thread', isCompiler: true })
  })

  it('puts worker programs beside it, and removes the previous build', () => {
    expect(readdirSync(bundled())).toEqual(expect.arrayContaining(['main.js', 'thread.js', 'calls.js']))
    expect(existsSync(join(bundled(), 'of-a-build-before.js'))).toBe(false)
  })

  it('has one copy of a package that the kit patches', () => {
    expect(run(join(alone, 'events.js'))).toBe('function\n')
    const texts = readdirSync(bundled()).map(textOf).join('\n')
    expect(texts.match(/class RequestQueue\b/g)).toHaveLength(1)
  })

  it('has source texts with one byte per character, without the query compiler', () => {
    for (const file of readdirSync(bundled()).filter((file) => file.endsWith('.js'))) {
      const text = textOf(file)
      expect(Buffer.byteLength(text)).toBe(text.length)
      // The beginning of WebAssembly in base64.
      expect(text).not.toContain('AGFzbQ')
      if (file !== 'events.js') expect(text.length).toBeLessThan(100_000)
    }
  })

  it('does not bundle packages that read files of their own', () => {
    expect(textOf('calls.js')).toMatch(/from ?"@grpc\/grpc-js"/)
    expect(run(join(bundled(), 'calls.js'))).toBe('0\n')
  })

  it('says which packages are in it, and which the workspace needs beside it', () => {
    const { bundled, beside } = JSON.parse(textOf('packages.json'))
    expect(bundled).toEqual(expect.arrayContaining(['node_modules/@prisma/client', 'node_modules/escape-html', 'node_modules/kafkajs']))
    expect(bundled).not.toContain('node_modules/@grpc/grpc-js')
    // An imported package, also if only the migrations import it, and one that is only a dependency.
    expect(beside).toEqual(['@grpc/grpc-js', 'fxa-common-password-list', 'pg'])
  })
})
