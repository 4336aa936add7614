import type { Response } from 'express';
import { type ApiRequest, entityTag } from '../../common/index.js';
import { ATOM } from './atom.js';
import type { FeedFormat } from './public-feeds.service.js';
import { RSS } from './rss.js';

const TYPES: Readonly<Record<FeedFormat, string>> = { atom: ATOM, rss: RSS };

/** Answers with a feed, or with 304 to a client that has its current version. */
export function sendFeed(request: ApiRequest, response: Response, format: FeedFormat, feed: string): void {
  response.set({
    'Content-Type': `${TYPES[format]}; charset=utf-8`,
    'Cache-Control': 'public, max-age=180',
    ETag: entityTag(feed),
  });
  if (request.fresh) response.status(304).end();
  else response.send(Buffer.from(feed));
}
