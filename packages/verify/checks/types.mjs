import { command } from '../run.mjs'

/** The types of the code that is built. */
export const types = () => command('tsc', ['-b', '--pretty', 'false'])

/** The types of the tests, against the sources that Jest loads. */
export const typesOfTests = () => command('tsc', ['-p', 'tsconfig.tests.json', '--pretty', 'false'])
