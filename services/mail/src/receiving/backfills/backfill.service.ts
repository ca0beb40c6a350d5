import type { Id } from '@caseway/kit/caller'
import type { Run } from '@caseway/kit/jobs'
import type { Tx } from '../../database.js'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import type { Mailbox } from '../../mail-connections/mailbox-access.js'
import type { Announced, Decision, Intake, ReceivingMailbox } from '../../received-messages/arrivals/arrived-message.js'
import type { FolderAtWork } from '../folders/folder-at-work.js'
import { isNewEpoch, type RemoteFolder } from '../folders/remote-folder.js'
import type { RemoteFolderRepository } from '../folders/remote-folder.repository.js'
import { isReceived, receivingOf } from '../mailboxes/receiving-mailbox.js'
import type { MessageFetch } from '../messages/message-fetch.service.js'
import type { LightMessage, MailboxSource } from '../sources/mailbox-source.js'
import { type Backfills, enqueueBackfill } from './backfill.job.js'
import { type Counted, isWithin, olderThan, type ReadUids, type RunningBackfill, readUntil, searched, withRead } from './backfill.js'
import type { BackfillRepository } from './backfill.repository.js'
import { type ByteBudget, byteBudget } from './byte-budget.js'

export interface BackfillParts {
  readonly mailboxes: { toOpen(customerId: Id, id: Id): Promise<Mailbox | null> }
  /** @throws MailConnectionError */
  readonly open: (mailbox: Mailbox) => Promise<MailboxSource>
  readonly intake: Pick<Intake, 'decide'>
  readonly fetch: MessageFetch
  readonly folders: Pick<RemoteFolderRepository, 'known' | 'storedOrFailed'>
  readonly backfills: BackfillRepository
  readonly timeZoneOf: (customerId: Id) => Promise<string>
  /** The most bytes that backfills fetch of one mailbox in a day. */
  readonly bytesPerDay: number
}

/** A backfill with the time zone of its office. */
type Task = RunningBackfill & { readonly zone: string }

/** How far the folders of the present month were read, from the cursor of the job. */
const readOf = ({ cursor }: Run<unknown>) => (cursor ?? {}) as ReadUids

/** The number of messages whose headers are fetched together. */
const atOnce = 200
/** Earlier than any message on a server. */
const beginning = new Date(0)

/** Fetches older messages of one folder, month by month, the newest month first. Nobody is notified of them. */
export function backfill({ mailboxes, open, intake, fetch, folders, backfills, timeZoneOf, bytesPerDay }: BackfillParts): Backfills {
  /** Decides as the intake does. Messages of other folders are discarded: their places are remembered, and they are not fetched. */
  const decide = async (task: Task, mailbox: ReceivingMailbox, messages: readonly Announced[]): Promise<Decision[]> => {
    const decisions = await intake.decide({ ...mailbox, fetchAfter: null }, messages)
    return decisions.map((one) =>
      one.kind === 'store' && one.folder.system === task.folder ? one : { kind: 'discard', reason: { by: 'other-folder' } },
    )
  }

  const countDry = async (work: FolderAtWork, task: Task, light: readonly LightMessage[]) => {
    const last = light.at(-1)
    if (!last) return
    const decisions = await decide(task, work.mailbox, await fetch.announce(work, light))
    const found = decisions.flatMap(({ kind }) => (kind === 'store' ? task.folder : []))
    const read = withRead(readOf(work.run), work.folder, last.uid)
    await work.run.checkpoint(read, (tx) => backfills.countDry(tx as Tx, task, found))
  }

  /** The messages of a month in one folder, page by page. Messages above the receiving cursor, and failed ones, are left to the receiving job. */
  async function* monthOf({ run, source, folder }: FolderAtWork, task: Task) {
    const { since, before } = searched(task.month)
    const begin = readUntil(readOf(run), folder)
    const uids = (await source.uidsBetween(since, before)).filter((uid) => uid > begin && uid <= folder.lastUid)
    for (let from = 0; from < uids.length; from += atOnce) {
      // Stops where the backfill was cancelled.
      if (!(await backfills.find(task.customerId, task.id))) return
      const chunk = uids.slice(from, from + atOnce)
      const settled = await folders.storedOrFailed(folder, chunk)
      const missing = chunk.filter((uid) => !settled.has(uid))
      if (missing.length > 0) yield (await source.light(missing)).filter(({ internalDate }) => isWithin(internalDate, task, task.zone))
    }
  }

  const fetchMonth = async (work: FolderAtWork, task: Task, budget: ByteBudget) => {
    const pages = monthOf(work, task)
    if (!task.dryRun) return fetch.fetch(work, budget.within(pages))
    for await (const light of pages) await countDry(work, task, light)
  }

  const folderAtWork = (
    run: Run<unknown>,
    mailbox: Mailbox,
    source: MailboxSource,
    folder: RemoteFolder,
    task: Task,
    budget: ByteBudget,
  ) => {
    const receiving = receivingOf(mailbox, task.zone)
    const plan = {
      decide: async (messages: readonly Announced[]) => {
        const decisions = await decide(task, receiving, messages)
        for (const [at, { size }] of messages.entries()) if (decisions[at]?.kind === 'store') budget.spend(size)
        return decisions
      },
      count: (tx: Tx, counted: Counted) => backfills.count(tx, task, counted),
      cursor: (uid: bigint) => withRead(readOf(run), folder, uid),
    }
    return { run, mailbox: receiving, source, folder, plan }
  }

  /** The folders as they were received. Null while one was not read to its end: which of its messages are older is not known yet. */
  const foldersOf = async (mailbox: Mailbox, source: MailboxSource): Promise<RemoteFolder[] | null> => {
    const [states, known] = [await source.folders(), await folders.known(mailbox)]
    const received: RemoteFolder[] = []
    for (const state of states) {
      const folder = known.get(state.path)
      if (folder?.comparedAt && !isNewEpoch(folder, state)) received.push(folder)
      // A folder that the server does not open is not received at all.
      else if (await source.select(state.path)) return null
    }
    return received
  }

  /**
   * Fetches a month.
   * @returns `last` or `more` by whether older months have messages, `waits` where the bytes of the day are used up, `early` where a folder was not
   * received yet
   */
  const month = async (run: Run<unknown>, mailbox: Mailbox, source: MailboxSource, task: Task) => {
    const received = await foldersOf(mailbox, source)
    if (!received) return 'early'
    const budget = byteBudget(bytesPerDay - (await backfills.bytesToday(task)))
    let isLast = true
    for (const folder of received) {
      run.signal.throwIfAborted()
      if (!(await source.select(folder.path))) throw new MailConnectionError('protocol')
      await fetchMonth(folderAtWork(run, mailbox, source, folder, task, budget), task, budget)
      if (budget.isUsedUp()) return 'waits'
      isLast &&= task.month <= beginning || (await source.uidsBetween(beginning, olderThan(task.month))).length === 0
    }
    return isLast ? 'last' : 'more'
  }

  return {
    async run(run, customerId, id, read) {
      const zone = await timeZoneOf(customerId)
      const find = async (): Promise<Task | null> => {
        const found = await backfills.find(customerId, id)
        return found && { ...found, zone }
      }
      let task = await find()
      if (!task) return
      const mailbox = await mailboxes.toOpen(customerId, task.mailServerId)
      if (!isReceived(mailbox)) {
        const given = task
        return run.finish((tx) => backfills.failed(tx as Tx, given))
      }
      const begun = task
      await run.checkpoint(read, (tx) => backfills.goOn(tx as Tx, begun))
      const source = await open(mailbox)
      try {
        while (task) {
          const done: Task = task
          const outcome = await month(run, mailbox, source, done)
          if (outcome === 'early') return await run.fail(new Error('A folder of the mailbox was not received yet.'))
          if (outcome === 'waits')
            return await run.finish(async (tx) => {
              const runAt = await backfills.wait(tx as Tx, done)
              if (runAt) await enqueueBackfill(tx as Tx, done, { runAt, read: readOf(run) })
            })
          await run.checkpoint(null, (tx) => backfills.monthDone(tx as Tx, done, outcome === 'last'))
          task = await find()
        }
      } finally {
        await source.close()
      }
    },
  }
}
