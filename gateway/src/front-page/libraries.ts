import { fileURLToPath } from 'node:url'

interface Library {
  readonly root: string
  readonly files: readonly string[]
}

const folderOf = (path: string, module: string) => fileURLToPath(new URL(path, import.meta.resolve(module)))

/** The third-party modules that the page imports, served unchanged from their packages. */
export const libraries: ReadonlyMap<string, Library> = new Map([
  // Node resolves `lit-html` to its server build, which lies beside the build for browsers.
  [
    'lit-html',
    { root: folderOf('..', 'lit-html'), files: ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/repeat.js'] },
  ],
  ['eventsource-parser', { root: folderOf('.', 'eventsource-parser'), files: ['index.js', 'parse.js', 'errors.js'] }],
])
