import { testService } from '@caseway/testing/service'
import { afterAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { blocks, newWidget, notFound, publishPoll, unknown, visitors } from './support/polls.js'

const service = await testService(pollsAndWidgets)
afterAll(() => service.stop())

const { officeWithWidget } = visitors(service)

describe('GET /polls/{external_hash}', () => {
  it('shows when it closes, in the time zone of the office', async () => {
    const { http, widget } = await officeWithWidget()
    const poll = await publishPoll(http, { name: 'Until', chat_widget_id: widget.id })
    const shown = async () => (await service.visitor.get<{ Poll: object }>(`/polls/${widget.external_hash}`)).body.Poll
    expect(await shown()).toMatchObject({ closes_at: null })
    const closes_at = '2100-07-01 12:00:00'
    await http.put(`/poll/${poll}`, { Poll: { closes_at } })
    expect(await shown()).toMatchObject({ closes_at })
  })

  it('shows the newest poll for the widget, with the header for its answers', async () => {
    const { http, pollId, widget } = await officeWithWidget()
    const other = await newWidget(http)
    await publishPoll(http, { name: 'For all' })
    const poll = await publishPoll(http, { name: 'For one', chat_widget_id: widget.id })
    const nameAt = async (hash: string) => {
      const { body, headers } = await service.visitor.get<{ Poll: { id: string; name: string; blocks: object[] } }>(`/polls/${hash}`)
      expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual(['https://shop.example', 'max-age=60'])
      return body.Poll
    }
    expect((await nameAt(other.external_hash)).name).toBe('For all')
    const { id, name, blocks: shown } = await nameAt(widget.external_hash)
    expect([id, name, shown]).toEqual([String(poll), 'For one', [{ type: 'header', data: { poll_id: pollId } }, ...blocks]])
  })

  it('is the same 404 for an unknown widget and for one without a poll', async () => {
    const { widget } = await officeWithWidget()
    for (const hash of [unknown, 'x', '%00', widget.external_hash]) {
      const { status, text } = await service.visitor.get(`/polls/${hash}`)
      expect([status, text]).toEqual([404, notFound])
    }
  })
})
