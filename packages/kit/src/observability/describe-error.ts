interface DescribedError {
  type: string
  message: string
  code?: string | number
  stack?: string
  cause?: DescribedError
}

const maxCauses = 5

/**
 * The properties of an error that are logged. No others are, because drivers attach the values of a failed statement (`detail`, `parameters`), which may be
 * personal data.
 */
export function describeError(error: unknown, causes = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && causes < maxCauses && { cause: describeError(cause, causes + 1) }),
  }
}
