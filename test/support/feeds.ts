import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import { all, parseXml, type XmlElement, xmlProblem } from './xml.js';

/** A feed as a program reads it that people read news with. */
export interface Feed {
  /** What tells of the feed itself: `feed` of Atom, `channel` of RSS. */
  readonly root: XmlElement;
  readonly entries: readonly XmlElement[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly source: string;
}

/** A feed that must be there, and well-formed. */
export async function readFeed(app: TestApp, path: string, accept?: string): Promise<Feed> {
  const request = app.http.get(path).buffer(true).responseType('text');
  if (accept !== undefined) void request.set('Accept', accept);
  const answer = await request.expect(200);
  const source = String(answer.body);
  expect(xmlProblem(source)).toBeUndefined();
  const root = parseXml(source);
  const [channel] = all(root, 'channel');
  const entries = channel ? all(channel, 'item') : all(root, 'entry');
  return { root: channel ?? root, entries, headers: answer.headers, source };
}

/** The attributes of the links of a kind. */
export const linksOf = (element: XmlElement, rel: string, name = 'link') =>
  all(element, name).flatMap(({ attributes }) => (attributes['rel'] === rel ? [attributes] : []));

/** What names each entry for good. */
export const idsOf = ({ entries }: Feed) =>
  entries.map((entry) => [...all(entry, 'id'), ...all(entry, 'guid')][0]?.text ?? 'none');
