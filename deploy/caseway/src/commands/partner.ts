import type { Id } from '@caseway/kit/caller'
import { idText } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField, atLeastOne } from '../options.js'
import { Problem } from '../problem.js'
import { openPartner, type Partner, using } from '../services.js'
import { counted, table } from '../table.js'

export function partnerCommands(program: Command, io: Io): void {
  const group = program.command('partner').description('the external accounting platform')

  const rotate = group
    .command('rotate')
    .description('re-encrypt with PARTNER_SECRET everything that is encrypted with a secret of PARTNER_SECRET_PREVIOUS')
  answering(rotate, io, async () => {
    const { tokens, webhooks } = await using(openPartner(io.env), ({ administration }) => administration.reseal())
    const after = 'PARTNER_SECRET_PREVIOUS is not needed any more ten minutes after every copy of partner runs with this PARTNER_SECRET.'
    return {
      json: { tokens, webhooks },
      text: `${counted(tokens, 'token')} and ${counted(webhooks, 'webhook secret')} re-encrypted. ${after}`,
    }
  })

  const refresh = group
    .command('refresh')
    .description('refresh the tokens of an integration now; the running service does it in the background')
    .requiredOption('--office <id>', 'the office', asField(idText))
    .requiredOption('--integration <id>', 'its integration', asField(idText))
  answering<{ office: Id; integration: Id }>(refresh, io, async ({ office, integration }) => {
    const found = await using(openPartner(io.env), ({ administration }) => administration.integrations.refresh(office, integration))
    if (!found) throw new Problem(`Office ${office} has no integration ${integration}.`)
    return { json: { id: String(integration) }, text: `The tokens of integration ${integration} will be refreshed.` }
  })

  const sagas = group
    .command('sagas')
    .description('list the changes of client data that have not ended, the oldest first')
    .option('-n, --limit <number>', 'maximum number of entries', atLeastOne, 100)
  answering<{ limit: number }>(sagas, io, async ({ limit }) => {
    const changes = await using(openPartner(io.env), ({ administration }) => administration.unfinishedClientDataChanges(limit))
    return { json: { sagas: changes.map(onTheWire) }, text: listed(changes.map(onTheWire)) }
  })

  const webhooks = group.command('webhooks').description('count the active webhooks of all offices by the error of their last delivery')
  answering(webhooks, io, async () => {
    const states = await using(openPartner(io.env), ({ administration }) => administration.webhookStates())
    return { json: { webhooks: states.map(stateOnTheWire) }, text: statesListed(states.map(stateOnTheWire)) }
  })
}

type WebhookState = Awaited<ReturnType<Partner['administration']['webhookStates']>>[number]

const stateOnTheWire = ({ lastError, webhooks, offices }: WebhookState) => ({ last_error: lastError, webhooks, offices })

function statesListed(states: readonly ReturnType<typeof stateOnTheWire>[]): string {
  if (states.length === 0) return 'There is no webhook.'
  const rows = states.map(({ last_error, webhooks, offices }) => [last_error ?? '-', String(webhooks), String(offices)])
  return table(['ERROR', 'WEBHOOKS', 'OFFICES'], rows)
}

type Change = Awaited<ReturnType<Partner['administration']['unfinishedClientDataChanges']>>[number]

const onTheWire = ({ id, externalUserId, state, since }: Change) => ({
  ...{ id, external_user_id: externalUserId, state, since: since.toISOString() },
  age_seconds: Math.max(0, Math.round((Date.now() - since.getTime()) / 1000)),
})

function listed(sagas: readonly ReturnType<typeof onTheWire>[]): string {
  if (sagas.length === 0) return 'Every change of client data has ended.'
  const rows = sagas.map(({ id, external_user_id, state, age_seconds }) => [external_user_id, state, `${age_seconds} s`, id])
  return table(['EXTERNAL USER', 'STATE', 'AGE', 'ID'], rows)
}
