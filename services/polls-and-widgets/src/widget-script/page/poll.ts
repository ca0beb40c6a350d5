interface Label {
  readonly text: string
  readonly value: number
}

/** A block of a poll, and of an answer to it. */
export interface Block {
  readonly type: string
  readonly data: {
    readonly title?: string
    readonly required?: boolean
    readonly options?: readonly { readonly value: string; readonly selected?: boolean }[]
    readonly line_scale?: readonly [{ readonly label_from: Label }, { readonly label_to: Label }]
  }
}

export interface Poll {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly blocks: readonly Block[]
}

export interface Settings {
  readonly lang?: string
  readonly texts?: Record<string, string>
}
