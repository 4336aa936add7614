import { type Html, html, type Translator } from '../../common/index.js';
import { actionButton } from './forms.part.js';
import type { PollJson } from '../../statuses/index.js';
import { picturedText } from './emoji.part.js';
import type { ShownStatus } from './shown.js';
import type { StatusPlace } from './status.part.js';

/** A poll: its options as bars, the number of votes and the end. Viewers who may vote get a button for each option of a single choice. */
export function pollPart(t: Translator, post: ShownStatus, poll: PollJson, place: StatusPlace): Html {
  const { options, votes_count: votes, voters_count: voters, expires_at: endsAt, expired: isOver } = poll;
  const total = (poll.multiple ? voters : null) ?? votes;
  const mayVote = !isOver && poll.voted === false && !poll.multiple;
  const rows = options.map((option, at) => {
    const title = picturedText(option.title, post.emojis);
    const path = mayVote ? place.vote?.(post) : undefined;
    const isOwn = poll.own_votes?.includes(at) === true;
    return html`<li>
      ${path === undefined ? title : actionButton({ path, label: title, classes: 'option', field: { name: 'choices', value: at } })}
      ${isOwn && html`<span class="check" role="img" aria-label="${t.text('poll.own')}">&check;</span>`}
      ${option.votes_count !== null && bar(t, option.votes_count, total)}
    </li>`;
  });
  return html`<ul class="poll">
      ${rows}
    </ul>
    <p class="soft">
      ${t.number(votes)} ${t.text('post.votes', { count: votes })}
      ${endsAt !== null && html` &middot; ${t.html(isOver ? 'poll.over' : 'poll.until', { time: time(t, endsAt) })}`}
      ${poll.multiple && html` &middot; ${t.text('poll.multiple')}`}
    </p>`;
}

function time(t: Translator, at: string): Html {
  return html`<time datetime="${at}">${t.moment(at)}</time>`;
}

/** The part of the votes that an option has. */
function bar(t: Translator, votes: number, total: number): Html {
  const share = total === 0 ? 0 : votes / total;
  return html`<progress value="${votes}" max="${Math.max(total, 1)}" aria-hidden="true"></progress>
    <span class="soft">${t.percent(share)}</span>`;
}
