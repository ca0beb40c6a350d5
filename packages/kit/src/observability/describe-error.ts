import { AppError, type ErrorKind } from '../errors/index.js'

interface DescribedError {
  type: string
  message: string
  code?: string | number
  stack?: string
  cause?: DescribedError
}

const maxCauses = 5
/** The kinds of which an outage produces one per request. */
const kindsOfOutages: readonly ErrorKind[] = ['unavailable', 'uncertain']
/** How long a reason of an outage is logged without stacks after it was logged with them, in milliseconds. */
const briefMs = 60_000
const maxReasons = 100

/**
 * Creates the serializer of logged errors: their properties that are logged. No others are, because drivers attach the values of a failed statement (`detail`,
 * `parameters`), which may be personal data. The stacks of an outage are logged once a minute for each reason.
 */
export function errorDescriber(): (error: unknown) => DescribedError {
  // Not lru-cache: migrations are not bundled, and would need it in every image.
  const briefUntil = new Map<string, number>()
  return (error) => {
    if (!(error instanceof AppError && kindsOfOutages.includes(error.kind))) return describe(error, true)
    const [reason, now] = [reasonOf(error), performance.now()]
    const hasStacks = now >= (briefUntil.get(reason) ?? 0)
    if (hasStacks) {
      if (briefUntil.size >= maxReasons) briefUntil.clear()
      briefUntil.set(reason, now + briefMs)
    }
    return describe(error, hasStacks)
  }
}

function describe(error: unknown, hasStacks: boolean, causes = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(hasStacks && error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && causes < maxCauses && { cause: describe(cause, hasStacks, causes + 1) }),
  }
}

/** The message of the first cause. */
function reasonOf(error: unknown, causes = 0): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined || causes === maxCauses ? String(error) : reasonOf(cause, causes + 1)
}
