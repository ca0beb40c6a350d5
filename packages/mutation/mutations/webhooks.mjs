import { of } from './of.mjs'

const partner = (name) => `services/partner/test/${name}.test.ts`

/** Webhooks, and what they send. */
export default [
  ...of('services/partner/src/webhooks/webhook-url.ts', partner('webhooks.api'), [
    ["if (protocol !== 'https:') return 'must begin with https://'", '', 'refuses'],
    ["if (username || password) return 'must not carry a user name or a password'", '', 'refuses'],
    ['!isPublicAddress(address)', 'false', 'refuses'],
  ]),
  ...of('services/partner/src/webhooks/webhook.repository.ts', partner('webhooks.api'), [
    [
      "await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhooks', ${customerId}))`",
      '',
      'refuses the 21st webhook of an office, also under concurrency',
    ],
    [
      'data: changes })\n        // A separate statement, because an update that changes `failures` does not increment the version.\n        if (isAnew)',
      'data: isAnew ? { ...changes, ...healthy } : changes })\n        if (false)',
      'further failures do not invalidate the entity tag of a failing webhook',
      partner('repairs'),
    ],
    ['until > new Date() ? [secret, previousSecret]', 'until > new Date() ? [secret]', 'both sign for a day'],
  ]),
  ...of('services/partner/src/webhooks/http-webhook-sender.client.ts', partner('webhooks.api'), [
    ["error: ok ? null : 'status'", 'error: null', 'tries once, and answers with the outcome'],
  ]),
  ...of('services/partner/src/webhook-deliveries/delivery-queue.repository.ts', partner('retries'), [
    ['AND earlier.id < delivery.id AND earlier.next_try > now())', 'AND false)', 'delays later events of its record, and no others'],
    [
      'event.type]\n',
      "event.type, 'group.updated']\n",
      'events of a batch are sent to the subscribed webhooks of their offices, and to no others',
      partner('webhook-events'),
    ],
    [
      'events[Number(nth) - 1]',
      'events[Number(nth)]',
      'events of a batch are sent to the right webhooks, and those without a type are skipped',
      partner('webhook-events'),
    ],
    [
      'ORDER BY event.nth FOR KEY SHARE OF webhook\n',
      'ORDER BY event.nth DESC FOR KEY SHARE OF webhook\n',
      'events of a batch are sent to the right webhooks, and those without a type are skipped',
      partner('webhook-events'),
    ],
    [
      'ORDER BY event.nth FOR KEY SHARE OF webhook\n',
      'ORDER BY event.nth\n',
      'is sent to the other webhooks when one is deleted while it is stored',
      partner('sending'),
    ],
    [
      '(isAsTried ? pauseAfter(delivery.tries + 1) : 0)',
      'pauseAfter(delivery.tries + 1)',
      'does not count for a new address, to which its deliveries are sent at once',
      partner('repairs'),
    ],
    ["WHEN tried.again > before.expires THEN 'failed'", "WHEN false THEN 'failed'", 'has failed after 24 hours'],
  ]),
  ...of('services/partner/src/webhook-deliveries/sending.service.ts', partner('retries'), [
    ['if (outcome.error !== null) return', '', 'gets each event at least once, and those of one record in order', partner('order')],
    [
      'if (webhook.pausedUntil && (await queue.isAhead(customerId, webhook.pausedUntil)))',
      'if (false && webhook.pausedUntil)',
      'sends nothing during its pause, also of earlier deliveries',
    ],
  ]),
  ...of('services/partner/src/webhook-deliveries/webhook-event.consumer.ts', partner('webhook-events'), [
    ['resumed || revision === 1n', 'revision === 1n', 'client.created'],
  ]),
  ...of('services/partner/src/webhook-deliveries/pauses.ts', partner('retries'), [
    ['failingSince === null || isQuiet', 'failingSince === null', 'after a day without a try'],
    ['last !== null && Number(now) - Number(last) > 24 * hour', 'true', 'is switched off after three days'],
  ]),
  ...of('services/partner/src/webhook-deliveries/webhook-health.repository.ts', partner('retries'), [
    ['if (Number(now) - Number(failingSince) > failingForMs)', 'if (false)', 'is switched off after three days'],
    [
      'AND (failing_since, last_error) IS DISTINCT FROM (${failingSince}::timestamptz, ${lastError}::text)',
      '',
      'further failures do not invalidate the entity tag of a failing webhook',
      partner('repairs'),
    ],
    ['return row?.version === version', 'return true', 'does not pause a webhook for which a replay was requested', partner('repairs')],
  ]),
]
