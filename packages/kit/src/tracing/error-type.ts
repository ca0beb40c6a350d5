const word = /^[\w.-]{1,64}$/

/** What a trace shows of an error: its code or its class. Its message may hold anybody's data. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const fit = [code, name].find((text) => typeof text === 'string' && word.test(text))
  return (fit as string | undefined) ?? '_OTHER'
}
