import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Preloaded into a process (`--import`), it writes into the file that `LOADED_MODULES` names the package of each module that is loaded from one. */
registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
    if (name) appendFileSync(process.env.LOADED_MODULES, `${name}\n`)
    return next(url, context)
  },
})
