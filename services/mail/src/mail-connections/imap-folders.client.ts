import { ImapFlow, type ListOptions, type ListResponse, type NamespaceObject } from 'imapflow'
import { type SpecialUseSource, specialUse } from 'imapflow/lib/special-use.js'
import { hasCapability } from 'imapflow/lib/tools.js'

const unselectable = new Set(['\\noselect', '\\nonexistent'])

const isSelectable = ({ flags }: ListResponse) => ![...flags].some((flag) => unselectable.has(flag.toLowerCase()))

/** Whether a folder is in a namespace of the user, not in one of other users or a shared one. The longest prefix decides, because one may be empty (RFC 2342, 5). */
function isPersonal({ namespaces }: ImapFlow, { path, pathAsListed, delimiter }: ListResponse): boolean {
  // Prefixes are not decoded, and end with the delimiter.
  const name = `${pathAsListed}${delimiter ?? ''}`
  const longest = (some: readonly NamespaceObject[] | false = []) =>
    Math.max(-1, ...(some || []).map(({ prefix }) => (name.startsWith(prefix) ? prefix.length : -1)))
  return path === 'INBOX' || longest(namespaces?.personal) >= Math.max(longest(namespaces?.other), longest(namespaces?.shared))
}

/** How a special use is known, the most reliable first. */
const sources: readonly (SpecialUseSource | undefined)[] = ['extension', 'name', 'name-guess', undefined]

/** An IMAP connection that lists the folders of its user. */
export class PersonalImap extends ImapFlow {
  /**
   * The folders of the user that can contain messages, those with a special use (RFC 6154) first. Each special use has one folder. imapflow may give it to
   * a folder of others, or to one that cannot be selected, so that it is given anew, in the order of imapflow.
   */
  override async list(options?: ListOptions): Promise<ListResponse[]> {
    const hasExtension = this.capabilities.has('XLIST') || hasCapability(this, 'SPECIAL-USE')
    const candidates = (await super.list(options))
      .filter((folder) => isSelectable(folder) && isPersonal(this, folder))
      .map((folder) => ({ folder, ...specialUse(hasExtension, folder) }))
      .sort(
        (one, other) =>
          sources.indexOf(one.source) - sources.indexOf(other.source) ||
          one.folder.parent.length - other.folder.parent.length ||
          one.folder.path.localeCompare(other.folder.path),
      )
    const given = new Map(candidates.toReversed().map(({ folder, flag }) => [flag, folder]))
    return candidates.map(({ folder, flag }) => {
      if (folder.specialUse === '\\Inbox') return folder
      return { ...folder, specialUse: flag !== null && given.get(flag) === folder ? flag : undefined }
    })
  }
}
