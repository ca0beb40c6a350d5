#!/usr/bin/env node
/**
 * `bundle-program dist/main.js [dist/….js]` bundles a program and the programs of its worker threads, each with the packages that it imports, into
 * `dist/bundled`: a few files instead of two thousand (docs/adr/0024-a-service-is-bundled.md). `dist/bundled/packages.json` lists the packages in the
 * bundle (`bundled`, as paths of the lockfile), and those that the workspace needs beside it (`beside`, by name).
 *
 * The output folder is as deep as the module folders in `dist`, so that `new URL('../../…', import.meta.url)` in a module still finds its file.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { importedBy, packagesIn, packagesOf } from './packages-of-bundle.mjs'

const folder = 'dist/bundled'
/** The migration job is not bundled. */
const migration = 'dist/migrate.js'

/** Packages that stay in `node_modules`. */
const external = [
  // They read files of their own packages, and all of them must share one @grpc/grpc-js.
  '@grpc/*',
  'grpc-health-check',
  '@fastify/swagger-ui',
  'piscina',
  // Native code.
  '@node-rs/*',
  // Its CommonJS build is UMD, which passes `require` to a function, where esbuild cannot follow it.
  'jsonc-parser',
  // An optional dependency of debug, which is installed here only because a development tool needs it.
  'supports-color',
]

/** Defines the variables that CommonJS modules expect. */
const commonJs = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta`

/**
 * Moves Prisma's query compiler into a file that is read when the client starts. Prisma ships it as a base64 string in a module; the string and the
 * source text of the module would both stay in memory.
 * @type {import('esbuild').Plugin}
 */
const compilerInFile = {
  name: 'query compiler in a file',
  setup({ onLoad, onResolve }) {
    // Prisma's client calls `Buffer.from(wasm, 'base64')`, which uses `valueOf` if it gets an object (nodejs.org/api/buffer.html).
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
  // A dynamically imported module becomes a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  banner: { js: commonJs },
  external,
  plugins: [compilerInFile],
  // Without comments the text is pure ASCII: a single character beyond Latin-1 would make V8 store the source text in two bytes per character.
  legalComments: 'none',
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: 'warning',
})

const bundled = packagesIn(metafile)
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const beside = new Set([
  ...importedBy(metafile),
  // Dependencies from which a file is read, such as a list of common passwords.
  ...Object.keys(dependencies).filter(
    (name) => !name.startsWith('@caseway/') && !bundled.some((place) => place.endsWith(`node_modules/${name}`)),
  ),
  ...(existsSync(migration) ? await packagesOf(migration) : []),
])
writeFileSync(join(folder, 'packages.json'), `${JSON.stringify({ bundled, beside: [...beside].sort() }, null, 2)}\n`)
