import { of } from './of.mjs'

const rules = 'services/cases-and-counters/src/issues/issue.test.ts'
const counting = 'services/cases-and-counters/src/counters/issue-counter.test.ts'
const notices = 'services/cases-and-counters/test/notification.repository.test.ts'
const ofClientSentences = 'services/cases-and-counters/test/client-sentences.api.test.ts'
const issues = 'services/cases-and-counters/test/issues.api.test.ts'
const meeting = 'services/cases-and-counters/test/issue-references.race.test.ts'
const tagging = 'services/cases-and-counters/test/issue-tags.api.test.ts'
const ofMail = 'services/cases-and-counters/test/live-mail.api.test.ts'
const ofFeeds = 'services/cases-and-counters/test/feed.repository.test.ts'
const reportPages = 'services/cases-and-counters/test/report-pages.api.test.ts'
const persons = 'services/cases-and-counters/test/provider-persons.api.test.ts'
const contacts = 'services/cases-and-counters/test/contacts.api.test.ts'
const subjects = 'services/cases-and-counters/test/issue-subjects.api.test.ts'
const ofClients = 'services/cases-and-counters/test/client-issues.api.test.ts'
const counters = 'services/cases-and-counters/test/counters.api.test.ts'
const statement = 'services/cases-and-counters/test/counter.repository.test.ts'
const named = 'the statement names the office, though row-level security stands behind it'
const exact = 'services/cases-and-counters/test/counters.exact.test.ts'
const feed = 'services/cases-and-counters/src/feed/feed.test.ts'
const tickets = 'services/cases-and-counters/test/event-tickets.api.test.ts'
const grouped = 'services/cases-and-counters/test/issue-groups.api.test.ts'
const live = 'services/cases-and-counters/test/live.api.test.ts'
const withoutAuth = 'services/cases-and-counters/test/people-without-auth.test.ts'
const told = 'services/cases-and-counters/test/events.test.ts'
const untold = 'a PUT that changes nothing is told by no event'

/** Cases, their counters, and who is notified of them. */
export default [
  ...of(
    'services/cases-and-counters/src/providers/provider-person.repository.ts',
    'services/cases-and-counters/test/contact-events.test.ts',
    [
      ['await outbox(tx, contactTopic, personEvent(created))', '', 'each change of a person is published'],
      ['await outbox(tx, contactTopic, personEvent(changed))', '', 'each change of a person is published'],
      [
        'await outbox(tx, contactTopic, deletedPersonEvent({ id, customerId: caller.customerId, version }))',
        '',
        'each change of a person is published',
      ],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/issue-initiators/case-party.repository.ts',
    'services/cases-and-counters/test/case-parties.test.ts',
    [
      ['OR initiator.user_client_id = ${client}', '', 'the client, the contact and the provider'],
      ['AND person.provider_id = issue.provider_id', '', 'the client, the contact and the provider'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/issue-initiators/issue-initiator.repository.ts',
    'services/cases-and-counters/test/client-cards.test.ts',
    [
      ['return cards.length', 'return stale.length', 'as often as it is asked'],
      ['const where = { customerId, userClientId }', 'const where = { customerId }', 'leaves the cards of other clients'],
      ['card[field] !== value', 'card[field] === value', 'changes what is sent of every card'],
    ],
  ),
  ...of('services/cases-and-counters/src/issues/issue.ts', rules, [
    ["closed: ['open'],", "closed: ['open', 'new'],", 'from'],
    ["unaccepted: ['open', 'rejected', 'unaccepted', 'new']", "unaccepted: ['open', 'rejected', 'unaccepted', 'new', 'closed']", 'from'],
    [
      "issue.status === 'unaccepted' && status === 'rejected' && issue.userId !== caller.userId",
      'false',
      'only the owner rejects what was given to them',
    ],
    ['if (repeated && Object.keys(change).length === 1) throw issueState()', '', 'the status that a case already has is refused'],
    ['if (issue.delegatedUserId !== null && !mayTakeBack) throw forbidden()', '', 'nobody else does'],
    [
      "closedAt: status === 'closed' ? (issue.closedAt ?? now) : null",
      "closedAt: status === 'closed' ? now : null",
      'keeps the time while other fields change',
    ],
    ["return owner === caller.userId ? 'open' : 'unaccepted'", "return 'open'", 'waits for their acceptance'],
    [
      "activeStatuses: readonly Status[] = ['new', 'unaccepted', 'open']",
      "activeStatuses: readonly Status[] = ['new', 'unaccepted', 'open', 'pending']",
      'nowhere while pending',
      counting,
    ],
  ]),
  ...of('services/cases-and-counters/src/issues/group-release.job.ts', grouped, [
    ['left === chunk; )', 'left === chunk; left = 0)', 'its cases have none'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', grouped, [
    ['apply(tx, { customerId, userId: null }', 'apply(tx, { customerId, userId: 1n }', 'its cases have none'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', 'services/cases-and-counters/test/payment-offers.api.test.ts', [
    ['if (locked.length === 0) throw notFound()', '', 'whose case is deleted while they choose'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', 'services/cases-and-counters/test/offer-choices.api.test.ts', [
    [' AND coalesce(user_client_id, ${client.userId}) = ${client.userId}', '', 'refused to the former client of a case'],
  ]),
  ...of('services/cases-and-counters/src/issues/named-issue.ts', 'services/cases-and-counters/test/issue-deletion.race.test.ts', [
    ["throw error instanceof AppError && error.kind === 'not-found' ? noSuchRecord('issue_id') : error", 'throw error', 'names the field'],
  ]),
  ...of('services/cases-and-counters/src/counters/issue-counter.ts', counting, [
    ["if (status === 'unaccepted') keys.push", 'keys.push', 'as its owner’s'],
    ['...count(before, -1), ...count(after, 1)', '...count(before, 1), ...count(after, 1)', 'of a removed one the opposite'],
  ]),
  ...of('services/cases-and-counters/src/counters/issue-counter.repository.ts', exact, [
    [', publish(customerId, concerned(missing))', '', 'brings counters that a recount has put right', live],
    ['add({ customerId, values: missing }), ', '', 'are put right by a recount'],
  ]),
  ...of('services/cases-and-counters/src/counters/counter.repository.ts', counters, [
    [".where('customer_id', '=', param(customer))\n    .where('value', '<>', 0)", ".where('value', '<>', 0)", named, statement],
    [".where('customer_id', '=', param(customer))\n    .where('removed', '=', false)", ".where('removed', '=', false)", named, statement],
    ["[eb('counter', '=', 'owned')]", '[]', 'counts for a group'],
  ]),
  ...of('services/cases-and-counters/src/counters/counter.routes.ts', counters, [
    ['maxGroup = 500', 'maxGroup = 499', 'takes five hundred ids'],
  ]),
  ...of('services/cases-and-counters/src/counters/folder-rights.ts', counters, [
    ['return await hasRight(person, right)', 'return true', 'is not of folders that the caller may not read'],
    ['  others: personalRight,\n', '', 'is not of a mailbox of their own that the caller may not read'],
    ['  custom: personalRight,\n', '', 'is not of a mailbox of their own that the caller may not read'],
    ['if (error instanceof AppError) return true', '', 'while auth is away, counters show', withoutAuth],
  ]),
  ...of('services/cases-and-counters/src/wiring.ts', withoutAuth, [
    ['rememberedRights(lastKnownRights(auth.rightsOf))', 'hasRight', 'counters go by the rights that were known last'],
  ]),
  ...of('packages/kit/src/rights/index.ts', 'packages/kit/src/rights/rights.test.ts', [
    ['known.set(person, rights)', '', 'are answered while nobody knows more'],
    ['if (!last) throw error', 'if (!last) return []', 'are answered while nobody knows more'],
  ]),
  ...of('services/cases-and-counters/src/counters/mail-folder-count.repository.ts', counters, [
    [
      "['customer_id', 'user_id', 'folder', 'folder_id'])",
      "['customer_id', 'user_id', 'folder', 'folder_id']).then(() => 0)",
      'brings new mail counts',
      live,
    ],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', meeting, [
    ['await named.keep(tx, caller, issue)', '', 'first: the deletion waits for it'],
    ['await named.keep(tx, caller, written ?? {})', '', 'first: the deletion waits for it'],
  ]),
  ...of('services/cases-and-counters/src/issue-subjects/issue-subject.repository.ts', subjects, [
    ['throw issueSubjectInUse()', 'void issueSubjectInUse', 'stays as long as a case has it'],
  ]),
  ...of('services/cases-and-counters/src/issue-subjects/issue-subject-label.repository.ts', subjects, [
    ['await subjects.keep(tx, caller, label)', '', 'refuses a subject of another office'],
  ]),
  ...of('services/cases-and-counters/src/issue-initiators/issue-initiator.repository.ts', contacts, [
    ['|| (await tx.providerPerson.findFirst(naming))', '', 'stays as long as a case or a person of a provider names it'],
  ]),
  ...of('services/cases-and-counters/src/issue-initiators/issue-initiator.service.ts', contacts, [
    ['await checkClient(caller, changes, id)', '', 'may be the card of a client of the office, and of no other'],
  ]),
  ...of('services/cases-and-counters/src/providers/provider.repository.ts', contacts, [
    ['(await tx.issue.findFirst(naming)) || ', '', 'stays as long as a case or a person of a provider names it'],
  ]),
  ...of('services/cases-and-counters/src/providers/provider-person.repository.ts', persons, [
    ["'provider_persons_customer_id_lower_email_key'", "'another_key'", 'is used once in an office, in whatever letters'],
    ['await named.keep(tx, caller, person)', '', 'refuses a provider that is missing, unknown or of another office'],
    ['await named.keep(tx, caller, changes)', '', 'change what is sent, and remove'],
  ]),
  ...of('services/cases-and-counters/src/issues/opened-issue.repository.ts', issues, [
    [
      "doUpdateSet((eb) => ({ last: eb('issue_numbers.last', '+', 1) }))",
      "doUpdateSet((eb) => ({ last: eb('issue_numbers.last', '+', 2) }))",
      'numbers the cases of each office from 1 without a gap',
    ],
  ]),
  ...of('services/cases-and-counters/src/issues/client-issue.service.ts', ofClients, [
    ["if (issue.status !== 'new') throw issueState()", '', 'while the case is new, and nothing else'],
  ]),
  ...of('services/cases-and-counters/src/issue-tags/issue-tag.repository.ts', tagging, [
    ['WHERE false', '', 'is told nothing when nothing changes'],
    ['if (count > 0) await', 'await', 'is told nothing when nothing changes'],
    ['{\n        await tags.lock(tx, caller, id, expected)', '{', 'goes with its tag and with its case'],
    ['if (looksDifferent) await', 'await', 'is told nothing when nothing changes'],
    ['if (looksDifferent) await', 'if (!looksDifferent) await', 'shows every case of a tag that is renamed'],
    ['if (count > 0) await publish(caller, [issueId])', 'void count', 'shows a case when its tags change'],
  ]),
  ...of('services/cases-and-counters/src/feed/published-issues.repository.ts', ofFeeds, [
    ['issueIds.length > maxMissed ? [] : issueIds', 'issueIds', 'of more cases than a reader may miss'],
  ]),
  ...of('services/cases-and-counters/src/feed/published-mail.repository.ts', ofMail, [
    ["if (!(await once(tx, 'mail-on-streams', eventId))) return", '', 'comes once, however often its event comes'],
  ]),
  ...of('services/cases-and-counters/src/feed/feed-delivery.service.ts', ofMail, [
    ['|| countOf(mail) > maxMail', '', 'is more than a stream holds'],
    ['bytes > maxMailBytes ? undefined : events', 'events', 'is larger than a stream holds'],
    ['what.reset || !messages', 'what.reset', 'cannot show at this moment'],
  ]),
  ...of('services/cases-and-counters/src/feed/live-view.service.ts', ofMail, [
    ['if (error instanceof AppError) return undefined', '', 'holds nothing else back'],
  ]),
  ...of('services/cases-and-counters/src/feed/feed.ts', ofMail, [
    ['entry.mail !== undefined && isFor(userId, entry)', 'entry.mail !== undefined', 'that is one person’s is not asked for by others'],
    [' && !entry.mail && ', ' && ', 'shows the states of a message that is sent in their order'],
  ]),
  ...of('services/cases-and-counters/src/feed/feed.ts', feed, [
    ['entry.revision > revision', 'entry.revision >= revision', 'is what comes after'],
    ['BigInt(missed.length) === state.revision - revision ? missed : undefined', 'missed', 'cannot be told from'],
    ['of === feed && ', '', 'is nowhere in another feed'],
    [' || userIds.includes(noUser)', '', 'concerns the people that are named'],
  ]),
  ...of('services/cases-and-counters/src/feed/ticket.service.ts', tickets, [
    ['if (caller?.audience !== audience) throw tokenInvalid()', 'if (!caller) throw tokenInvalid()', 'is good on its own address'],
  ]),
  ...of('services/cases-and-counters/src/feed/ticket.repository.ts', tickets, [
    [' AND expires > now()', '', 'is good on its own address, for half a minute'],
  ]),
  ...of(
    'services/cases-and-counters/src/notifications/notification.ts',
    'services/cases-and-counters/src/notifications/notification.test.ts',
    [
      ['isGivenAgain ? null : before?.userId', 'before?.userId', 'the owner who has to accept it again'],
      [" && before?.status !== 'unaccepted'", '', 'nobody who is still to accept it'],
    ],
  ),
  ...of('services/cases-and-counters/src/notifications/notification.repository.ts', notices, [
    ['ON CONFLICT DO NOTHING RETURNING', 'RETURNING', 'are given once, however often it is told'],
    [
      'if (before && !after) return',
      'if (false) return',
      'takes what is new of it with it',
      'services/cases-and-counters/test/notifications.api.test.ts',
    ],
  ]),
  ...of('services/cases-and-counters/src/issue-sentences/issue-sentence-follower.repository.ts', ofClientSentences, [
    [" AND status = 'sent'`", '`', 'goes with the case to another client, and a draft with it to nobody'],
  ]),
  ...of('services/cases-and-counters/src/issue-sentences/waiting.ts', ofClientSentences, [
    ['waitingSince: waitingSince && first', 'waitingSince', 'goes on from the next question when the first is removed'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.service.ts', ofClientSentences, [
    ['...waitingOf(state)', '', 'ends with the case, and begins with the next question'],
    ['differing(issue, { ...changes, ...state, ...waitingOf(state) })', '{ ...changes, ...state, ...waitingOf(state) }', untold, told],
  ]),
  ...of('services/cases-and-counters/src/issues/client-issue.service.ts', told, [['differing(issue, changes)', 'changes', untold]]),
  ...of('services/cases-and-counters/src/payment-offers/payment-offer.repository.ts', told, [
    ['if (!data) return undefined', 'if (!data) return nothing', 'a PUT that changes nothing is none'],
    ['if (offer.isChosen) return undefined', 'if (offer.isChosen) return nothing', 'a PUT that changes nothing is none'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.ts', ofClientSentences, [
    ["=> status === 'closed' || ", '=> ', 'refuses a case that is closed'],
    [" || status === 'rejected'", '', 'ends with a case that is rejected'],
  ]),
  ...of('services/cases-and-counters/src/comments/comment.ts', 'services/cases-and-counters/test/comments.api.test.ts', [
    ['comment.userId === userId || ', '', 'are for one’s own, and for experts for all'],
  ]),
  ...of('services/cases-and-counters/src/comments/comment.repository.ts', 'services/cases-and-counters/test/comments.race.test.ts', [
    [' FOR KEY SHARE', '', 'the deletion first: the comment waits for it and is refused'],
  ]),
  ...of('services/cases-and-counters/src/comments/comment.repository.ts', 'services/cases-and-counters/test/comments.api.test.ts', [
    [' AND person.id <> ${fromUserId}', '', 'and not the one who writes'],
    ["if (!row) throw noSuchRecord('issue_id')", '', 'refuses a case, or a group, that the office does not have'],
  ]),
  ...of('services/cases-and-counters/src/comments/comment.repository.ts', 'services/cases-and-counters/test/linkable-objects.test.ts', [
    ["await outbox(tx, removedObjectTopic, { customerId, objectName: 'Comment', objectIds: [id] })", '', 'is told, where it is a comment'],
  ]),
  ...of(
    'services/cases-and-counters/src/issue-sentences/issue-sentence.ts',
    'services/cases-and-counters/src/issue-sentences/issue-sentence.test.ts',
    [["isReview && reply.status === 'rejected'", 'false', 'finds what another one has rejected reviewed']],
  ),
  ...of('services/cases-and-counters/src/issue-sentences/issue-sentence.ts', 'services/cases-and-counters/test/linkable-objects.test.ts', [
    ["(status === 'draft' || status === 'rejected')", 'true', 'by its author until it is under review'],
  ]),
  ...of(
    'services/cases-and-counters/src/issue-sentences/linkable-sentences.service.ts',
    'services/cases-and-counters/test/linkable-objects.test.ts',
    [
      ['if (sentence.userClientId !== linker.userId) throw notFound()', '', 'to what a client has said, by the client'],
      ["sentence.speaker !== 'initiator' || ", 'false && ', 'by its author until it is under review'],
    ],
  ),
  ...of('services/cases-and-counters/src/files/file-copy.repository.ts', 'services/cases-and-counters/test/sentence-files.api.test.ts', [
    ['revisions.get(id) === revision', 'true', 'are those of the newest event'],
    ["?? 'failed'", "?? 'ok'", 'have the result of their scan'],
    [
      'UPDATE common_files SET deleted = true WHERE',
      'UPDATE common_files SET deleted = deleted WHERE',
      'after a gap has what the snapshot has',
    ],
    ['await tx.commonFileObject.deleteMany({ where: { commonFileId, id: { notIn: links.map(({ id }) => id) } } })', '', 'newest event'],
  ]),
  ...of(
    'services/cases-and-counters/src/files/attached-file.repository.ts',
    'services/cases-and-counters/test/sentence-files.api.test.ts',
    [
      ['AND NOT file.deleted', '', 'after a gap has what the snapshot has'],
      ['WHERE link.object_name = ${sql.lit(objectName)} AND', 'WHERE', 'are of each sentence its own'],
      ['ORDER BY link.id', 'ORDER BY link.id DESC', 'are of each sentence its own'],
    ],
  ),
  ...of('services/cases-and-counters/src/issues/linkable-issues.service.ts', 'services/cases-and-counters/test/linkable-objects.test.ts', [
    ["if (role === 'client') throw notFound()", '', 'to a case, by every employee and no client'],
  ]),
  ...of('services/cases-and-counters/src/work-times/interval.ts', 'services/cases-and-counters/src/work-times/interval.test.ts', [
    ['if (before && isSame(times, before)) return {}', '', 'an interval that was stopped at once may be sent back'],
    ['started > now', 'false', 'of the future'],
    ["if (ended === null) return before?.ended !== null && { ended: 'is required' }", 'if (ended === null) return false', 'without an end'],
    ['started: wholeSeconds(sent.started)', 'started: sent.started', 'an interval has whole seconds'],
    ['hours(longestTimerHours)', 'Infinity', 'may have started earlier, but not before a timer ends by itself'],
    ['ended <= started', 'ended < started', 'that ends when it starts'],
  ]),
  ...of('services/cases-and-counters/src/work-times/work-time.repository.ts', 'services/cases-and-counters/test/work-times.api.test.ts', [
    ['if (workTime.userId !== caller.userId) throw forbidden()', '', 'refuse those of a colleague'],
    ["throw violates(error, 'work_times_no_overlap') ? await refusal() : error", 'throw error', 'of 50 at once lets one win'],
    ['running ? timerRunning() : overlap()', 'running && timerRunning()', 'does not start before what was entered has ended'],
    [
      "least(date_trunc('second', now()), started + ${longest}::interval)",
      "date_trunc('second', now())",
      'stopped later ends there as well',
    ],
    ['if (!stopped) throw noTimer()', '', 'and a second stop'],
    ['AND started <= now() - ${longest}::interval', '', 'that nobody stops ends after twelve hours'],
    ['forgotten = forgotten AND ended = ${ended}', 'forgotten = forgotten', 'until its end is corrected'],
  ]),
  ...of(
    'services/cases-and-counters/src/payment-offers/payment-offer.ts',
    'services/cases-and-counters/src/payment-offers/payment-offer.test.ts',
    [
      ['offer.isChosen && sameTerms', 'offer.isChosen', 'is no longer chosen with'],
      ["if (isChosen === false) throw invalid({ is_chosen: 'must be 1' })", '', 'a choice is not taken back'],
      [
        "if (named !== undefined && named !== client) throw invalid({ user_client_id: 'is not the client of the case' })",
        '',
        'nobody else',
      ],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/payment-offers/payment-offer.repository.ts',
    'services/cases-and-counters/test/offer-choices.api.test.ts',
    [
      ['if (offer.isChosen) return undefined', '', 'and notifies owner and delegate once'],
      ['requireVersion(offer, expected)', '', 'with an old version is refused'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/payment-offers/client-payment-offer.service.ts',
    'services/cases-and-counters/test/offer-choices.api.test.ts',
    [['else requireVersion(offer, expected)', '', 'with an old version is refused']],
  ),
  ...of('services/cases-and-counters/src/reports/reply-fact.ts', 'services/cases-and-counters/src/reports/reply-fact.test.ts', [
    ['return before?.rejected ? undefined : { ...nothing, rejected: 1 }', 'return { ...nothing, rejected: 1 }', 'as rejected once'],
    ["before?.status === 'to_review' && after.reviewedBy !== author", "before?.status === 'to_review'", 'where the author has approved it'],
    ['author === owner ? id : null', 'id', 'whose case is somebody else’s'],
  ]),
  ...of('services/cases-and-counters/src/reports/report.repository.ts', 'services/cases-and-counters/test/reports.api.test.ts', [
    ['(now() AT TIME ZONE ${zone})::date', 'now()::date', 'counts by the days of the office'],
    ['least(coalesce(ended, now()), ${until})', 'coalesce(ended, now())', 'count by the part that is within the days'],
  ]),
  ...of('services/cases-and-counters/src/reports/report.service.ts', 'services/cases-and-counters/test/reports.api.test.ts', [
    ['if (userId !== caller.userId && !(await hasRight(caller, everybodysRight))) throw forbidden()', '', 'people see themselves'],
  ]),
  ...of('services/cases-and-counters/src/issues/client-issue.resource.ts', 'services/cases-and-counters/test/issue-search.api.test.ts', [
    [", labels: 'BD'", '', 'no contact, no reply that waits for its review'],
  ]),
  ...of('packages/kit/src/database/resources/search-statements.ts', 'services/cases-and-counters/test/issue-search.plan.test.ts', [
    ['all.limit(param.lookedAt as never)', 'all', 'of a word that few have, the newest cases, and what the index finds'],
    ['.where(more)', '', 'of such a list nothing by the index, though the page is not full'],
    ['300 + 4 * limit', '600 + 4 * limit', 'of a word that few have, the newest cases, and what the index finds'],
    ['cursor?.id ?? null', 'null', 'of a word that some old cases have, page by page, what the index finds'],
    ['isOfficeWhole && isUnconditional', 'isOfficeWhole', 'of such a word with a filter, the rows of the list'],
  ]),
  ...of('services/cases-and-counters/src/issues/board.repository.ts', 'services/cases-and-counters/test/issue-board.api.test.ts', [
    [
      'ORDER BY user_client_id, issue_initiators.id DESC',
      'ORDER BY user_client_id, issue_initiators.id',
      'shows client, owner, tags and last sentence',
    ],
    [
      'WHERE user_client_id = ${userId} AND issue_id = issue.id ORDER BY said DESC, id DESC',
      'WHERE user_client_id = ${userId} AND issue_id = issue.id ORDER BY id DESC',
      'a reply is the last sentence once it is sent',
    ],
  ]),
  ...of('services/cases-and-counters/src/reports/margin.repository.ts', 'services/cases-and-counters/test/margins.api.test.ts', [
    ['nullif(spent, 0)', 'spent', 'has no figure where nothing is chosen, planned or worked'],
    ['coalesce(nullif(man_hours, 0), work_time)', 'man_hours', 'plans by the working time'],
    ['AND is_chosen', '', 'has no figure where nothing is chosen, planned or worked'],
  ]),
  ...of('services/cases-and-counters/src/reports/day-start.repository.ts', 'services/cases-and-counters/test/margins.api.test.ts', [
    [
      "((${day} - interval '1 second') AT TIME ZONE ${zone} + interval '1 second')",
      '(${day} AT TIME ZONE ${zone})',
      'begins a day with the first of its two midnights',
    ],
  ]),
  ...of(
    'services/cases-and-counters/src/work-times/timers-of-leavers.repository.ts',
    'services/cases-and-counters/test/timers-of-leavers.test.ts',
    [['WHERE user_id = ANY (${userIds}) AND ended IS NULL', 'WHERE false', 'ends when they leave the office']],
  ),
  ...of('services/cases-and-counters/src/work-times/work-time.repository.ts', 'services/cases-and-counters/test/work-times.race.test.ts', [
    ['await named.keep(tx, caller, changes)', '', 'waits for it before it locks the work time'],
  ]),
  ...of('services/cases-and-counters/src/work-times/work-time.repository.ts', 'services/cases-and-counters/test/margins.api.test.ts', [
    ['await countDays(caller, [stopped.id])', '', 'counts a timer when it has stopped'],
  ]),
  ...of('services/cases-and-counters/src/poll-answers/poll-answer.repository.ts', 'services/cases-and-counters/test/poll-answers.test.ts', [
    ["if (!(await once(tx, 'poll-answers', eventId))) return", '', 'opens one case, however often its event comes'],
    ['waitingSince: submitted', 'waitingSince: null', 'which waits since they came'],
  ]),
  ...of('services/cases-and-counters/src/poll-answers/poll-case.ts', 'services/cases-and-counters/test/poll-answers.test.ts', [
    ["replace(notInParagraph, '')", "replace(/[^\\P{Cc}\\n\\t]/gu, '')", 'without characters that make a text look like another one'],
  ]),
  ...of('services/cases-and-counters/src/poll-answers/poll-answer.consumer.ts', 'services/cases-and-counters/test/poll-answers.test.ts', [
    ['if (answer.openCase) ', '', 'opens none where the widget does not ask for it'],
  ]),
  ...of(
    'services/cases-and-counters/src/issue-initiators/issue-initiator.repository.ts',
    'services/cases-and-counters/test/poll-answers.test.ts',
    [
      ['ORDER BY id LIMIT 1', 'ORDER BY id DESC LIMIT 1', 'names the card that the office has of the e-mail'],
      ['email_lower = lower(${contact.email})', 'email = lower(${contact.email})', 'names the card that the office has of the e-mail'],
    ],
  ),
  ...of('packages/kit/src/resource/page-by-id.ts', reportPages, [
    ['rows.length > limit ? items.at(-1) : undefined', 'items.at(-1)', 'after one that is just full'],
    ["valid('cursor', decodeCursor(sent.cursor, byId, idText))", 'undefined', 'names what else is wrong'],
  ]),
  ...of('services/cases-and-counters/src/reports/report.repository.ts', reportPages, [
    [' AND id > ${param(({ after }) => after ?? 0n)}', '', 'is a list in pages'],
  ]),
  ...of('services/cases-and-counters/src/reports/margin.repository.ts', reportPages, [
    ['issue_id > ${param(({ after }) => after ?? 0n)}', 'issue_id IS NOT NULL', 'is a list in pages'],
  ]),
]
