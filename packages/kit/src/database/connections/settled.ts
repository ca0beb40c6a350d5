/** All answers, or the first error, when all have settled: the next user of the connection must not receive any of these answers. */
export async function settled<Answer>(sent: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers = await Promise.allSettled(sent)
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
  return answers.map((answer) => (answer as PromiseFulfilledResult<Answer>).value)
}
