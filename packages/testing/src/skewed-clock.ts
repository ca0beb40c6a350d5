/**
 * Sets the clock of this process off from that of the database.
 * @param minutes how far it is ahead; negative for behind
 * @returns sets it right again
 */
export function skewClock(minutes: number): () => void {
  const real = globalThis.Date
  const now = () => real.now() + minutes * 60_000
  globalThis.Date = new Proxy(real, {
    construct: (target, sent, made) => Reflect.construct(target, sent.length > 0 ? sent : [now()], made),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
  return () => {
    globalThis.Date = real
  }
}
