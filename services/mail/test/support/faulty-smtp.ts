import type { Script } from './scripted-server.js'

/** The step at which a dialogue fails. `dot` is the answer to the end of the data, `content` its first line, `whole` its last. */
const smtpSteps = ['greeting', 'EHLO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'content', 'whole', 'dot', 'RSET', 'QUIT'] as const
export type SmtpStep = (typeof smtpSteps)[number]

/** How it fails: the connection is cut, there is no answer, the answer is 4xx or 5xx, or is no SMTP. */
const smtpFaults = {
  cut: null,
  hang: undefined,
  later: '451 4.3.0 later\r\n',
  never: '554 5.7.1 never\r\n',
  other: '* OK hello\r\n',
}
export type SmtpFault = keyof typeof smtpFaults

export const lastLine = 'the last line'

const usual: Readonly<Partial<Record<SmtpStep, string | null>>> = {
  ...{ EHLO: '250-hello\r\n250 AUTH PLAIN\r\n', STARTTLS: '502 what\r\n', AUTH: '235 welcome\r\n', MAIL: '250 ok\r\n', RCPT: '250 ok\r\n' },
  ...{ DATA: '354 go on\r\n', dot: '250 taken\r\n', RSET: '250 ok\r\n', QUIT: null },
}

/** A server that works up to one step. */
export function faultySmtp(step?: SmtpStep, fault: SmtpFault = 'cut'): Script {
  const inContent = new Set<object>()
  const only = {}
  const replyAt = (at: SmtpStep) => (at === step ? smtpFaults[fault] : usual[at])
  return {
    ...(step !== 'greeting' ? { greeting: '220 hello\r\n' } : fault === 'hang' ? {} : { greeting: smtpFaults[fault] }),
    answer(line, connection = only) {
      if (inContent.has(connection)) {
        if (line === '.') {
          inContent.delete(connection)
          return replyAt('dot')
        }
        return replyAt(line === lastLine ? 'whole' : 'content')
      }
      const verb = smtpSteps.find((one) => line.toUpperCase().startsWith(one)) ?? 'EHLO'
      if (verb === 'DATA' && step !== 'DATA') inContent.add(connection)
      return replyAt(verb)
    },
  }
}
