import { cpus, totalmem } from 'node:os'
import type { Settings } from '../scenario.js'

/** Date, machine and versions of a measurement. */
export interface Environment extends Settings {
  date: string
  cpu: string
  cores: number
  memoryGib: number
  node: string
  postgres: string
}

export function environmentOf({ rounds, seconds }: Settings, postgres = ''): Environment {
  const all = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: all[0]?.model ?? '',
    cores: all.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres,
    ...{ rounds, seconds },
  }
}
