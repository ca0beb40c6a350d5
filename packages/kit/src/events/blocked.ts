import type { Metrics } from '../observability/index.js'

/** Shows how many events of each topic are blocked, and since when the oldest of them. */
export function blockedEvents({ blockedEvents: count, blockedSince: since }: Metrics) {
  const blocked = new Set<{ topic: string; since: number }>()
  const show = (topic: string) => {
    const times = [...blocked].filter((event) => event.topic === topic).map((event) => event.since)
    count.set({ topic }, times.length)
    if (times.length > 0) since.set({ topic }, Math.min(...times) / 1000)
    else since.remove({ topic })
  }
  return {
    /** An event, or a batch of them, that is not blocked yet. Blocked twice it counts once. */
    blockable(topic: string) {
      let event: { topic: string; since: number } | undefined
      return {
        block(): void {
          if (event) return
          event = { topic, since: Date.now() }
          blocked.add(event)
          show(topic)
        },
        unblock(): void {
          if (event && blocked.delete(event)) show(topic)
        },
      }
    },
  }
}
