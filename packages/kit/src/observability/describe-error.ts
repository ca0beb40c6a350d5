interface DescribedError {
  type: string
  message: string
  code?: string | number
  stack?: string
  cause?: DescribedError
}

const maxCauses = 5

/**
 * What the log shows of an error. A white list: drivers hang the values of the failed statement on their errors
 * (`detail`, `parameters`), and those may be anybody's data.
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
