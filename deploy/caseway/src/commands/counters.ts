import type { Id } from '@caseway/kit/caller'
import { idText } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { Problem } from '../problem.js'
import { type Cases, openCases, using } from '../services.js'
import { table } from '../table.js'

interface Options {
  office: Id
  repair?: boolean
}

type Missing = Awaited<ReturnType<Cases['administration']['counters']['recount']>>

export function counterCommands(program: Command, io: Io): void {
  const recount = program
    .command('counters')
    .description('counters of cases')
    .command('recount')
    .description("count an office's cases again, and show by how much each counter differs")
    .requiredOption('--office <id>', 'the office', asField(idText))
    .option('--repair', 'correct the differences')

  answering<Options>(recount, io, async ({ office, repair = false }) => {
    const missing = await using(openCases(io.env), async ({ administration }) => {
      if (!(await administration.hasOffice(office))) throw new Problem(`Cases-and-counters knows no office ${office}.`)
      return administration.counters.recount(office, { repair })
    })
    return { json: { counters: missing.map(onTheWire), repaired: repair }, text: described(missing, repair) }
  })
}

/** `off_by` is the stored value minus the correct one. */
const onTheWire = ({ counter, userId, otherUserId, value }: Missing[number]) => ({
  counter,
  user_id: userOrNull(userId),
  other_user_id: userOrNull(otherUserId),
  off_by: -value,
})

const userOrNull = (id: Id) => (id === 0n ? null : String(id))

function described(missing: Missing, repaired: boolean): string {
  if (missing.length === 0) return 'Every counter is right.'
  const rows = missing.map(onTheWire).map(({ counter, user_id, other_user_id, off_by }) => {
    return [counter, user_id ?? '', other_user_id ?? '', off_by > 0 ? `+${off_by}` : String(off_by)]
  })
  const after = repaired ? 'They have been corrected.' : 'Nothing was changed: --repair corrects them.'
  return `${table(['COUNTER', 'USER', 'OTHER USER', 'OFF BY'], rows)}\n\n${after}`
}
