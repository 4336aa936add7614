import { Inject, Injectable } from '@nestjs/common';
import type { RequestHandler, Response } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import type { ApiRequest, Auth } from '../../common/index.js';
import { ENV, type Env, sameSecret } from '../../platform/index.js';
import { TokensService } from '../tokens/tokens.service.js';

/** The result of checking a request's credentials. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'accepted'; readonly auth: Auth; readonly token: string };

const NONE: Credentials = { kind: 'none' };
const REFUSED: Credentials = { kind: 'refused' };

/** The rights of the admin token: all of administration, without an account (spec §5.3). */
const OPERATOR: Auth = {
  tokenId: null,
  appId: null,
  scopes: ['admin'],
  accountId: null,
  isAdmin: true,
  isModerator: false,
};

/** Finds the sender of a request. */
@Injectable()
export class AuthResolver {
  /** Has its own passport: the shared one would mix up several servers in a process. */
  private readonly passport = new passport.Passport();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tokens: TokensService,
  ) {
    this.passport.use(
      new Strategy((token: unknown, done) => {
        this.ofToken(token).then((credentials) => done(null, credentials), done);
      }),
    );
  }

  /**
   * Reads the token of the `Authorization` header or the parameter `access_token` (RFC 6750); refuses it when sent both
   * ways.
   */
  resolve(request: ApiRequest, response: Response): Promise<Credentials> {
    return new Promise((resolve, reject) => {
      const conclude = (error: unknown, found: Credentials | false, _challenge: unknown, status?: number): void => {
        if (error instanceof Error) reject(error);
        else resolve(found || (status === undefined ? NONE : REFUSED)); // a status means that the header is unreadable
      };
      const authenticate = this.passport.authenticate('bearer', { session: false }, conclude) as RequestHandler;
      void authenticate(request, response, reject);
    });
  }

  /**
   * Reads the admin token from `x-admin-token` or the query parameter `admin_token`, as bodies are read after the
   * guards. While none is configured every one is refused, the empty one too (threat A2).
   */
  resolveOperator(request: ApiRequest): Credentials {
    const given = operatorTokenOf(request);
    if (given === undefined) return NONE;
    const expected = this.env.adminToken;
    return expected && sameSecret(given, expected) ? { kind: 'accepted', auth: OPERATOR, token: given } : REFUSED;
  }

  private async ofToken(token: unknown): Promise<Credentials> {
    if (typeof token !== 'string') return REFUSED;
    const auth = await this.tokens.resolve(token);
    return auth ? { kind: 'accepted', auth, token } : REFUSED;
  }
}

/** The admin token that a request carries, right or wrong. */
function operatorTokenOf({ headers, query }: ApiRequest): string | undefined {
  const given = headers['x-admin-token'] ?? query.admin_token;
  if (given === undefined) return undefined;
  return typeof given === 'string' ? given : '';
}
