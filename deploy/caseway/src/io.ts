/** The environment of a command. `out` and `err` print whole lines, given without the line break. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
}
