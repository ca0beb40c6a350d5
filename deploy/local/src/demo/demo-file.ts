import { existsSync, readFileSync } from 'node:fs'
import type { EmployeeRole } from '@caseway/kit/caller'
import { type Home, writePrivately } from '../home.js'

export interface Account {
  user_id: string
  username: string
  password: string
}

export interface DemoOffice {
  customer_id: string
  name: string
  time_zone: string
  accounts: Record<EmployeeRole, Account>
  technical: { client_id: string; client_secret: string }
}

/** The accounts of the demo, for scripts. Their passwords are stored nowhere else. */
export interface DemoPeople {
  /** The application (`client_id`) with which people sign in. */
  client_id: string
  offices: DemoOffice[]
  clients: (Account & { customer_ids: string[] })[]
}

export interface Addresses {
  base_url: string
  client_base_url: string
  metrics_url: string
}

export type Demo = Addresses & DemoPeople

/** The demo of an earlier start; undefined if its file is missing or unreadable. */
export function readDemo(home: Home): Demo | undefined {
  if (!existsSync(home.demo)) return undefined
  try {
    return JSON.parse(readFileSync(home.demo, 'utf8'))
  } catch {
    return undefined
  }
}

export const writeDemo = (home: Home, demo: Demo) => writePrivately(home.demo, demo)
