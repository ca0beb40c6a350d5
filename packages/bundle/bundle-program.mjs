#!/usr/bin/env node
/**
 * `bundle-program dist/main.js [dist/….js]` bundles a program, and the programs of its worker threads, each with the packages that it imports, into
 * `dist/bundled`: a few files in place of two thousand. docs/adr/0024-a-service-is-bundled.md says what that saves. `dist/bundled/packages.json` names the packages
 * that are in it (`bundled`, as places in the lockfile), and those that the workspace needs beside it (`beside`, by name).
 *
 * The output folder is as deep as the folders of modules in `dist`: `new URL('../../…', import.meta.url)` in a module finds the same file.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { importedBy, packagesIn, packagesOf } from './packages-of-bundle.mjs'

const folder = 'dist/bundled'
/** The program of the migration job, which stays as the compiler has made it. */
const migration = 'dist/migrate.js'

/** What stays in `node_modules`. */
const external = [
  // They read files beside themselves, and all of them must share one @grpc/grpc-js.
  '@grpc/*',
  'grpc-health-check',
  '@fastify/swagger-ui',
  'piscina',
  // Native.
  '@node-rs/*',
  // Its CommonJS build is UMD: it passes `require` to a function, where esbuild cannot follow it.
  'jsonc-parser',
  // debug, which libraries write their messages with, loads it where it is there. Here it is, because this project is tested with it.
  'supports-color',
]

/** The variables that Node gives to CommonJS modules. */
const commonJs = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta`

/**
 * Puts Prisma's query compiler into a file that is read when the client starts. Prisma ships it as a base64 string in a module, and both the string and the
 * source text of the module would stay in memory.
 * @type {import('esbuild').Plugin}
 */
const compilerInFile = {
  name: 'query compiler in a file',
  setup({ onLoad, onResolve }) {
    // Prisma's client calls `Buffer.from(wasm, 'base64')`, which calls `valueOf` of an object (nodejs.org/api/buffer.html).
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
const { metafile } = await build({
  entryPoints: process.argv.slice(2),
  outdir: folder,
  entryNames: '[name]',
  bundle: true,
  metafile: true,
  // A module that is imported dynamically is a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  banner: { js: commonJs },
  external,
  plugins: [compilerInFile],
  // Without comments all text is ASCII: a single character beyond Latin-1 makes V8 store a source text in two bytes for each character.
  legalComments: 'none',
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: 'warning',
})

const bundled = packagesIn(metafile)
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const beside = new Set([
  ...importedBy(metafile),
  // Of which a file is read, such as a list of common passwords.
  ...Object.keys(dependencies).filter(
    (name) => !name.startsWith('@caseway/') && !bundled.some((place) => place.endsWith(`node_modules/${name}`)),
  ),
  ...(existsSync(migration) ? await packagesOf(migration) : []),
])
writeFileSync(join(folder, 'packages.json'), `${JSON.stringify({ bundled, beside: [...beside].sort() }, null, 2)}\n`)
