import type { MessageToCompose } from '../../src/composition/message-composer.js'

/** A message from Anna to Jan. */
export const messageToCompose = (fields: Partial<MessageToCompose> = {}): MessageToCompose => ({
  ...{
    customerId: 7n,
    messageId: 'a.b@office.example',
    date: new Date(),
    inReplyTo: null,
    references: [],
    from: { name: 'Anna', address: 'anna@office.example' },
  },
  ...{
    replyTo: '',
    to: [{ name: 'Jan', address: 'jan@client.example' }],
    cc: [],
    subject: 'A subject',
    html: '<p>Hello</p>',
    signature: '',
  },
  ...{ priority: 3, requestReadReceipt: false, attachments: [], ...fields },
})
