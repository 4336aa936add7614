import type { PageRow } from '../model/page.sql.js';
import { QuotePolicy, QUOTES_ASKED, type QuoteAnswer, quoteAnswer, quotePolicyOf } from '../model/quote-policy.js';
import type { PlainStatusJson } from './status.shape.js';
import type { ViewerFacts } from './status.render.js';

/** Who may quote a post (reference QuoteApproval). */
export function quoteApproval(row: PageRow, viewer: ViewerFacts): PlainStatusJson['quote_approval'] {
  const isAsked = row.quotePolicy === QUOTES_ASKED;
  return {
    automatic: isAsked ? [] : automaticFor(row),
    manual: isAsked ? ['public'] : [],
    current_user: quoteAnswerTo(row, viewer),
  };
}

/** Whether the viewer may quote a post; nobody may who is not signed in. */
export function quoteAnswerTo(row: PageRow, viewer: ViewerFacts): QuoteAnswer {
  if (viewer.viewerId === undefined) return 'denied';
  return quoteAnswer({
    ...row,
    isOwn: row.authorId === viewer.viewerId,
    isFollower: viewer.followedChoices.has(row.id),
    isBlocked: viewer.blockedAuthors.has(row.authorId),
  });
}

function automaticFor({
  local,
  visibility,
  quotePolicy: chosen,
}: PageRow): PlainStatusJson['quote_approval']['automatic'] {
  if (!local && chosen === null) return ['unsupported_policy'];
  const policy = quotePolicyOf(visibility, chosen);
  if (policy === QuotePolicy.nobody) return [];
  return [policy === QuotePolicy.followers ? 'followers' : 'public'];
}
