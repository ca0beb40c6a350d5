/** An error that the user can correct: its message is one sentence that says how, and is all that they see. */
export class Problem extends Error {}

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code
