import { of } from './of.mjs'

const test = (name) => `services/polls-and-widgets/test/${name}.test.ts`
const rules = 'services/polls-and-widgets/src/blocks/answered.test.ts'
const [save, answered] = [test('save.api'), test('answered-polls.api')]
const [answers, counts] = [test('poll-answers.api'), test('answer-counts')]
const src = (path) => `services/polls-and-widgets/src/${path}`

/** What is stored is an answer to the poll, and results are a recount of it. */
export default [
  ...of(src('blocks/answered.ts'), rules, [
    ["(block.type === 'header') !== (index === 0)", 'false', 'no header'],
    ['filter(({ selected }) => selected).length > 1', 'filter(({ selected }) => selected).length > 2', 'two options of one'],
    ['value < from || value > to', 'value > to', 'what is not on the scale'],
    ['if (block.data.required && answersOf(block).length === 0)', 'if (false)', 'no text where one is required'],
    ["isRepeated(block.type) ? 'must not be another contact' : ", '', 'two contacts'],
  ]),
  ...of(src('polls/poll-blocks.ts'), src('polls/poll-blocks.test.ts'), [
    ['options.map(selected)', 'options', 'larger'],
    [': wrongContact(block)', ': undefined', 'a contact of somebody'],
  ]),
  ...of(src('poll-answers/answered-poll.ts'), answered, [
    ['question?.type !== block.type', '!question', 'is checked against the newest version of the poll, and all errors are named at once'],
    [
      "if (isRepeated(title)) return 'must not answer a question again'",
      '',
      'is checked against the newest version of the poll, and all errors are named at once',
    ],
    [
      'required: question.data.required',
      'required: answer.data.required',
      'must satisfy the rules of the poll, and not those in the answer',
    ],
    ['missing.length === 0', 'true', 'must satisfy the rules of the poll, and not those in the answer'],
    [
      "asksForContact ? undefined : 'is not asked for by the poll'",
      'undefined',
      'must satisfy the rules of the poll, and not those in the answer',
    ],
  ]),
  ...of(src('poll-answers/poll-answer.service.ts'), save, [
    [' || (widget.poll && isClosed(widget.poll))', '', 'is the 404 of an unknown widget after the poll has closed', answered],
    ['polls.find(header.hash, header.customerId)', 'polls.find(header.hash)', 'is the same 404 for an unknown widget'],
    ['wrongAnswer(blocks, () => undefined)', 'wrongAnswer(blocks)', 'need not satisfy the rules in the answer', answered],
    [
      'await limits.ofAddress.count(networks)',
      '',
      'are 30 a minute from one address over all copies, and count an IPv6 /64 and /48 as one address',
    ],
    ['await limits.ofWidget.count([String(widget.id)])', '', 'are 300 a minute for one widget'],
  ]),
  ...of(src('polls/published-poll.repository.ts'), test('public-widgets.api'), [
    ['isWidgetHash(hash) ?', 'hash ?', 'is the same 404 for every unknown or invalid hash'],
  ]),
  ...of(src('polls/public-poll.service.ts'), answered, [
    [' || isClosed(widget.poll)', '', 'is the 404 of an unknown widget after the poll has closed'],
  ]),
  ...of(src('poll-answers/answer-event.ts'), save, [['settingsOf(widget.settings).open_case === true', 'false', 'publishes the answer']]),
  ...of(src('poll-answers/poll-answer.repository.ts'), answered, [
    [
      "throw onViolation(error, 'poll_counts_poll_id_fkey', notFound())",
      'throw error',
      'the answer waits for the deletion, and is then 404',
    ],
    ['...counted, insertEvent(event)', 'insertEvent(event)', 'leave no answer without its poll'],
    ['await db.batch(caller, counts.counting(counted, -1))', '', 'does not count deleted answers', answers],
    ['answer.facts === null ?', 'true ?', 'is deleted with all of its counts', counts],
  ]),
  ...of(src('results/fact.ts'), counts, [
    [
      '.filter((place) => place > 0)',
      '',
      'is deleted with the counts that can be read from its blocks, where it was stored without its facts',
    ],
  ]),
  ...of(src('poll-answers/answer-header.ts'), save, [['[-_:/]', '[-_:]', 'accepts each separator, and upper and lower case in the hash']]),
  ...of(src('poll-answers/answer-retention.ts'), counts, [
    ["['poll_answers', 'poll_counts']", "['poll_answers']", 'answers expire with their day'],
    [' + longestDayMs', '', 'answers expire with their day'],
  ]),
  ...of(src('results/results.ts'), answers, [
    ['answers += counted(0, 0)', 'answers = counted(0, 0)', 'combines the versions of a poll'],
    ['(result.values.get(value) ?? 0) + ', '', 'combines the versions of a poll'],
  ]),
]
