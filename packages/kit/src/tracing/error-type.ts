const word = /^[\w.-]{1,64}$/

/** The attribute `error.type` of an error: its code, or the name of its class. Messages are not recorded, because they may contain personal data. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const fit = [code, name].find((text) => typeof text === 'string' && word.test(text))
  return (fit as string | undefined) ?? '_OTHER'
}
