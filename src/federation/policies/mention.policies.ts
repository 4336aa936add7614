import type { AccountRow } from '../../accounts/index.js';
import { escapeHtml, mentionHtml, unique } from '../../common/index.js';
import { PUBLIC_OR_UNLISTED } from '../../statuses/index.js';
import type { Policy } from './policy.js';

const PARAGRAPH = '<p>';

/**
 * ForceMention: an answer mentions the author of what it answers, and a quote that of what it quotes. Who is mentioned may
 * read the post: a post for few names nobody whom it does not address.
 */
export const forceMentionPolicy: Policy = {
  needsPeople: true,
  concernsOwn: ({ parent, quotedAuthorId }) => parent !== null || quotedAuthorId !== null,
  post(post, settings, { author, recipients, people }) {
    const answered = settings.get('mrf_force_mention.mention_parent') ? post.parent?.authorId : undefined;
    const quoted = settings.get('mrf_force_mention.mention_quoted') ? post.quotedAuthorId : undefined;
    const mayRead = ({ apId: uri }: AccountRow) =>
      PUBLIC_OR_UNLISTED.includes(post.visibility) || recipients.includes(uri);
    const named = people.filter(({ id }) => id !== author.id && (id === answered || id === quoted)).filter(mayRead);
    return { ...post, mentions: unique([...post.mentions, ...named.map(({ id }) => id)]) };
  },
};

/** ForceMentionsInContent: the mentions of a post that its text does not show stand at its beginning. */
export const mentionsInContentPolicy: Policy = {
  needsPeople: true,
  concernsOwn: ({ mentions }) => mentions.length > 0,
  post(post, _settings, { people }) {
    const { content, parent } = post;
    const first = post.mentions.filter((id) => id === parent?.authorId);
    const named = unique([...first, ...post.mentions]).flatMap(
      (id) => people.find((account) => account.id === id) ?? [],
    );
    const missing = named.filter((account) => !isLinked(account, content)).map(mentionOf);
    if (missing.length === 0) return post;
    const names = `<span class="recipients-inline">${missing.join(' ')} </span>`;
    const isParagraph = content.startsWith(PARAGRAPH);
    const rest = isParagraph ? content.slice(PARAGRAPH.length) : content;
    return { ...post, content: `${isParagraph ? PARAGRAPH : ''}${names}${rest}` };
  },
};

function isLinked({ url, apId: uri }: AccountRow, content: string): boolean {
  return [url ?? uri, uri].some((address) => content.includes(`href="${escapeHtml(address)}"`));
}

function mentionOf({ id, url, apId: uri, nickname }: AccountRow): string {
  return mentionHtml({ accountId: id, url: url ?? uri, username: nickname });
}
