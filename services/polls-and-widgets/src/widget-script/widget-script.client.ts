import { readFileSync } from 'node:fs'

/** Made by `build.mjs`. From `src` and from `dist` it is the same file. */
const file = new URL('../../dist/widget-script/widget.js', import.meta.url)

/** The script of the pages that embed a widget. */
export const widgetScript = (): string => readFileSync(file, 'utf8')
