import { type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { nameOf } from '../parts/emoji.part.js';
import { alternates, elsewhere } from './page.parts.js';
import { oembedUrl } from './oembed.js';
import { LIST_BYTES, statusPart, statusParts } from '../parts/status.part.js';
import { excerpt, playable, type ShownFile, type ShownStatus } from '../parts/shown.js';
import type { ShownThread } from './visitors.service.js';

const TITLE_LENGTH = 60;
const DESCRIPTION_LENGTH = 300;
/** Deeper answers are not indented further. */
const MOST_STEPS = 6;
/** The size of the player of recordings, which have none. */
const PLAYER = { width: 480, height: 80 };

/** The page of a post. Previews of a post with a content warning get only the warning. */
export function statusPage(t: Translator, post: ShownStatus, thread: ShownThread): PageContent {
  const { author, warning, text } = post;
  const isOpen = !post.isSensitive && warning === '';
  const picture = isOpen ? post.files.find(({ type }) => type === 'image') : undefined;
  const video = isOpen ? playable(post) : undefined;
  return {
    title: titleOf(t, post),
    description: excerpt(warning || text, DESCRIPTION_LENGTH) || `@${author.handle}`,
    isUnlisted: !author.isFindable || !post.isListed,
    image: picture?.url ?? author.avatar,
    picture,
    card: video ? 'player' : picture ? 'summary_large_image' : 'summary',
    url: post.url,
    kind: 'article',
    head: html`<meta property="article:published_time" content="${post.createdAt}" />
      <meta property="article:author" content="${author.url}" />
      <meta name="fediverse:creator" content="@${author.handle}" />
      ${video && player(post, video)} ${alternates(post.uri, undefined)}
      <link rel="alternate" type="application/json+oembed" href="${oembedUrl(post.url)}" />`,
    bar: { appPath: `/app/posts/${post.id}` },
    main: html`<h1 class="hidden">${titleOf(t, post)}</h1>
      ${conversation(t, post, thread)}
      <p><a class="button quiet" href="${author.url}">${t.html('post.all', { name: nameOf(author) })}</a></p>
      ${elsewhere(t.text('post.elsewhere'), { status_id: post.id })}`,
  };
}

/** One line: the author, and the first words or the content warning. */
export function titleOf(t: Translator, { author, warning, text }: ShownStatus): string {
  const words = excerpt(warning || text, TITLE_LENGTH);
  return words === '' ? t.text('post.untitled', { name: author.name }) : `${author.name}: ${words}`;
}

/** The address of the video or recording for previews. */
function player({ url }: ShownStatus, { type, url: file, mimeType, width, height }: ShownFile): Html {
  const kind = type === 'audio' ? 'audio' : 'video';
  return html`<meta property="og:${kind}" content="${file}" />
    <meta property="og:${kind}:type" content="${mimeType}" />
    <meta name="twitter:player" content="${url}/embed_player" />
    <meta name="twitter:player:width" content="${width ?? PLAYER.width}" />
    <meta name="twitter:player:height" content="${height ?? PLAYER.height}" />`;
}

/** The posts before and after, in that order, within the page's weight limit. Search engines see only the post itself. */
function conversation(t: Translator, post: ShownStatus, { before, after }: ShownThread): Html {
  const nearest = statusParts(t, before.toReversed(), LIST_BYTES / 4);
  const answers = statusParts(t, after, LIST_BYTES / 2);
  const steps = stepsOf(after, post.id);
  return html`${nearest.length > 0 && html`<div class="posts before" data-nosnippet>${nearest.toReversed()}</div>`}
    <div class="posts"><div class="main">${statusPart(t, post)}</div></div>
    ${
      answers.length > 0 &&
      html`<h2>${t.text('post.answers')}</h2>
        <div class="posts thread" data-nosnippet>
          ${answers.map((answer, at) => html`<div class="step-${Math.min(steps[at] ?? 1, MOST_STEPS)}">${answer}</div>`)}
        </div>`
    }`;
}

/** How many answers lie between each post and the one that is shown, from 1. The posts stand in reading order. */
function stepsOf(answers: readonly ShownStatus[], rootId: string): number[] {
  const steps = new Map([[rootId, 0]]);
  for (const { id, parentId } of answers) steps.set(id, (steps.get(parentId ?? rootId) ?? 0) + 1);
  return answers.map(({ id }) => steps.get(id) ?? 1);
}
