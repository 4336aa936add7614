import { bdi, html, type PageContent, type Translator } from '../common/index.js';
import { alternates } from './page.parts.js';
import { postPart } from './post.part.js';
import { excerpt, type ShownPost } from './shown.js';

const TITLE_LENGTH = 60;
const DESCRIPTION_LENGTH = 300;

/** The page of a post. What its author warns of is all that previews tell of it. */
export function postPage(t: Translator, post: ShownPost): PageContent {
  const { author, warning, text } = post;
  const words = excerpt(warning || text, TITLE_LENGTH);
  const picture = post.isSensitive || warning !== '' ? undefined : post.files.find(({ type }) => type === 'image');
  return {
    title: words === '' ? t.text('post.untitled', { name: author.name }) : `${author.name}: ${words}`,
    description: excerpt(warning || text, DESCRIPTION_LENGTH) || `@${author.handle}`,
    isUnlisted: !author.isFindable || !post.isListed,
    image: picture?.url ?? author.avatar,
    hasLargeImage: picture !== undefined,
    url: post.url,
    kind: 'article',
    head: html`<meta property="article:published_time" content="${post.createdAt}" />
      <meta property="article:author" content="${author.url}" />
      <meta name="fediverse:creator" content="@${author.handle}" />
      ${alternates(post.uri, undefined)}`,
    main: html`<div class="posts">${postPart(t, post)}</div>
      <p><a class="button quiet" href="${author.url}">${t.html('post.all', { name: bdi(author.name) })}</a></p>`,
  };
}
