import { afterEach } from '@jest/globals'
import { type Script, type ScriptedServer, scriptedServer } from './scripted-server.js'
import { type TestSmtp, testSmtp } from './smtp-server.js'

interface Stops {
  stop(): Promise<unknown>
}

/** Servers of a test, which are stopped after it. */
export function testServers() {
  const open: Stops[] = []
  afterEach(async () => {
    for (const server of open.splice(0)) await server.stop()
  })
  const kept = <S extends Stops>(server: S): S => {
    open.push(server)
    return server
  }
  return {
    kept,
    serving: async (script: Script): Promise<ScriptedServer> => kept(await scriptedServer(script)),
    smtp: async (...options: Parameters<typeof testSmtp>): Promise<TestSmtp> => kept(await testSmtp(...options)),
  }
}
