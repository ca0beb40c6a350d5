import { expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { eventTypes, webhookRecords } from '../src/webhook-events/event-type.js'
import { webhookDocument } from '../src/webhook-events/webhook-document.js'

it('the document describes what is sent for every event, and for a test', async () => {
  expect(Object.keys(webhookDocument).sort()).toEqual([...eventTypes.map(({ type }) => type), 'webhook.test'].sort())
  const document = { openapi: '3.1.0', info: { title: 'partner', version: '1' }, webhooks: webhookDocument }
  const validator = new Validator()
  for (const [owner, records] of Map.groupBy(Object.values(webhookRecords), ({ owner }) => owner)) {
    const schemas = Object.fromEntries(records.map(({ resource }) => [resource, {}]))
    await validator.addSpecRef({ components: { schemas } }, owner)
  }
  expect(await validator.validate(document)).toMatchObject({ valid: true })
})
