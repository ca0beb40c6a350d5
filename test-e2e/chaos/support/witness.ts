import { registry } from '@caseway/registry'
import { asOwner, rowsOf } from '../../support/databases.js'

const service = registry.casesAndCounters.name
const watched = ['issues', 'issue_sentences', 'comments', 'issue_payment_offers']

/**
 * Triggers that record each change of a row, with the case at that time, in the same transaction: the basis for recomputing what the service must
 * have sent and counted.
 */
const install = `
  CREATE SCHEMA witness;
  CREATE TABLE witness.changes (seq bigint GENERATED ALWAYS AS IDENTITY, relation text, before jsonb, after jsonb, issue jsonb);
  CREATE FUNCTION witness.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    earlier jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    later jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  BEGIN
    INSERT INTO witness.changes (relation, before, after, issue) SELECT TG_TABLE_NAME, earlier, later,
      (SELECT to_jsonb(issue) FROM public.issues issue WHERE id = (coalesce(later, earlier) ->> 'issue_id')::bigint);
    RETURN NULL;
  END $$;
  GRANT USAGE ON SCHEMA witness TO PUBLIC;
  GRANT EXECUTE ON FUNCTION witness.note() TO PUBLIC;
  ${watched.map((table) => `CREATE TRIGGER witness AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION witness.note();`).join('\n')}`

export const watch = (home: string) => asOwner(home, service, (owner) => owner.query(install))

/** Replies of employees that changed their status, one row per change. */
const replies = `
  SELECT seq, before ->> 'status' AS was, after ->> 'status' AS now, after, before, issue,
    (after ->> 'speaker_id')::bigint AS author, (after ->> 'reviewed_by')::bigint AS reviewer
  FROM witness.changes
  WHERE relation = 'issue_sentences' AND after ->> 'speaker' = 'expert' AND before ->> 'status' IS DISTINCT FROM after ->> 'status'`

const people = (...columns: string[]) =>
  `CROSS JOIN LATERAL (SELECT DISTINCT (issue ->> name)::bigint AS person FROM unnest(ARRAY[${columns.map((name) => `'${name}'`)}]) name) told`

/** The notifications that must exist: receiver, kind and object, except to the person who acted. */
const owed = `
  WITH replies AS (${replies}), owed (user_id, type, object, by) AS (
    SELECT (after ->> 'user_id')::bigint, 'issue_assigned', after, NULL::bigint FROM witness.changes
      WHERE relation = 'issues' AND after ->> 'status' = 'unaccepted' AND before ->> 'user_id' IS DISTINCT FROM after ->> 'user_id'
    UNION ALL SELECT (after ->> 'delegated_user_id')::bigint, 'issue_delegated', after, NULL FROM witness.changes
      WHERE relation = 'issues' AND before ->> 'delegated_user_id' IS DISTINCT FROM after ->> 'delegated_user_id'
    UNION ALL SELECT person, 'sentence_add', after, NULL FROM witness.changes ${people('user_id', 'delegated_user_id')}
      WHERE relation = 'issue_sentences' AND before IS NULL AND after ->> 'speaker' = 'initiator'
    UNION ALL SELECT person, 'reply_to_review', after, author FROM replies ${people('user_id', 'delegated_user_id', 'delegated_by')}
      WHERE now = 'to_review'
    UNION ALL SELECT author, 'reply_rejected', after, reviewer FROM replies WHERE now = 'rejected'
    UNION ALL SELECT author, 'reply_approved', after, reviewer FROM replies WHERE now = 'sent' AND was = 'to_review'
    UNION ALL SELECT person, 'sentence_add', after, author FROM replies ${people('user_id', 'delegated_user_id')}
      WHERE now = 'sent' AND person IS DISTINCT FROM reviewer
    UNION ALL SELECT person, 'comments_add', after, (after ->> 'user_id')::bigint FROM witness.changes ${people('user_id', 'delegated_user_id')}
      WHERE relation = 'comments' AND before IS NULL
    UNION ALL SELECT person, 'offer_chosen', after, NULL FROM witness.changes ${people('user_id', 'delegated_user_id')}
      WHERE relation = 'issue_payment_offers' AND after ->> 'is_chosen' = 'true' AND before ->> 'is_chosen' = 'false'
  ), expected AS (
    SELECT user_id, type, (object ->> 'id')::bigint AS object_id, (object ->> 'version')::int AS object_version FROM owed
    WHERE user_id IS NOT NULL AND user_id IS DISTINCT FROM by
  ), told AS (SELECT user_id, type, object_id, object_version FROM notifications)`

/** Missing notifications, and unexpected ones. */
export const wrongNotifications = (home: string) =>
  rowsOf(
    home,
    service,
    `${owed}, missing AS (TABLE expected EXCEPT ALL TABLE told), idle AS (TABLE told EXCEPT ALL TABLE expected)
     SELECT 'missing' AS wrong, * FROM missing UNION ALL SELECT 'idle', * FROM idle`,
  )

/** The number of recorded changes by kind. */
export async function figures(home: string): Promise<Record<string, number>> {
  const [found] = await rowsOf<Record<string, number>>(
    home,
    service,
    `SELECT (SELECT count(*)::int FROM notifications) AS notifications, (SELECT coalesce(sum(sentences), 0)::int FROM report_days) AS sentences,
       (SELECT coalesce(sum(approved + corrected + rejected), 0)::int FROM report_days) AS reviews,
       (SELECT count(*)::int FROM issue_sentences WHERE waiting_time IS NOT NULL) AS waits,
       (SELECT count(*)::int FROM issue_payment_offers WHERE is_chosen) AS choices`,
  )
  return found ?? {}
}

/** People whose reports differ from what they have sent and what was reviewed. */
export const wrongReports = (home: string) =>
  rowsOf(
    home,
    service,
    `WITH replies AS (${replies}), facts AS (
      SELECT author AS user_id, count(*) FILTER (WHERE now = 'sent') AS sentences,
        count(*) FILTER (WHERE now = 'sent' AND was = 'to_review' AND reviewer <> author AND after ->> 'corrected' = 'false') AS approved,
        count(*) FILTER (WHERE now = 'sent' AND was = 'to_review' AND reviewer <> author AND after ->> 'corrected' = 'true') AS corrected,
        count(DISTINCT after ->> 'id') FILTER (WHERE now = 'rejected') AS rejected,
        count(DISTINCT after ->> 'issue_id') FILTER (WHERE now = 'sent' AND (issue ->> 'user_id')::bigint = author) AS issues
      FROM replies GROUP BY author HAVING bool_or(now IN ('sent', 'rejected'))
    ), reported AS (
      SELECT user_id, sum(sentences) AS sentences, sum(approved) AS approved, sum(corrected) AS corrected, sum(rejected) AS rejected,
        (SELECT count(DISTINCT issue_id) FROM report_issues WHERE report_issues.user_id = report_days.user_id) AS issues
      FROM report_days GROUP BY user_id
    )
    SELECT 'missing' AS wrong, * FROM (TABLE facts EXCEPT TABLE reported) missing
    UNION ALL SELECT 'idle', * FROM (TABLE reported EXCEPT TABLE facts) idle`,
  )

/**
 * Cases whose waiting time does not begin with their first question after the last answer or closing, and answers with a wrong response time. A
 * removed question does not count.
 */
export const wrongWaits = (home: string) =>
  rowsOf(
    home,
    service,
    `WITH turns AS (
      SELECT seq, (after ->> 'issue_id')::bigint AS issue_id, CASE after ->> 'speaker' WHEN 'expert' THEN 'answer' ELSE 'question' END AS kind, after,
        (SELECT seq FROM witness.changes gone WHERE relation = 'issue_sentences' AND gone.after IS NULL AND gone.before -> 'id' = change.after -> 'id') AS gone
      FROM witness.changes change
      WHERE relation = 'issue_sentences' AND after ->> 'status' = 'sent' AND before ->> 'status' IS DISTINCT FROM 'sent'
      UNION ALL SELECT seq, (after ->> 'id')::bigint, 'closing', after, NULL FROM witness.changes
        WHERE relation = 'issues' AND after ->> 'status' IN ('closed', 'rejected')
    ), rounds AS (
      SELECT *, count(*) FILTER (WHERE kind <> 'question') OVER (PARTITION BY issue_id ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS round
      FROM turns
    ), moments AS (
      SELECT id AS issue_id, NULL::jsonb AS answer, NULL::bigint AS seq, (SELECT count(*) FROM turns WHERE issue_id = id AND kind <> 'question') AS round FROM issues
      UNION ALL SELECT issue_id, after, seq, round FROM rounds WHERE kind = 'answer'
    ), expected AS (
      SELECT issue_id, answer, (
        SELECT min((after ->> 'created')::timestamptz) FROM rounds question
        WHERE kind = 'question' AND question.issue_id = moment.issue_id AND question.round = moment.round AND (gone IS NULL OR gone > moment.seq)
      ) AS since FROM moments moment
    )
    SELECT 'case' AS wrong, id, waiting_since, since FROM issues JOIN expected ON issue_id = id AND answer IS NULL
      WHERE waiting_since IS DISTINCT FROM since
        OR (first_response_at IS NULL) <> NOT EXISTS (SELECT FROM turns WHERE kind = 'answer' AND turns.issue_id = id)
    UNION ALL
    SELECT 'answer', (answer ->> 'id')::bigint, (answer ->> 'waiting_since')::timestamptz, since FROM expected
      WHERE answer IS NOT NULL
        AND ((answer ->> 'waiting_since')::timestamptz IS DISTINCT FROM since OR (answer ->> 'waiting_time' IS NULL) <> (since IS NULL))`,
  )

/** Cases and comments of groups that auth does not have, and offers of which two are chosen. */
export async function strays(home: string): Promise<unknown[]> {
  const groups = (await rowsOf<{ id: string }>(home, 'auth', 'SELECT id FROM groups WHERE NOT deleted')).map(({ id }) => id)
  const gone = `group_id IS NOT NULL AND group_id <> ALL ('{${groups}}')`
  return rowsOf(
    home,
    service,
    `SELECT 'case' AS stray, id FROM issues WHERE ${gone} UNION ALL SELECT 'comment', id FROM comments WHERE ${gone}
     UNION ALL SELECT 'offers', issue_id FROM issue_payment_offers WHERE is_chosen GROUP BY issue_id HAVING count(*) > 1
     UNION ALL SELECT 'timers', user_id FROM work_times WHERE ended IS NULL GROUP BY user_id HAVING count(*) > 1`,
  )
}
