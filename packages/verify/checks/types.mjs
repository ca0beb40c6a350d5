import { command } from '../run.mjs'

/** What ships, as it is built. */
export const types = () => command('tsc', ['-b', '--pretty', 'false'])

/** Tests too, against the sources that Jest gives them. */
export const typesOfTests = () => command('tsc', ['-p', 'tsconfig.tests.json', '--pretty', 'false'])
