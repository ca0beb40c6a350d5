import { createHash } from 'node:crypto'
import { sep } from 'node:path'
import swc from '@swc/jest'

/**
 * The transformer of the tests, for a run with one mutation: where `MUTATION` (JSON: `file`, `text`, `with`) names the file, its text is
 * replaced before it is compiled. No file is written, so a run that is killed leaves nothing behind.
 */
const mutation = process.env.MUTATION && JSON.parse(process.env.MUTATION)

const mutated = (source, path) =>
  mutation && path.split(sep).join('/').endsWith(`/${mutation.file}`) ? source.replace(mutation.text, () => mutation.with) : source

export default {
  createTransformer(settings) {
    const { process: compile, canInstrument } = swc.createTransformer(settings)
    return {
      canInstrument,
      process: (source, path, options) => compile(mutated(source, path), path, options),
      getCacheKey: (source, path, { configString, supportsStaticESM }) =>
        createHash('sha256')
          .update([mutated(source, path), path, configString, String(supportsStaticESM)].join('\0'))
          .digest('hex'),
    }
  },
}
