import { listStoppedJobs, readJobStates, retryStoppedJobs, type StoppedJob } from '@caseway/kit/jobs'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { atLeastOne, chosen, serviceOption } from '../options.js'
import { inServices } from '../services.js'
import { counted, table } from '../table.js'

interface Options {
  service?: string
}

export function jobCommands(program: Command, io: Io): void {
  const group = program.command('jobs').description('background jobs')
  const status = group.command('status').description('count the jobs that are not done').addOption(serviceOption())
  const list = group
    .command('list')
    .description('list the oldest failed and uncertain jobs')
    .addOption(serviceOption())
    .option('-n, --limit <number>', 'maximum number of entries for each service', atLeastOne, 100)
  const retry = group
    .command('retry')
    .description('run failed jobs again')
    .addOption(serviceOption())
    .option('--uncertain', 'run the uncertain jobs instead; check first whether they had their effect')

  answering<Options>(status, io, async ({ service }) => {
    const states = (
      await inServices(io.env, chosen(service), async ({ db }, { name }) =>
        (await readJobStates(db)).map((state) => ({ service: name, ...state })),
      )
    ).flat()
    const rows = states.map(({ service, job, state, count, oldestSeconds }) => [
      service,
      job,
      state,
      String(count),
      `${Math.round(oldestSeconds)} s`,
    ])
    return {
      json: { jobs: states.map(({ oldestSeconds, ...state }) => ({ ...state, oldest_seconds: oldestSeconds })) },
      text: rows.length === 0 ? 'No jobs.' : table(['SERVICE', 'JOB', 'STATE', 'COUNT', 'OLDEST DUE'], rows),
    }
  })

  answering<Options & { limit: number }>(list, io, async ({ service, limit }) => {
    const jobs = (
      await inServices(io.env, chosen(service), async ({ db }, { name }) =>
        (await listStoppedJobs(db, limit)).map((job) => ({ service: name, ...job })),
      )
    ).flat()
    return { json: { jobs: jobs.map(onTheWire) }, text: listed(jobs) }
  })

  answering<Options & { uncertain?: true }>(retry, io, async ({ service, uncertain }) => {
    const services = await inServices(io.env, chosen(service), async ({ db }, { name }) => ({
      service: name,
      enqueued: await retryStoppedJobs(db, uncertain ? 'uncertain' : 'failed'),
    }))
    return {
      json: { services },
      text: services.map(({ service, enqueued }) => `${service}: ${counted(enqueued, 'job')} enqueued.`).join('\n'),
    }
  })
}

type Job = StoppedJob & { service: string }

const onTheWire = ({ id, customerId, clientId, since, ...job }: Job) => ({
  ...job,
  id: String(id),
  customer_id: customerId === null ? null : String(customerId),
  client_id: clientId === null ? null : String(clientId),
  since: since.toISOString(),
})

function listed(jobs: readonly Job[]): string {
  if (jobs.length === 0) return 'No job has failed or is uncertain.'
  const rows = jobs.map(({ service, job, id, state, tries, since, error }) => {
    const [reason = ''] = error.split('\n')
    return [service, job, String(id), state, String(tries), since.toISOString(), reason]
  })
  return table(['SERVICE', 'JOB', 'ID', 'STATE', 'TRIES', 'SINCE', 'ERROR'], rows)
}
