import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { peakMib, resetPeak } from '../measuring/memory.js'
import { median } from '../measuring/statistics.js'
import { megabytesPerSecond, open, receive, send } from '../measuring/transfers.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import { temporaryHome } from '../platform/launcher.js'
import { startNginx } from '../platform/nginx.js'
import type { Figure, Settings, Standalone } from '../scenario.js'
import { bearer } from './requests.js'

const file = Buffer.alloc(25_000_000, 'Caseway ')
const large = Buffer.alloc(100_000_000, 'Caseway ')
const atOnce = 4
/** Transfers per round: 1 GB. */
const transfers = 40
const slowReaders = 50
/** Concurrent complete uploads, and uploads that send a part and then stop. */
const [senders, hanging] = [50, 10]
const small = file.subarray(0, 10_000_000)
/** A slow reader reads this many chunks, with a pause after each. */
const [sips, sipMs] = [30, 100]

const boundary = 'bench'
const head = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`)
const tail = Buffer.from(`\r\n--${boundary}--\r\n`)

/** Runs on a platform of its own, without a million cases, because only bytes are measured. */
export const files: Standalone = {
  name: 'files',
  what: `Files of 25 MB, ${atOnce} at once, through gateway and service, beside nginx with dav on the same disk`,

  async measureAlone(settings) {
    const distributed = await startDistributed()
    try {
      return [...(await speed(distributed, settings)), ...(await memory(distributed))]
    } finally {
      await distributed.stop()
    }
  },
}

/** Access to the files of an expert of the demo. */
function filesOf({ url, demo, tokenFor }: DistributedPlatform) {
  const { customer_id: customerId, accounts } = demo.offices[0]
  const headers = bearer(tokenFor({ userId: Number(accounts.expert.user_id), customerId: Number(customerId) }))
  const address = `${url}/rest/common_file`
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return {
    async upload(content: Buffer): Promise<string> {
      return JSON.parse(await send('POST', address, { ...headers, ...type }, [head, content, tail])).id
    },
    download: (id: string, bytes: number) => receive(`${address}/${id}`, headers, bytes),
    open: (id: string) => open(`${address}/${id}`, headers),
    /** Begins an upload that is never completed; the result ends it. */
    begin(content: Buffer): () => void {
      const length = head.length + content.length + tail.length
      const sent = request(address, { method: 'POST', agent: false, headers: { ...headers, ...type, 'content-length': length } })
      sent.on('error', () => undefined).write(head)
      sent.write(content.subarray(0, content.length / 2))
      return () => void sent.destroy()
    },
    remove: async (id: string) => void (await fetch(`${address}/${id}`, { method: 'DELETE', headers })),
    /** Resolves when the file has been scanned. */
    async scanned(id: string): Promise<void> {
      while ((await fetch(`${address}/${id}`, { method: 'HEAD', headers })).status !== 200) await pause(20)
    },
  }
}

/** Measures both alternately, so that other load on the machine affects both. */
async function speed(distributed: DistributedPlatform, { rounds }: Settings): Promise<Figure[]> {
  const nginx = await startNginx(temporaryHome())
  const ours = filesOf(distributed)
  const measured = (transfer: (number: number) => Promise<unknown>) => megabytesPerSecond(transfers, atOnce, file.length, transfer)
  const uploads = { ours: [] as number[], nginx: [] as number[] }
  const downloads = { ours: [] as number[], nginx: [] as number[] }
  const stored = (number: number) => `${nginx.url}/${number % atOnce}`
  try {
    const id = await ours.upload(file)
    await ours.scanned(id)
    for (let round = 0; round < rounds; round++) {
      const ids: string[] = []
      uploads.nginx.push(await measured((number) => send('PUT', stored(number), {}, [file])))
      uploads.ours.push(await measured(async () => ids.push(await ours.upload(file))))
      for (const each of ids) await ours.remove(each)
      downloads.nginx.push(await measured((number) => receive(stored(number), {}, file.length)))
      downloads.ours.push(await measured(() => ours.download(id, file.length)))
    }
  } finally {
    await nginx.stop()
  }
  return [...standing('upload', uploads, 0.5), ...standing('download', downloads, 0.45)]
}

function standing(what: string, { ours, nginx }: { ours: number[]; nginx: number[] }, atLeast: number): Figure[] {
  return [
    { what: `${what}: ours`, value: median(ours), unit: 'MB/s' },
    { what: `${what}: nginx`, value: median(nginx), unit: 'MB/s' },
    { what: `${what}: ours to nginx`, value: median(ours) / median(nginx), unit: '×', atLeast },
  ]
}

async function memory(distributed: DistributedPlatform): Promise<Figure[]> {
  const ours = filesOf(distributed)
  const names = ['gateway-1', 'files-1']
  const peaks = async (what: string, work: () => Promise<void>): Promise<Figure[]> => {
    for (const name of names) {
      await distributed.renew(name)
      resetPeak(distributed.pidOf(name))
    }
    await ready(distributed)
    await work()
    return names.map((name) => ({
      what: `${name}: peak memory, ${what}`,
      value: peakMib(distributed.pidOf(name)),
      unit: 'MiB',
      atMost: 180,
    }))
  }
  let id = ''
  const transferred = await peaks('files of 100 MB up and down', async () => {
    const ids = await Promise.all(Array.from({ length: atOnce }, () => ours.upload(large)))
    for (const each of ids) await ours.scanned(each)
    await Promise.all(ids.map((each) => ours.download(each, large.length)))
    id = ids[0] ?? ''
  })
  const read = await peaks(`${slowReaders} slow readers of 100 MB`, async () => {
    await Promise.all(Array.from({ length: slowReaders }, async () => sip(await ours.open(id))))
  })
  const sent = await peaks(`${senders} uploads of 10 MB at once, beside ${hanging} that hang`, async () => {
    const unfinished = Array.from({ length: hanging }, () => ours.begin(small))
    await Promise.all(Array.from({ length: senders }, () => ours.upload(small)))
    for (const end of unfinished) end()
  })
  return [...transferred, ...read, ...sent]
}

/** Reads in small chunks, and disconnects before the end. */
async function sip(answer: Awaited<ReturnType<typeof open>>): Promise<void> {
  for (let taken = 0; taken < sips; taken++) {
    answer.read()
    await pause(sipMs)
  }
  answer.destroy()
}

/** Resolves when all services are ready behind the gateway. */
async function ready({ url }: DistributedPlatform): Promise<void> {
  while (
    !(await fetch(`${url}/rest/openapi.json`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(100)
}
