import { linksOfPage } from '../../common/index.js';
import { isAcceptable, type OutboundResponse, parseUrl } from '../../platform/index.js';
import { ACTIVITY_LD_JSON } from '../wire/uris.js';

/** Types of ActivityPub documents: any other JSON may be a file that a user uploaded (threat S5). */
export const DOCUMENT_TYPES = ['application/activity+json', ACTIVITY_LD_JSON];
/** Types of pages for people. */
export const PAGE_TYPES = ['text/html', 'application/xhtml+xml'];

/** The head of a page is read, not more. */
const MAX_HEAD = 200_000;
/** A link of a `Link` header (RFC 8288): its target and its parameters. */
const LINK = /<([^<>]*)>([^<]*)/g;

/** Whether a media type is that of a document. */
export function isDocument(type: string | undefined): boolean {
  return isAcceptable(type, DOCUMENT_TYPES);
}

/** The address of the document that a page names as its other form, in its `Link` header or else in its head. */
export async function alternateOf({ url, headers, body }: OutboundResponse): Promise<string | undefined> {
  const named = alternateInHeader(headers['link'] ?? '', url);
  if (named !== undefined || !isAcceptable(headers['content-type'], PAGE_TYPES)) return named;
  const query = { rel: 'alternate', elements: ['link'], isOfType: isDocument };
  const [first] = await linksOfPage(body.toString('utf8', 0, MAX_HEAD), url, query);
  return first;
}

function alternateInHeader(header: string, url: string): string | undefined {
  for (const [, target = '', parameters = ''] of header.matchAll(LINK)) {
    const [rel = '', type = ''] = ['rel', 'type'].map((name) => parameterOf(parameters, name));
    if (rel.toLowerCase().split(/\s+/).includes('alternate') && isDocument(type)) return parseUrl(target, url)?.href;
  }
  return undefined;
}

/** The value of a parameter, quoted or not. */
function parameterOf(parameters: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;,"]+))`, 'i').exec(parameters) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
}
