/** Something that the user can mend: its message is one sentence that says how, and all that they see of it. */
export class Problem extends Error {}

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code
