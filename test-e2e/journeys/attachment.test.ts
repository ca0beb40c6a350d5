import { afterAll, beforeAll, describe } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { attachmentJourney } from '../support/attachment-journey.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

describe('the way of files', () => {
  attachmentJourney(() => demo)
})
