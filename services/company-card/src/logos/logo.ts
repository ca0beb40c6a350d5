import type { Id } from '@caseway/kit/caller'

/** The media types of logos: images that browsers show, and that cannot contain scripts. */
export const logoTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

export const maxLogoBytes = 2_097_152

/** The bytes of a logo. */
export interface Logo {
  /** Media type. */
  readonly mime: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The description of a file, which is sent before its bytes. */
export interface FileHead {
  readonly name: string
  /** Media type. */
  readonly mime: string
  readonly sizeBytes: number
}

/** Access to the files of an office. */
export interface OfficeFiles {
  /**
   * Reads a file of the office whose virus scan is `ok`. Its `mime` is determined by the bytes, and empty where they do not tell; that of the head may
   * be derived from the extension.
   * @param accept called before the bytes are read; throws where the file is not acceptable
   * @throws AppError `not-found`, FILE_NOT_CLEAN, FILE_NOT_EXISTS, `unavailable`
   */
  read(customerId: Id, id: Id, accept: (head: FileHead) => void): Promise<FileHead & { readonly bytes: Uint8Array<ArrayBuffer> }>
}
