import { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { Contestant } from '../contestant.js'
import { inspect } from './inspector.js'
import { round } from './load.js'
import { type CpuProfile, type SelfTimes, selfTimesOf } from './self-times.js'

export interface Profiled extends SelfTimes {
  process: string
  /** Can be saved as .cpuprofile and opened in Chromium's DevTools. */
  profile: CpuProfile
}

const samplingIntervalUs = 500

/** CPU profiles of the Node processes of a contestant under load, one process after the other. */
export async function profile(contestant: Contestant, seconds: number): Promise<Profiled[]> {
  const profiled: Profiled[] = []
  for (const [name, pid] of Object.entries(contestant.processes())) {
    if (basename(readlinkSync(`/proc/${pid}/exe`)) !== 'node') continue
    const { profile } = await inspect(pid, async (ask) => {
      await ask('Profiler.enable')
      await ask('Profiler.setSamplingInterval', { interval: samplingIntervalUs })
      await ask('Profiler.start')
      await round(contestant, seconds)
      return ask<{ profile: CpuProfile }>('Profiler.stop')
    })
    profiled.push({ process: name, profile, ...selfTimesOf(profile) })
  }
  return profiled
}
