import { defineConfig, tracingVariables } from '@caseway/kit/config'
import { createLog } from '@caseway/kit/observability'
import { startTracing } from '@caseway/kit/tracing'
import { eventually, type ReceivedSpan, type TraceReceiver, traceReceiver } from '@caseway/testing'

const config = defineConfig('TEST', tracingVariables)

/** The settings for the environment `env`. */
export const settingsOf = (env: Record<string, string>) => config.read(env)

export interface Recording extends TraceReceiver {
  /** Lines of the log. */
  lines: string[]
  /** The first span of that name, once it has arrived. */
  spanOf(name: string): Promise<ReceivedSpan>
}

/** Records the traces of this process, until `stop`, and receives them. */
export async function recordTraces(env: Record<string, string> = {}): Promise<Recording> {
  const receiver = await traceReceiver()
  const lines: string[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(line) } })
  const settings = settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '20', ...env })
  const tracing = await startTracing(settings, log)
  return {
    ...receiver,
    lines,
    spanOf: (name) =>
      eventually(() => {
        const span = receiver.spans.find((one) => one.name === name)
        if (!span) throw new Error(`There is no ${name} among ${receiver.spans.map((one) => one.name).join(', ')}.`)
        return span
      }),
    async stop() {
      await tracing.stop()
      await receiver.stop()
    },
  }
}
