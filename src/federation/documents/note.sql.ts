import { isExpired } from '../../accounts/index.js';
import { attachmentsOf } from '../../media/index.js';
import { isNotRemoved, maySee, PUBLIC_OR_UNLISTED, sourceOf } from '../../statuses/index.js';
import { FORMER_BYTES, MOST_FORMER, MOST_LISTED_REPLIES } from '../render/note.js';

/** A reply that everybody may see. */
export const openReply = (reply: string): string => `${PUBLIC_OR_UNLISTED.sql(reply)} and ${maySee(reply, "''")}`;

/** SQL: a time within JSON, written as the driver writes others. */
const isoTime = (value: string): string => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Columns of `NoteSource`, for statements from {@link NOTE_TABLES}; `domain` is the placeholder of the domain of local handles. */
export function noteColumns(domain: string): string {
  return `s.uri, s.url, s.visibility, a.ap_id as author, s.content_html as "contentHtml", s.spoiler, s.sensitive, s.language,
    ${sourceOf('s')} as source,
     s.content_type as "contentType", s.created_at as "createdAt", s.edited_at as "editedAt", answered.uri as "inReplyTo",
       replied.ap_id as "replyToActor", groups.ap_id as group, c.uri as context,
     coalesce((
       select json_agg(json_build_object('apId', m.ap_id, 'silent', m.silent, 'handle', m.nickname || '@' || coalesce(m.domain, ${domain}))
                order by m.position)
       from (select people.*, mentions.position, mentions.silent from mentions
             join accounts people on people.id = mentions.account_id where mentions.status_id = s.id) m), '[]') as mentions,
     array(select t.name from status_hashtags st join hashtags t on t.id = st.hashtag_id
           where st.status_id = s.id order by t.name) as tags,
     coalesce(${attachmentsOf('s.id')}, '[]') as attachments, case when not s.quote_refused then s.quote_uri end as "quoteUri",
     case when not s.quote_refused then coalesce(quoted.url, s.quote_uri) end as "quoteUrl",
     case when quoted.author_id <> s.author_id then quotee.ap_id end as "quotedAuthor", s.quote_approval as "quoteApproval",
       s.quote_policy as "quotePolicy",
     (select json_build_object('multiple', p.multiple, 'hideTotals', p.hide_totals, 'votersCount', p.voters_count,
        'expiresAt', ${isoTime('p.expires_at')},
        'expired', coalesce(${isExpired('p')}, false),
        'options', (select json_agg(json_build_object('title', o.title, 'votesCount', o.votes_count) order by o.position)
                    from poll_options o where o.poll_id = p.id))
      from polls p where p.status_id = s.id) as poll,
     case when s.edited_at is not null and ${PUBLIC_OR_UNLISTED.sql('s')} then coalesce((
       select json_agg(json_build_object('contentHtml', e.content_html, 'spoiler', e.spoiler, 'sensitive', e.sensitive,
         'createdAt', ${isoTime('e.created_at')}) order by e.id desc)
       from (select *, sum(octet_length(content_html)) over (order by id desc) as bytes from status_edits
             where status_id = s.id order by id desc limit ${MOST_FORMER}) e where e.bytes <= ${FORMER_BYTES}), '[]')
       else '[]' end as former,
     coalesce(stats.replies, 0) as "repliesCount", coalesce(stats.favourites, 0) as "favouritesCount",
     coalesce(stats.reblogs, 0) as "reblogsCount",
     coalesce((
       select json_agg(json_build_object('id', reply.id, 'uri', reply.uri) order by reply.id)
       from (select answer.id, answer.uri from statuses answer
             where answer.in_reply_to_id = s.id and ${openReply('answer')}
             order by answer.id limit ${MOST_LISTED_REPLIES}) reply), '[]') as replies`;
}

/** A status `s` with its author `a`, what it quotes, and the address of its parent where a condition holds, or else another. */
const noteTables = (condition: string, otherwise: string) => `statuses s join accounts a on a.id = s.author_id
     left join statuses parent on parent.id = s.in_reply_to_id and ${condition}
     cross join lateral (select coalesce(parent.uri, ${otherwise}) as uri) answered
     left join statuses quoted on quoted.id = s.quote_of_id and ${isNotRemoved('quoted')}
     left join accounts quotee on quotee.id = quoted.author_id
     left join accounts replied on replied.id = s.in_reply_to_account_id
     left join accounts groups on groups.id = s.group_id and groups.deactivated_at is null
     left join conversations c on c.id = s.conversation_id
     left join status_stats stats on stats.status_id = s.id`;

/** For public documents: the parent as far as anonymous readers may see it. */
export const NOTE_TABLES = noteTables(maySee('parent', "''"), 'null');

/** For documents that are sent to their addressees: they learn the address of every parent, also of one that its server deleted. */
export const SENT_NOTE_TABLES = noteTables(isNotRemoved('parent'), 's.in_reply_to_uri');
