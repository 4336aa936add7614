import { brandKey, textOfHtml, type Translator } from '../../common/index.js';
import { DIRECT } from '../../statuses/index.js';
import type { PushRow } from './push-subscription.repository.js';

type PushedStatus = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly visibility: string;
  readonly spoiler_text: string;
};

/** The fields of a rendered notification that a push needs. */
export interface PushedNotification {
  readonly id: string;
  readonly type: string;
  readonly account: { readonly acct: string; readonly avatar: string };
  readonly status?: PushedStatus;
  readonly emoji?: string;
  readonly chat_message?: { readonly content: string | null };
}

export interface PushText {
  readonly title: string;
  readonly body: string;
}

interface Facts {
  readonly acct: string;
  /** The beginning of the text, or the content warning in its place. */
  readonly text: string;
  readonly emoji: string;
  readonly direct: boolean;
}

type Words = (t: Translator, facts: Facts) => PushText;

const MAX_TEXT = 80;

const WORDS: Readonly<Record<string, Words>> = {
  mention: (t, { acct, text, direct }) => ({
    title: t.text(direct ? 'push.direct' : 'push.mention'),
    body: t.text('push.wrote', { acct, text }),
  }),
  status: (t, { acct, text }) => ({ title: t.text('push.status'), body: t.text('push.wrote', { acct, text }) }),
  update: (t, { acct, text }) => ({ title: t.text('push.update'), body: t.text('push.wrote', { acct, text }) }),
  quote: (t, { acct, text }) => ({ title: t.text('push.quote'), body: t.text('push.wrote', { acct, text }) }),
  quoted_update: (t, { acct }) => ({ title: t.text('push.update'), body: t.text('push.edited', { acct }) }),
  reblog: (t, { acct, text }) => ({ title: t.text('push.reblog'), body: t.text('push.reblogged', { acct, text }) }),
  favourite: (t, { acct }) => ({ title: t.text('push.favourite'), body: t.text('push.favourited', { acct }) }),
  follow: (t, { acct }) => ({ title: t.text('push.follow'), body: t.text('push.followed', { acct }) }),
  follow_request: (t, { acct }) => ({ title: t.text('push.request'), body: t.text('push.requested', { acct }) }),
  poll: (t, { text }) => ({ title: t.text('push.poll'), body: text }),
  'svc:chat_mention': (t, { acct, text }) => ({
    title: t.text('push.chat'),
    body: t.text('push.wrote', { acct, text }),
  }),
  'svc:emoji_reaction': (t, { acct, emoji }) => ({
    title: t.text('push.reaction'),
    body: t.text('push.reacted', { acct, emoji }),
  }),
};

const other: Words = (t, { acct }) => ({
  title: t.text('push.other'),
  body: t.text('push.wrote', { acct, text: '…' }),
});

/**
 * Title and body of a push. For a receiver who hides the contents of notifications, title and body are the kind of
 * notification, without names and text (spec §4.2).
 */
export function pushText(
  t: Translator,
  brand: string,
  { type, hidesContents }: Pick<PushRow, 'type' | 'hidesContents'>,
  notification: PushedNotification,
): PushText {
  const { account, status, emoji = '' } = notification;
  const facts = {
    acct: account.acct,
    text: shortened(written(brand, notification)),
    emoji,
    direct: status !== undefined && DIRECT.includesName(status.visibility),
  };
  const text = (WORDS[type] ?? other)(t, facts);
  return hidesContents ? { title: text.title, body: text.title } : text;
}

/** The text, or the content warning in its place. */
function written(brand: string, { status, chat_message: message }: PushedNotification): string {
  if (message) return textOfHtml(message.content ?? '');
  if (!status) return '';
  return status.spoiler_text || extension(brand, status).content['text/plain'];
}

interface PushedExtension {
  readonly content: { readonly 'text/plain': string };
  readonly direct_conversation_id: string | null;
}

/** The member of a post with this software's extensions (spec §2.3). */
export function extension(brand: string, status: PushedStatus): PushedExtension {
  return status[brandKey(brand, 'svc')] as PushedExtension;
}

function shortened(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  if (characters.length === 0) return '…';
  return characters.length <= MAX_TEXT ? characters.join('') : `${characters.slice(0, MAX_TEXT - 1).join('')}…`;
}
