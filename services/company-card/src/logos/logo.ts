import type { Id } from '@caseway/kit/caller'

/** What a logo may be: images that browsers show and that carry no script. */
export const logoTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

export const maxLogoBytes = 2_097_152

/** The bytes of a logo. */
export interface Logo {
  /** Media type. */
  readonly mime: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What is known of a file before its bytes. */
export interface FileHead {
  readonly name: string
  /** Media type. */
  readonly mime: string
  readonly sizeBytes: number
}

/** Where the files of an office are. */
export interface OfficeFiles {
  /**
   * A file of the office that the virus scan has found clean. Its `mime` is what the bytes show, empty where they show nothing; that of the head may
   * be the one of its extension.
   * @param accept throws where the file is not wanted, before its bytes are read
   * @throws AppError `not-found`, FILE_NOT_CLEAN, FILE_NOT_EXISTS, `unavailable`
   */
  read(customerId: Id, id: Id, accept: (head: FileHead) => void): Promise<FileHead & { readonly bytes: Uint8Array<ArrayBuffer> }>
}
