/** The variables of the launcher's environment whose names match; they are passed to the services unchanged. */
export const passedOn = (env: NodeJS.ProcessEnv, names: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value = '']) => (names.test(name) ? [[name, value]] : [])))
