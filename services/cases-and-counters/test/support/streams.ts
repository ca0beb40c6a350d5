import type { EventStream, Person } from '@caseway/testing'
import type { Cases } from './cases.js'

type Options = Parameters<Cases['stream']>[2]

/** The fields of events that the tests read. */
type Data = {
  Counter: { Issue: object; MailReceivedMysqlMessage: object }
  Issue: Record<string, unknown>
  Notification: Record<string, unknown>
}

/** Opens streams that end with the test. */
export function openStreams(cases: () => Cases) {
  const open: EventStream[] = []
  return {
    async connect(person: Person<unknown>, address: 'expert' | 'client' = 'expert', options?: Options): Promise<EventStream> {
      const stream = await cases().stream(person, address, options)
      open.push(stream)
      return stream
    },
    closeAll: () => Promise.all(open.splice(0).map((stream) => stream.close())),
  }
}

export const next = async (
  stream: EventStream,
  event: string,
  matches: (data: Data) => boolean = () => true,
  timeoutMs?: number,
): Promise<Data> =>
  JSON.parse((await stream.next((message) => message.event === event && matches(JSON.parse(message.data)), timeoutMs)).data)

/** The number of open streams of the service. */
export const openStreamsOf = ({ figure }: Cases): Promise<number> => figure('live_streams_open')
