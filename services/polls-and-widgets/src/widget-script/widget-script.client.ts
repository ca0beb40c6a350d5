import { readFileSync } from 'node:fs'

/** The file that `build.mjs` writes. The path is valid from `src` and from `dist`. */
const file = new URL('../../dist/widget-script/widget.js', import.meta.url)

/** The script for pages that embed a widget. */
export const widgetScript = (): string => readFileSync(file, 'utf8')
