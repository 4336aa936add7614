/** Parts of a status as JSON, for statements that read statuses. */

/** What a card `c` shows: the preview of its page, which an account may have the author of. */
export const CARD_PREVIEW = `c.preview || coalesce(c.author, '{}')`;

/** The column `card`: the card of the status with this id, null when there is none to show. */
export function cardOf(statusId: string): string {
  return `(select json_build_object('url', c.url, 'preview', ${CARD_PREVIEW}) from status_cards k join cards c on c.id = k.card_id
    where k.status_id = ${statusId} and c.preview is not null)`;
}

/**
 * SQL: whether the counts of a remote poll `p` are not known to be from after its end: its server may have counted more. It is
 * asked for a week after that.
 */
export const WAS_OPEN = `coalesce(p.expires_at >= p.counts_as_of and p.fetched_at < p.expires_at + interval '7 days', true)`;
/** When the counts of a poll `p` may be fetched again, after they came or were asked for. */
export const OUTDATED_AT = `p.fetched_at + interval '1 minute'`;

/** The columns of a poll `p` as JSON; `voter` is an expression for the viewer's account id. */
export function pollColumns(voter: string): string {
  return `json_build_object('id', p.id::text, 'multiple', p.multiple, 'hideTotals', p.hide_totals,
     'nonAnonymous', p.non_anonymous, 'votersCount', p.voters_count, 'outdatedAt',
       case when ${WAS_OPEN} then ${OUTDATED_AT} end,
     'emojis', (select case when not s.local then s.emojis end from statuses s where s.id = p.status_id),
     'options', (select json_agg(json_build_object('title', o.title, 'votesCount', o.votes_count) order by o.position)
       from poll_options o where o.poll_id = p.id),
     'choices', (select v.choices from poll_votes v where v.poll_id = p.id and v.account_id = ${voter}))`;
}
