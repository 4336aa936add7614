import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { ignoreNotFound } from '../../common/index.js';
import { hashToken, newToken, sameSecret, UnitOfWork } from '../../platform/index.js';
import { accountRefused, invalidGrant } from '../model/oauth.errors.js';
import type { TokenBody } from '../model/token.shape.js';
import { CodesRepository, type NewCode } from './codes.repository.js';
import { TokensService } from './tokens.service.js';

/** The request of an app to exchange a code (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export interface CodeExchange {
  readonly appId: string;
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
}

const LIFETIME_MS = 600_000;

/** Authorization codes: valid once, for ten minutes, for one app and one redirect URI. Only their hashes are stored. */
@Injectable()
export class CodesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly codes: CodesRepository,
    private readonly tokens: TokensService,
  ) {}

  /**
   * A new code for what the owner of the account allowed in a sign-in. Undefined when that has ended meanwhile: the code
   * would outlive it (threat O10).
   */
  async issue(tokenId: string, grant: Omit<NewCode, 'codeHash'>): Promise<string | undefined> {
    const code = newToken();
    return this.uow.run(async () => {
      await this.users.lock(grant.accountId); // before the sign-in, in the order of a change of the password
      if (!(await this.tokens.lock(tokenId))) return undefined;
      await this.codes.insert({ ...grant, codeHash: hashToken(code) });
      return code;
    });
  }

  /**
   * Exchanges a code for a sign-in. A code that comes a second time was stolen by either party, so it also ends the
   * sign-in that it became (threat O3).
   * @throws Invalid for a code that does not fit the request; Forbidden for the state of the account
   */
  async exchange(request: CodeExchange): Promise<TokenBody> {
    const codeHash = hashToken(request.code);
    const issued = await this.uow.run(async () => {
      const code = await this.codes.lock(codeHash);
      if (code?.appId !== request.appId) return undefined;
      if (code.spentAt !== null) {
        if (code.tokenId !== null) await this.tokens.end(code.tokenId);
        return undefined;
      }
      const isValid = Date.now() < code.createdAt.getTime() + LIFETIME_MS;
      if (!isValid || code.redirectUri !== request.redirectUri || !answers(request.verifier, code.challenge)) {
        return undefined;
      }
      const { accountId, appId, scopes } = code;
      const user = await this.users.facts(accountId).catch(ignoreNotFound);
      if (!user) return undefined;
      if (user.state !== 'ok') throw accountRefused(user.state);
      const token = await this.tokens.issue({ appId, accountId, scopes });
      await this.codes.spend(codeHash, String(token.id));
      return token;
    });
    if (!issued) throw invalidGrant();
    return issued;
  }

  /** Removes codes that ended. */
  async purge(): Promise<void> {
    await this.codes.purge();
  }
}

/** Whether a verifier answers the challenge (RFC 7636 §4.6). A verifier without a challenge does not (threat O5). */
function answers(verifier: string | undefined, challenge: string | null): boolean {
  if (verifier === undefined || challenge === null) return verifier === undefined && challenge === null;
  return sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
