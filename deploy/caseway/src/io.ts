/** What surrounds a command. `out` and `err` get whole lines, without the last line break. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
}
