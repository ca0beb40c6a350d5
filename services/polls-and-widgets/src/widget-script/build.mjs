/** The modules of `page` as one classic script, for `<script src=… async>`. They share one scope: no two of them declare the same name. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { transformSync } from '@swc/core'

const modules = ['texts', 'elements', 'draft', 'questions', 'sending', 'form', 'style', 'main']
const target = new URL('../../dist/widget-script/widget.js', import.meta.url)

const read = (name) => readFileSync(new URL(`page/${name}.ts`, import.meta.url), 'utf8')
const joined = modules
  .map(read)
  .join('\n')
  .replace(/^import [^']*'[^']*'$/gm, '')
  .replace(/^export /gm, '')

const { code } = transformSync(`(() => {${joined}})()`, {
  ...{ configFile: false, swcrc: false, isModule: false, minify: true },
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022', minify: { compress: true, mangle: true, format: { comments: false } } },
})
mkdirSync(new URL('.', target), { recursive: true })
writeFileSync(target, code)
