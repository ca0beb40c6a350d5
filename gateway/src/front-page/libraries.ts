import { fileURLToPath } from 'node:url'

interface Library {
  readonly root: string
  readonly files: readonly string[]
}

const folderOf = (path: string, module: string) => fileURLToPath(new URL(path, import.meta.resolve(module)))

/** What the page imports that is not ours, as its packages bring it. */
export const libraries: ReadonlyMap<string, Library> = new Map([
  // Node is given the build for servers, which lies in a folder beside the one for browsers.
  [
    'lit-html',
    { root: folderOf('..', 'lit-html'), files: ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/repeat.js'] },
  ],
  ['eventsource-parser', { root: folderOf('.', 'eventsource-parser'), files: ['index.js', 'parse.js', 'errors.js'] }],
])
