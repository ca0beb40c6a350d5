import { of } from './of.mjs'

const rules = 'services/cases-and-counters/src/issues/issue.test.ts'
const counting = 'services/cases-and-counters/src/counters/issue-counter.test.ts'
const notices = 'services/cases-and-counters/test/live/notification.repository.test.ts'
const ofClientSentences = 'services/cases-and-counters/test/sentences/client-sentences.api.test.ts'
const issues = 'services/cases-and-counters/test/issues/issues.api.test.ts'
const meeting = 'services/cases-and-counters/test/issues/issue-references.race.test.ts'
const tagging = 'services/cases-and-counters/test/issues/issue-tags.api.test.ts'
const ofMail = 'services/cases-and-counters/test/live/live-mail.api.test.ts'
const ofFeeds = 'services/cases-and-counters/test/live/feed.repository.test.ts'
const reportPages = 'services/cases-and-counters/test/work-times/report-pages.api.test.ts'
const persons = 'services/cases-and-counters/test/people/provider-persons.api.test.ts'
const contacts = 'services/cases-and-counters/test/people/contacts.api.test.ts'
const subjects = 'services/cases-and-counters/test/issues/issue-subjects.api.test.ts'
const ofClients = 'services/cases-and-counters/test/issues/client-issues.api.test.ts'
const counters = 'services/cases-and-counters/test/counters/counters.api.test.ts'
const statement = 'services/cases-and-counters/test/counters/counter.repository.test.ts'
const named = 'the statement itself is limited to the office'
const exact = 'services/cases-and-counters/test/counters/counters.exact.test.ts'
const feed = 'services/cases-and-counters/src/feed/feed.test.ts'
const tickets = 'services/cases-and-counters/test/live/event-tickets.api.test.ts'
const grouped = 'services/cases-and-counters/test/issues/issue-groups.api.test.ts'
const live = 'services/cases-and-counters/test/live/live.api.test.ts'
const withoutAuth = 'services/cases-and-counters/test/people/people-without-auth.test.ts'
const told = 'services/cases-and-counters/test/events.test.ts'
const untold = 'a PUT that changes nothing publishes no event'

/** Cases, their counters, and who is notified of them. */
export default [
  ...of(
    'services/cases-and-counters/src/providers/provider-person.repository.ts',
    'services/cases-and-counters/test/people/contact-events.test.ts',
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
    'services/cases-and-counters/test/issues/case-parties.test.ts',
    [
      ['OR initiator.user_client_id = ${client}', '', 'the client, the contact and the provider'],
      ['AND person.provider_id = issue.provider_id', '', 'the client, the contact and the provider'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/issue-initiators/issue-initiator.repository.ts',
    'services/cases-and-counters/test/people/client-cards.test.ts',
    [
      ['return cards.length', 'return stale.length', 'changes the sent fields of all cards of the client'],
      [
        'const where = { customerId, userClientId }',
        'const where = { customerId }',
        'does not change the cards of other clients and of other offices',
      ],
      ['card[field] !== value', 'card[field] === value', 'changes the sent fields of all cards of the client'],
    ],
  ),
  ...of('services/cases-and-counters/src/issues/issue.ts', rules, [
    ["closed: ['open'],", "closed: ['open', 'new'],", 'from'],
    ["unaccepted: ['open', 'rejected', 'unaccepted', 'new']", "unaccepted: ['open', 'rejected', 'unaccepted', 'new', 'closed']", 'from'],
    [
      "issue.status === 'unaccepted' && status === 'rejected' && issue.userId !== caller.userId",
      'false',
      'only the owner rejects an unaccepted case',
    ],
    ['if (repeated && Object.keys(change).length === 1) throw issueState()', '', 'an unchanged status is refused if nothing else is sent'],
    ['if (issue.delegatedUserId !== null && !mayTakeBack) throw forbidden()', '', 'nobody else may'],
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
    [
      'released === chunk; )',
      'released === chunk; released = 0)',
      'its cases lose it: each gets a new version and an event without an author',
    ],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', grouped, [
    [
      'apply(tx, { customerId, userId: null }',
      'apply(tx, { customerId, userId: 1n }',
      'its cases lose it: each gets a new version and an event without an author',
    ],
  ]),
  ...of(
    'services/cases-and-counters/src/issues/issue.repository.ts',
    'services/cases-and-counters/test/offers/payment-offers.api.test.ts',
    [['if (locked.length === 0) throw notFound()', '', 'gets 404 if the case is deleted while they choose']],
  ),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', 'services/cases-and-counters/test/offers/offer-choices.api.test.ts', [
    [' AND coalesce(user_client_id, ${client.userId}) = ${client.userId}', '', 'refused to the former client of a case'],
  ]),
  ...of('services/cases-and-counters/src/issues/named-issue.ts', 'services/cases-and-counters/test/issues/issue-deletion.race.test.ts', [
    [
      "throw error instanceof AppError && error.kind === 'not-found' ? noSuchRecord('issue_id') : error",
      'throw error',
      'waits for it, and is refused with issue_id',
    ],
  ]),
  ...of('services/cases-and-counters/src/counters/issue-counter.ts', counting, [
    ["if (status === 'unaccepted') keys.push", 'keys.push', 'as its owner’s'],
    ['...count(before, -1), ...count(after, 1)', '...count(before, 1), ...count(after, 1)', 'of a new case adds to its counters'],
  ]),
  ...of('services/cases-and-counters/src/counters/issue-counter.repository.ts', exact, [
    ['publish(customerId, concerned(missing)),', '', 'sends counters that a recount has corrected', live],
    ['add({ customerId, values: missing }),', '', 'are corrected by a recount'],
  ]),
  ...of(
    'services/cases-and-counters/src/counters/issue-counter.repository.ts',
    'services/cases-and-counters/test/counters/counters.race.test.ts',
    [['before ? [lockNumbers(customerId), added] : [added]', '[added]', 'opened in one transaction wait for each other']],
  ),
  ...of('services/cases-and-counters/src/counters/counter.repository.ts', counters, [
    [".where('customer_id', '=', param(customer))\n    .where('value', '<>', 0)", ".where('value', '<>', 0)", named, statement],
    [".where('customer_id', '=', param(customer))\n    .where('removed', '=', false)", ".where('removed', '=', false)", named, statement],
    ["[eb('counter', '=', 'owned')]", '[]', 'counts for a group'],
  ]),
  ...of('services/cases-and-counters/src/counters/counter.routes.ts', counters, [
    ['maxGroup = 500', 'maxGroup = 499', 'accepts five hundred ids'],
  ]),
  ...of('services/cases-and-counters/src/counters/folder-rights.ts', counters, [
    ['return await hasRight(person, right)', 'return true', 'is 0 in folders that the caller may not read'],
    ['  others: personalRight,\n', '', 'is 0 in the personal mailbox and in custom folders without the right to them'],
    ['  custom: personalRight,\n', '', 'is 0 in the personal mailbox and in custom folders without the right to them'],
    [
      'if (error instanceof AppError) return true',
      '',
      'while auth is unavailable, counters show the unread messages of the office’s folders to people with unknown rights',
      withoutAuth,
    ],
  ]),
  ...of('services/cases-and-counters/src/counters/counters.wiring.ts', withoutAuth, [
    ['lastKnownRights(rightsOf)', 'rightsOf', 'while auth is unavailable, counters use the last known rights'],
  ]),
  ...of('services/cases-and-counters/src/counters/changed-rights.job.ts', 'services/cases-and-counters/test/live/live-rights.api.test.ts', [
    ['rememberedMs + 500', '0', 'changes the counts of mail folders on open streams, within five seconds'],
  ]),
  ...of('packages/kit/src/rights/index.ts', 'packages/kit/src/rights/rights.test.ts', [
    ['known.set(person, rights)', '', 'are returned while auth does not answer, and fetched once in four seconds'],
    ['if (!last) throw error', 'if (!last) return []', 'are returned while auth does not answer, and fetched once in four seconds'],
  ]),
  ...of('services/cases-and-counters/src/counters/mail-folder-count.repository.ts', counters, [
    [
      "['customer_id', 'user_id', 'folder', 'folder_id'])",
      "['customer_id', 'user_id', 'folder', 'folder_id']).then(() => 0)",
      'sends new mail counts to those who see the folder',
      live,
    ],
    [
      'forget: () => forgetRevisions(db, table),',
      'forget: async () => undefined,',
      'of folders of mail are those of its snapshot',
      'services/cases-and-counters/test/counters/folder-counts.test.ts',
    ],
    [
      'endForgotten: async () => keep(await db.query(platform, forgotten(undefined))),',
      '',
      'of folders of mail are those of its snapshot',
      'services/cases-and-counters/test/counters/folder-counts.test.ts',
    ],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.repository.ts', meeting, [
    ['await named.keep(tx, caller, issue)', '', 'first: the deletion waits for it'],
    ['await named.keep(tx, caller, written ?? {})', '', 'first: the deletion waits for it'],
  ]),
  ...of('services/cases-and-counters/src/issue-subjects/issue-subject.repository.ts', subjects, [
    ['throw issueSubjectInUse()', 'void issueSubjectInUse', 'cannot be deleted while a case refers to it'],
  ]),
  ...of('services/cases-and-counters/src/issue-subjects/issue-subject-label.repository.ts', subjects, [
    ['await subjects.keep(tx, caller, label)', '', 'refuses a subject of another office'],
  ]),
  ...of('services/cases-and-counters/src/issue-initiators/issue-initiator.repository.ts', contacts, [
    ['|| (await tx.providerPerson.findFirst(naming))', '', 'cannot be deleted while a case or a person of a provider refers to it'],
  ]),
  ...of('services/cases-and-counters/src/issue-initiators/issue-initiator.service.ts', contacts, [
    ['await checkClient(caller, changes, id)', '', 'may be the card of a client of the office only'],
  ]),
  ...of('services/cases-and-counters/src/providers/provider.repository.ts', contacts, [
    ['(await tx.issue.findFirst(naming)) || ', '', 'cannot be deleted while a case or a person of a provider refers to it'],
  ]),
  ...of('services/cases-and-counters/src/providers/provider-person.repository.ts', persons, [
    ["'provider_persons_customer_id_lower_email_key'", "'another_key'", 'is used once in an office'],
    ['await named.keep(tx, caller, person)', '', 'refuses a provider that is missing, unknown or of another office'],
    ['await named.keep(tx, caller, changes)', '', 'change what is sent'],
  ]),
  ...of('services/cases-and-counters/src/issues/opened-issue.repository.ts', issues, [
    [
      "doUpdateSet((eb) => ({ last: eb('issue_numbers.last', '+', 1) }))",
      "doUpdateSet((eb) => ({ last: eb('issue_numbers.last', '+', 2) }))",
      'numbers the cases of each office from 1 without gaps',
    ],
  ]),
  ...of('services/cases-and-counters/src/issues/client-issue.service.ts', ofClients, [
    ["if (issue.status !== 'new') throw issueState()", '', 'while the case is new'],
  ]),
  ...of('services/cases-and-counters/src/issue-tags/issue-tag.repository.ts', tagging, [
    ['WHERE false', '', 'sends nothing when nothing changes'],
    ['if (count > 0) await', 'await', 'sends nothing when nothing changes'],
    ['{\n        await tags.lock(tx, caller, id, expected)', '{', 'is deleted with its tag and with its case'],
    ['if (looksDifferent) await', 'await', 'sends nothing when nothing changes'],
    ['if (looksDifferent) await', 'if (!looksDifferent) await', 'sends every case of a tag that is renamed'],
    ['if (count > 0) await publish(caller, [issueId])', 'void count', 'sends a case when its tags change'],
  ]),
  ...of('services/cases-and-counters/src/feed/published-issues.repository.ts', ofFeeds, [
    ['issueIds.length > maxMissed ? [] : issueIds', 'issueIds', 'of more cases than a reader may miss'],
  ]),
  ...of('services/cases-and-counters/src/feed/published-mail.repository.ts', ofMail, [
    ['mail.filter((_, index) => isFirst[index])', 'mail', 'is sent once, however often its event is delivered'],
  ]),
  ...of('services/cases-and-counters/src/feed/feed-delivery.service.ts', ofMail, [
    ['|| countOf(mail) > maxMail', '', 'is more than a stream holds'],
    ['bytes > maxMailBytes ? undefined : events', 'events', 'is larger than a stream holds'],
    ['what.reset || !messages', 'what.reset', 'causes a reset while mail does not answer'],
  ]),
  ...of('services/cases-and-counters/src/feed/live-view.service.ts', ofMail, [
    ['if (error instanceof AppError) return undefined', '', 'causes a reset while mail does not answer'],
  ]),
  ...of('services/cases-and-counters/src/feed/feed.ts', ofMail, [
    ['entry.mail !== undefined && isFor(userId, entry)', 'entry.mail !== undefined', 'of one person is not requested for others'],
    [' && !entry.mail && ', ' && ', 'shows the states of a sent message in order'],
  ]),
  ...of('services/cases-and-counters/src/feed/feed.ts', feed, [
    ['entry.revision > revision', 'entry.revision >= revision', 'are those after the position'],
    ['BigInt(missed.length) === state.revision - revision ? missed : undefined', 'missed', 'cannot be told from'],
    ['of === feed && ', '', 'cannot be resumed in another feed'],
    [' || userIds.includes(noUser)', '', 'entries concern the people they name'],
  ]),
  ...of('services/cases-and-counters/src/feed/ticket.service.ts', tickets, [
    ['if (caller?.audience !== audience) throw tokenInvalid()', 'if (!caller) throw tokenInvalid()', 'is valid on its own address'],
  ]),
  ...of('services/cases-and-counters/src/feed/ticket.repository.ts', tickets, [
    [' AND expires > now()', '', 'is valid on its own address'],
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
    ['ON CONFLICT DO NOTHING RETURNING', 'RETURNING', 'the notices of a fact are inserted once'],
    [
      'if (before && !after) return',
      'if (false) return',
      'the new notifications of a deleted case become seen',
      'services/cases-and-counters/test/live/notifications.api.test.ts',
    ],
  ]),
  ...of('services/cases-and-counters/src/issue-sentences/issue-sentence-follower.repository.ts', ofClientSentences, [
    [" AND status = 'sent'`", '`', 'no sentence of a case that gets another client'],
  ]),
  ...of('services/cases-and-counters/src/issue-sentences/waiting.ts', ofClientSentences, [
    ['waitingSince: waitingSince && first', 'waitingSince', 'begins with the next question when the first is deleted'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.service.ts', ofClientSentences, [
    ['...waitingOf(state)', '', 'ends when the case is closed'],
    ['differing(issue, { ...changes, ...state, ...waitingOf(state) })', '{ ...changes, ...state, ...waitingOf(state) }', untold, told],
  ]),
  ...of('services/cases-and-counters/src/issues/client-issue.service.ts', told, [['differing(issue, changes)', 'changes', untold]]),
  ...of('services/cases-and-counters/src/payment-offers/payment-offer.repository.ts', told, [
    ['if (!data) return undefined', 'if (!data) return nothing', 'each change of an offer is published'],
    ['if (offer.isChosen) return undefined', 'if (offer.isChosen) return nothing', 'each change of an offer is published'],
  ]),
  ...of('services/cases-and-counters/src/issues/issue.ts', ofClientSentences, [
    ["=> status === 'closed' || ", '=> ', 'refuses a case that is closed'],
    [" || status === 'rejected'", '', 'ends with a case that is rejected'],
  ]),
  ...of('services/cases-and-counters/src/comments/comment.ts', 'services/cases-and-counters/test/sentences/comments.api.test.ts', [
    ['comment.userId === userId || ', '', 'are for the caller’s own'],
  ]),
  ...of(
    'services/cases-and-counters/src/comments/comment.repository.ts',
    'services/cases-and-counters/test/sentences/comments.race.test.ts',
    [[' FOR KEY SHARE', '', 'the deletion first: the comment waits for it and is refused']],
  ),
  ...of(
    'services/cases-and-counters/src/comments/comment.repository.ts',
    'services/cases-and-counters/test/sentences/comments.api.test.ts',
    [
      [' AND person.id <> ${fromUserId}', '', 'on a case notifies its owner and its delegate'],
      ["if (!row) throw noSuchRecord('issue_id')", '', 'refuses a case, or a group, that the office does not have'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/comments/comment.repository.ts',
    'services/cases-and-counters/test/issues/linkable-objects.test.ts',
    [
      [
        "await outbox(tx, removedObjectTopic, { customerId, objectName: 'Comment', objectIds: [id] })",
        '',
        'is published if it is a comment or a sentence',
      ],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/issue-sentences/issue-sentence.ts',
    'services/cases-and-counters/src/issue-sentences/issue-sentence.test.ts',
    [["isReview && reply.status === 'rejected'", 'false', 'is refused for a reply that another reviewer has rejected']],
  ),
  ...of(
    'services/cases-and-counters/src/issue-sentences/issue-sentence.ts',
    'services/cases-and-counters/test/issues/linkable-objects.test.ts',
    [["(status === 'draft' || status === 'rejected')", 'true', 'by its author until it is under review']],
  ),
  ...of(
    'services/cases-and-counters/src/issue-sentences/linkable-sentences.service.ts',
    'services/cases-and-counters/test/issues/linkable-objects.test.ts',
    [
      ['if (sentence.userClientId !== linker.userId) throw notFound()', '', 'to a client’s sentence'],
      ["sentence.speaker !== 'initiator' || ", 'false && ', 'by its author until it is under review'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/files/file-copy.repository.ts',
    'services/cases-and-counters/test/sentences/sentence-files.api.test.ts',
    [
      ['revisions.get(id) === revision', 'true', 'are those of the newest event'],
      ["?? 'failed'", "?? 'ok'", 'have the result of their scan'],
      [
        'UPDATE common_files SET deleted = true WHERE',
        'UPDATE common_files SET deleted = deleted WHERE',
        'is filled from the snapshot of files',
      ],
      ['await tx.commonFileObject.deleteMany({ where: { commonFileId, id: { notIn: links.map(({ id }) => id) } } })', '', 'newest event'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/files/attached-file.repository.ts',
    'services/cases-and-counters/test/sentences/sentence-files.api.test.ts',
    [
      ['AND NOT file.deleted', '', 'is filled from the snapshot of files'],
      ['WHERE link.object_name = ${sql.lit(objectName)} AND', 'WHERE', 'are those of each sentence'],
      ['ORDER BY link.id', 'ORDER BY link.id DESC', 'are those of each sentence'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/issues/linkable-issues.service.ts',
    'services/cases-and-counters/test/issues/linkable-objects.test.ts',
    [["if (role === 'client') throw notFound()", '', 'to a case, by every employee but no client']],
  ),
  ...of('services/cases-and-counters/src/work-times/interval.ts', 'services/cases-and-counters/src/work-times/interval.test.ts', [
    ['if (before && isSame(times, before)) return {}', '', 'an unchanged interval is accepted even if it ends when it starts'],
    ['started > now', 'false', 'of the future'],
    ["if (ended === null) return before?.ended !== null && { ended: 'is required' }", 'if (ended === null) return false', 'without an end'],
    ['started: wholeSeconds(sent.started)', 'started: sent.started', 'an interval has whole seconds'],
    ['hours(longestTimerHours)', 'Infinity', 'may have started earlier'],
    ['ended <= started', 'ended < started', 'that ends when it starts'],
  ]),
  ...of(
    'services/cases-and-counters/src/work-times/work-time.repository.ts',
    'services/cases-and-counters/test/work-times/work-times.api.test.ts',
    [
      ['if (workTime.userId !== caller.userId) throw forbidden()', '', 'refuse those of a colleague'],
      ["throw violates(error, 'work_times_no_overlap') ? await refusal() : error", 'throw error', 'accepts one of 50 concurrent requests'],
      ['running ? timerRunning() : overlap()', 'running && timerRunning()', 'does not start before an entered interval has ended'],
      [
        "least(date_trunc('second', now()), started + ${longest}::interval)",
        "date_trunc('second', now())",
        'a timer that is stopped after more than twelve hours ends after twelve hours as well',
      ],
      ['if (!stopped) throw noTimer()', '', 'runs once: another start is refused until the stop'],
      ['AND started <= now() - ${longest}::interval', '', 'that nobody stops ends after twelve hours'],
      ['forgotten = forgotten AND ended = ${ended}', 'forgotten = forgotten', 'until its end is corrected'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/payment-offers/payment-offer.ts',
    'services/cases-and-counters/src/payment-offers/payment-offer.test.ts',
    [
      ['offer.isChosen && sameTerms', 'offer.isChosen', 'is no longer chosen with'],
      ["if (isChosen === false) throw invalid({ is_chosen: 'must be 1' })", '', 'a choice cannot be undone'],
      [
        "named === undefined || named === userClientId ? undefined : { user_client_id: 'is not the client of the case' }",
        'undefined',
        'nobody else',
      ],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/payment-offers/payment-offer.repository.ts',
    'services/cases-and-counters/test/offers/offer-choices.api.test.ts',
    [
      ['if (offer.isChosen) return undefined', '', 'and notifies owner and delegate once'],
      ['requireVersion(offer, expected)', '', 'with an old version is refused'],
    ],
  ),
  ...of(
    'services/cases-and-counters/src/payment-offers/client-payment-offer.service.ts',
    'services/cases-and-counters/test/offers/offer-choices.api.test.ts',
    [['else requireVersion(offer, expected)', '', 'with an old version is refused']],
  ),
  ...of('services/cases-and-counters/src/reports/reply-fact.ts', 'services/cases-and-counters/src/reports/reply-fact.test.ts', [
    ['return before?.rejected ? undefined : { ...nothing, rejected: 1 }', 'return { ...nothing, rejected: 1 }', 'as rejected once'],
    ["before?.status === 'to_review' && after.reviewedBy !== author", "before?.status === 'to_review'", 'where the author has approved it'],
    ['author === owner ? id : null', 'id', 'in a colleague’s case'],
  ]),
  ...of('services/cases-and-counters/src/reports/report.repository.ts', 'services/cases-and-counters/test/work-times/reports.api.test.ts', [
    ['least(coalesce(ended, now()), ${until})', 'coalesce(ended, now())', 'count the part within the days'],
  ]),
  ...of('services/cases-and-counters/src/reports/report.service.ts', 'services/cases-and-counters/test/work-times/reports.api.test.ts', [
    ['if (userId !== caller.userId && !(await hasRight(caller, everybodysRight))) throw forbidden()', '', 'people see their own report'],
    ['until: dayEnd(period.to, zone)', 'until: dayStart(period.to, zone)', 'count the part within the days'],
  ]),
  ...of('services/cases-and-counters/src/reports/reports.wiring.ts', 'services/cases-and-counters/test/work-times/reports.api.test.ts', [
    ['dayAt(new Date(), await parts.timeZoneOf(fact.customerId))', "dayAt(new Date(), 'UTC')", 'counts by the days of the office'],
  ]),
  ...of(
    'services/cases-and-counters/src/issues/client-issue.resource.ts',
    'services/cases-and-counters/test/issues/issue-search.api.test.ts',
    [[", labels: 'BD'", '', 'no case by its contact']],
  ),
  ...of('packages/kit/src/database/resources/search-statements.ts', 'services/cases-and-counters/test/issues/issue-search.plan.test.ts', [
    ['all.limit(param.lookedAt as never)', 'all', 'for a rare word reads the newest cases'],
    ['.where(more)', '', 'with such filters does not use the index'],
    ['300 + 4 * limit', '600 + 4 * limit', 'for a rare word reads the newest cases'],
    ['cursor?.id ?? null', 'null', 'for a word of some old cases returns page by page those that the index finds'],
    ['isOfficeWhole && isUnconditional', 'isOfficeWhole', 'for such a word with a filter returns the filtered cases'],
  ]),
  ...of('services/cases-and-counters/src/issues/board.repository.ts', 'services/cases-and-counters/test/issues/issue-board.api.test.ts', [
    ['ORDER BY user_client_id, issue_initiators.id DESC', 'ORDER BY user_client_id, issue_initiators.id', 'embeds client, owner'],
    [
      'WHERE user_client_id = ${userId} AND issue_id = issue.id ORDER BY said DESC, id DESC',
      'WHERE user_client_id = ${userId} AND issue_id = issue.id ORDER BY id DESC',
      'a reply is the last sentence once it is sent',
    ],
  ]),
  ...of('services/cases-and-counters/src/reports/margin.repository.ts', 'services/cases-and-counters/test/work-times/margins.api.test.ts', [
    ['nullif(spent, 0)', 'spent', 'has null where nothing is chosen'],
    ['coalesce(nullif(man_hours, 0), work_time)', 'man_hours', 'takes the working time as planned if the offer has no man-hours'],
    ['AND is_chosen', '', 'has null where nothing is chosen'],
  ]),
  ...of('services/cases-and-counters/src/reports/worked-day.ts', 'services/cases-and-counters/src/reports/worked-day.test.ts', [
    ['if (to > from)', 'if (true)', 'work on'],
  ]),
  ...of(
    'services/cases-and-counters/src/work-times/timers-of-leavers.repository.ts',
    'services/cases-and-counters/test/work-times/timers-of-leavers.test.ts',
    [['WHERE user_id = ANY (${userIds}) AND ended IS NULL', 'WHERE false', 'the timer of a person ends when they are deactivated']],
  ),
  ...of(
    'services/cases-and-counters/src/work-times/work-time.repository.ts',
    'services/cases-and-counters/test/work-times/work-times.race.test.ts',
    [['await named.keep(tx, caller, changes)', '', 'waits for it before it locks the work time']],
  ),
  ...of(
    'services/cases-and-counters/src/work-times/work-time.repository.ts',
    'services/cases-and-counters/test/work-times/margins.api.test.ts',
    [['await countDays(caller, [stopped.id])', '', 'counts a timer once it has stopped']],
  ),
  ...of(
    'services/cases-and-counters/src/poll-answers/poll-answer.repository.ts',
    'services/cases-and-counters/test/issues/poll-answers.test.ts',
    [
      ["if (!(await once(tx, 'poll-answers', eventId))) return", '', 'opens one case, however often its event is delivered'],
      ['waitingSince: submitted', 'waitingSince: null', 'opens a case with a business card and the answers'],
    ],
  ),
  ...of('services/cases-and-counters/src/poll-answers/poll-case.ts', 'services/cases-and-counters/test/issues/poll-answers.test.ts', [
    ["replace(notInParagraph, '')", "replace(/[^\\P{Cc}\\n\\t]/gu, '')", 'opens a case without characters that disguise a text'],
  ]),
  ...of(
    'services/cases-and-counters/src/poll-answers/poll-answer.consumer.ts',
    'services/cases-and-counters/test/issues/poll-answers.test.ts',
    [['if (answer.openCase) ', '', 'opens none if the widget does not ask for one']],
  ),
  ...of(
    'services/cases-and-counters/src/issue-initiators/issue-initiator.repository.ts',
    'services/cases-and-counters/test/issues/poll-answers.test.ts',
    [
      ['ORDER BY id LIMIT 1', 'ORDER BY id DESC LIMIT 1', 'refers to an existing card with the address'],
      ['email_lower = lower(${contact.email})', 'email = lower(${contact.email})', 'refers to an existing card with the address'],
    ],
  ),
  ...of('packages/kit/src/resource/page-by-id.ts', reportPages, [
    ['rows.length > limit ? items.at(-1) : undefined', 'items.at(-1)', 'has no next page after a last page that is exactly full'],
    ['instanceof FieldError ? cursor :', 'instanceof FieldError ? 0n :', '", together with other invalid parameters'],
  ]),
  ...of('services/cases-and-counters/src/reports/report.repository.ts', reportPages, [
    [' AND id > ${param(({ after }) => after ?? 0n)}', '', 'is a list in pages'],
  ]),
  ...of('services/cases-and-counters/src/reports/margin.repository.ts', reportPages, [
    ['issue_id > ${param(({ after }) => after ?? 0n)}', 'issue_id IS NOT NULL', 'is a list in pages'],
  ]),
]
