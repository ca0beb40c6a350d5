/** The modules of `page` as one script, for `<script src=… async>`. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))

await build({
  entryPoints: [pathOf('page/main.ts')],
  outfile: pathOf('../../dist/widget-script/widget.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
})
