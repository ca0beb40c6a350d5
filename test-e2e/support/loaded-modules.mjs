import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Preloaded into a process (`--import`): appends the package of each loaded module to the file `LOADED_MODULES`. */
registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
    if (name) appendFileSync(process.env.LOADED_MODULES, `${name}\n`)
    return next(url, context)
  },
})
