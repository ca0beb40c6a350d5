import type { ImapFlow } from 'imapflow'

/** Notes that the server has reported a change of the open folder, in response to any command. */
export function folderChanges(client: ImapFlow) {
  let change = Promise.withResolvers<void>()
  let reported = false
  const note = () => {
    reported = true
    change.resolve()
  }
  for (const event of ['exists', 'expunge', 'flags', 'close']) client.on(event, note)
  return {
    get reported() {
      return reported
    },
    next: () => change.promise,
    reset() {
      reported = false
      change = Promise.withResolvers()
    },
  }
}
