import { isBuiltin } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** esbuild's metafile (https://esbuild.github.io/api/#metafile). @typedef {import('esbuild').Metafile} Metafile */

/**
 * The packages whose code is in a bundle, as paths of the lockfile (`node_modules/fastify`).
 * @param {Metafile} metafile
 */
export function packagesIn({ inputs }) {
  // The path of a module from a plugin begins with a namespace and a colon.
  const files = Object.keys(inputs).filter((file) => !file.includes(':'))
  return sorted(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(relative(root, resolve(file)))?.[0] ?? []))
}

/** The names of the packages that a bundle imports but does not contain. @param {Metafile} metafile */
export function importedBy({ outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  const outside = imports.filter(({ external, path }) => external && !isBuiltin(path))
  return sorted(outside.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0]))
}

/** The names of the packages that an unbundled program and its workspaces import. @param {string} program */
export async function packagesOf(program) {
  const { metafile } = await build({
    entryPoints: [`./${program}`],
    outdir: 'dist',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
    plugins: [allPackagesOutside],
  })
  return importedBy(metafile)
}

/** @type {import('esbuild').Plugin} */
const allPackagesOutside = {
  name: 'all packages are outside',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path }) => (/^(?:\.|\/|@caseway\/)/.test(path) ? undefined : { path, external: true }))
  },
}

const sorted = (values) => [...new Set(values)].sort()
