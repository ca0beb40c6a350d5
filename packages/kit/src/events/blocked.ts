import type { Metrics } from '../observability/index.js'

/** Exports as metrics how many events of each topic are blocked, and since when the oldest of them is. */
export function blockedEvents({ blockedEvents: count, blockedSince: since }: Metrics) {
  const blocked = new Set<{ topic: string; events: number; since: number }>()
  const show = (topic: string) => {
    const ofTopic = [...blocked].filter((one) => one.topic === topic)
    count.set(
      { topic },
      ofTopic.reduce((sum, { events }) => sum + events, 0),
    )
    if (ofTopic.length > 0) since.set({ topic }, Math.min(...ofTopic.map(({ since }) => since)) / 1000)
    else since.remove({ topic })
  }
  return {
    /** @returns the functions that count one event, or several that are handled together, as blocked, and no longer */
    blockable(topic: string, events = 1) {
      let own: { topic: string; events: number; since: number } | undefined
      return {
        block(): void {
          if (own) return
          own = { topic, events, since: Date.now() }
          blocked.add(own)
          show(topic)
        },
        unblock(): void {
          if (own && blocked.delete(own)) show(topic)
        },
      }
    },
  }
}
