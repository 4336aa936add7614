import { escapeHtml } from '../../common/index.js';
import { QuotePolicy, quotePolicyOf } from '../../statuses/index.js';
import { ACTIVITY_LD_JSON, documentContext, followersOf, PUBLIC } from '../wire/uris.js';
import type { NoteSource } from './note.js';

/** Marks a link among the tags as the quoted post (FEP-e232). */
const QUOTE_RELATION = 'https://misskey-hub.net/ns#_misskey_quote';

/** A request for consent to a quote. */
export interface QuoteRequest {
  readonly id: string;
  /** The quoting author. */
  readonly actor: string;
  /** The quoted post. */
  readonly object: string;
  /** The quoting post. */
  readonly instrument: string;
}

/** The addresses of a consent to a quote. */
export interface ApprovalSource {
  readonly id: string;
  /** The quoted author. */
  readonly author: string;
  readonly quoting: string;
  readonly quoted: string;
}

/** The properties that say what a post quotes: each for other servers, and the consent (FEP-044f). */
export function quoteProperties({ quoteUri: uri, quoteApproval: approval }: NoteSource): Record<string, string> {
  if (uri === null) return {};
  const properties = { quote: uri, quoteUrl: uri, quoteUri: uri, _misskey_quote: uri };
  return approval === null ? properties : { ...properties, quoteAuthorization: approval };
}

/** The quoted post among the tags (FEP-e232). */
export function quoteLinks({ quoteUri: href }: NoteSource): Record<string, string>[] {
  if (href === null) return [];
  return [{ type: 'Link', mediaType: ACTIVITY_LD_JSON, href, rel: QUOTE_RELATION, name: `RE: ${href}` }];
}

/** The content with a link to what is quoted, for servers that show no quotes; the others take it out by its class. */
export function withQuoteLink(content: string, { quoteUri: uri, quoteUrl: page }: NoteSource): string {
  const url = escapeHtml(page ?? uri ?? '');
  if (url === '' || content.includes(url)) return content;
  return `${content}<p class="quote-inline">RE: <a href="${url}">${url}</a></p>`;
}

/** Who may quote a post without being asked (FEP-044f); nobody is the author alone. */
export function interactionPolicy({ visibility, author, quotePolicy: chosen }: NoteSource): object {
  const approved = {
    [QuotePolicy.public]: PUBLIC,
    [QuotePolicy.followers]: followersOf(author),
    [QuotePolicy.nobody]: author,
  }[quotePolicyOf(visibility, chosen)];
  return { canQuote: { automaticApproval: [approved], manualApproval: [] } };
}

/** The document of a consent to a quote (FEP-044f: QuoteAuthorization). */
export function approvalDocument(baseUrl: string, { id, author, quoting, quoted }: ApprovalSource) {
  return {
    '@context': documentContext(baseUrl),
    id,
    type: 'QuoteAuthorization',
    attributedTo: author,
    interactingObject: quoting,
    interactionTarget: quoted,
  };
}
