#!/usr/bin/env node
/**
 * `bundle-program dist/main.js [dist/….js]` makes of a program, and of the threads that it starts, one file each in `dist/bundled`, with the packages that
 * they import. A process then reads a handful of files in place of two thousand, and keeps only the text that it runs: it starts in a third of the CPU time,
 * and holds 40 MiB less.
 *
 * The folder is as deep as the others in `dist`, so that a path relative to a module stays what it is.
 */
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

const folder = 'dist/bundled'

/** What stays in `node_modules`. */
const external = [
  // They read files beside themselves, and all of them must share one @grpc/grpc-js.
  '@grpc/*',
  'grpc-health-check',
  '@fastify/swagger-ui',
  // Native.
  '@node-rs/*',
  // Its module for `require` requires by names that are computed.
  'jsonc-parser',
]

/** What packages that are CommonJS expect to find. */
const commonJs = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta`

/**
 * Has Prisma's query compiler read from a file when it is asked for, which is once. As the constant in base64 that it is, it would stay in memory twice.
 * @type {import('esbuild').Plugin}
 */
const compilerInFile = {
  name: 'query compiler in a file',
  setup({ onLoad, onResolve }) {
    // What reads the constant is `Buffer.from(wasm, 'base64')`, which takes the value of an object.
    onLoad({ filter: /\.wasm-base64\.mjs$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs'
        import compiler from 'compiler'
        export const wasm = { valueOf: () => readFileSync(new URL(compiler, import.meta.url)) }`,
    }))
    onResolve({ filter: /^compiler$/ }, ({ importer }) => ({
      path: importer.replace(/-base64\.mjs$/, ''),
      namespace: 'compiler',
      pluginData: importer,
    }))
    onLoad({ filter: /.*/, namespace: 'compiler' }, async ({ pluginData: module }) => ({
      contents: Buffer.from((await import(module)).wasm, 'base64'),
      loader: 'file',
    }))
  },
}

rmSync(folder, { recursive: true, force: true })
await build({
  entryPoints: process.argv.slice(2),
  outdir: folder,
  entryNames: '[name]',
  bundle: true,
  // What is imported only when it is needed, such as Prisma's query compiler at the start, is a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  banner: { js: commonJs },
  external,
  plugins: [compilerInFile],
  // One letter beyond Latin-1 in a comment, and V8 keeps the whole text in two bytes for each character.
  legalComments: 'none',
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: 'warning',
})
