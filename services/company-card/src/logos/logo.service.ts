import type { Employee, Id } from '@caseway/kit/caller'
import { AppError, noSuchRecord, notFound } from '@caseway/kit/errors'
import type { CompanyCardService } from '../company-cards/company-card.service.js'
import { noLogo } from '../errors.js'
import type { PublishedCard } from '../published-cards/published-card.js'
import { type FileHead, logoTypes, maxLogoBytes, type OfficeFiles } from './logo.js'
import type { LogoRepository } from './logo.repository.js'

interface Parts {
  readonly cards: Pick<CompanyCardService, 'get' | 'changeLogo'>
  readonly published: { get(hash: string): Promise<PublishedCard> }
  readonly files: OfficeFiles
}

/** Logos of cards. A logo is a copy of a file, so that it stays public when the file is deleted. */
export const logoService = (logos: LogoRepository, { cards, published, files }: Parts) => ({
  /** Sets the logo of a card to a copy of a file. @throws AppError also the errors of `OfficeFiles.read` */
  async set(caller: Employee, id: Id, fileId: Id, expected?: number): Promise<void> {
    await cards.get(caller, id)
    const file = await files.read(caller.customerId, fileId, mustBeLogo).catch(ofFile)
    mustBeLogo(file)
    await cards.changeLogo(caller, id, file.name, { expected, alsoWrite: (tx) => logos.put(tx, caller, id, file) })
  },

  remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
    cards.changeLogo(caller, id, null, { expected, alsoWrite: (tx) => logos.remove(tx, id) }),

  /** The published logo of the card with this hash. @throws AppError `not-found` */
  async published(hash: string) {
    const logo = await logos.published((await published.get(hash)).id)
    if (!logo) throw notFound()
    return { mime: logo.mime, bytes: logo.bytes, etag: `"${Buffer.from(logo.sha256).toString('base64url')}"` }
  },
})

function mustBeLogo({ mime, sizeBytes }: FileHead): void {
  if (!logoTypes.includes(mime)) throw noLogo('must be an image: PNG, JPEG or WebP')
  if (sizeBytes > maxLogoBytes) throw noLogo(`must be at most ${maxLogoBytes} bytes`)
}

/** Converts `not-found` of the file to an invalid field, so that it does not look like an unknown card. */
function ofFile(error: unknown): never {
  throw error instanceof AppError && error.kind === 'not-found' ? noSuchRecord('common_file_id') : error
}

export type LogoService = ReturnType<typeof logoService>
