import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import type { Response } from 'express';
import type { TokenBody } from '../../oauth/index.js';

const NAME = '_svc_key';
const MS_PER_SECOND = 1_000;
/** Browsers keep no cookie for longer. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** The access token in the cookie of a request. */
export function sessionCookieOf({ headers }: IncomingMessage): string | undefined {
  return parseCookie(headers.cookie ?? '')[NAME] || undefined;
}

/** Puts the access token of a sign-in into a cookie that no script and no other site can use (threat O18). */
export function setSessionCookie(response: Response, token: TokenBody, baseUrl: string): void {
  const seconds = Math.min(token.expires_in, MAX_AGE_SECONDS);
  response.cookie(NAME, token.access_token, { ...attributes(baseUrl), maxAge: seconds * MS_PER_SECOND });
}

export function dropSessionCookie(response: Response, baseUrl: string): void {
  response.clearCookie(NAME, attributes(baseUrl));
}

function attributes(baseUrl: string) {
  return { httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:'), path: '/' } as const;
}
