import { Injectable } from '@nestjs/common';
import { type LoginResult, UsersService } from '../../accounts/index.js';
import { hashToken, HOURLY, newToken, Recurs, UnitOfWork } from '../../platform/index.js';
import { CodeGuesses } from './code-guesses.js';
import { MfaChallengesRepository } from './mfa-challenges.repository.js';
import { type ChallengeType, MfaService } from './mfa.service.js';

/** The continuation of a sign-in after the code, by its kind: a token of an app, or the pages of the browser. */
export interface ChallengeData {
  readonly token: { readonly appId: string; readonly scopes: readonly string[] };
  readonly authorization: Readonly<Record<string, unknown>>;
}

/** The kind of a sign-in. A challenge is of use only for the kind that it was opened for. */
export type ChallengePurpose = keyof ChallengeData;

export interface Challenge<Purpose extends ChallengePurpose> {
  readonly accountId: string;
  readonly data: ChallengeData[Purpose];
}

/** A code for a challenge. */
export interface ChallengeAnswer<Purpose extends ChallengePurpose> {
  readonly token: string;
  readonly purpose: Purpose;
  readonly type: ChallengeType;
  readonly code: string;
  /** The `clientAddress` of the request, which wrong codes count for. */
  readonly address: string;
}

/**
 * Sign-ins with the right password that wait for a code, for 5 minutes and 5 wrong codes (threat O16). Only hashes of
 * their tokens are stored.
 */
@Injectable()
export class MfaChallenges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly mfa: MfaService,
    private readonly guesses: CodeGuesses,
    private readonly challenges: MfaChallengesRepository,
  ) {}

  /**
   * Opens a challenge for a checked password and returns its token. Undefined when the password changed meanwhile: the
   * challenge would outlive the change (threat O10).
   */
  open<P extends ChallengePurpose>(
    login: LoginResult,
    purpose: P,
    data: ChallengeData[P],
  ): Promise<string | undefined> {
    const token = newToken();
    return this.uow.run(async () => {
      if (!(await this.users.lockPassword(login))) return undefined;
      await this.challenges.insert({ tokenHash: hashToken(token), accountId: login.accountId, purpose, data });
      return token;
    });
  }

  /** The challenge of a token, unless it is over. */
  async find<P extends ChallengePurpose>(token: string, purpose: P): Promise<Challenge<P> | undefined> {
    const found = await this.challenges.find(hashToken(token), purpose);
    return found ? { accountId: found.accountId, data: found.data as ChallengeData[P] } : undefined;
  }

  /**
   * Ends a challenge with a right code, and goes on with the sign-in in the same unit of work; if that fails, nothing
   * has happened. Undefined for a wrong code, which leaves the challenge open up to the limit, and without a challenge.
   * Must not run within a unit of work, which could take the count of a wrong code back.
   * @throws TooManyRequests
   */
  async spend<P extends ChallengePurpose, T extends object>(
    { token, purpose, type, code, address }: ChallengeAnswer<P>,
    goOn: (challenge: Challenge<P>) => Promise<T>,
  ): Promise<T | undefined> {
    const challenge = await this.find(token, purpose);
    if (!challenge) return undefined;
    const { accountId } = challenge;
    const hash = hashToken(token);
    const guess = await this.guesses.count(accountId, type, address);
    const result = await this.uow.run(async () => {
      if (!(await this.challenges.countTry(hash))) return undefined;
      if (!(await this.mfa.verify(accountId, type, code))) return undefined;
      await this.challenges.remove(hash);
      return goOn(challenge);
    });
    await (result ? guess.accepted() : guess.refused());
    return result;
  }

  /** Ends the challenges of an account whose password changes. */
  async endAll(accountId: string): Promise<void> {
    await this.challenges.removeAllOf(accountId);
  }

  /** Removes expired challenges. */
  @Recurs({ job: 'oauth.purge-mfa-challenges', everyMinutes: HOURLY })
  async purge(): Promise<void> {
    await this.challenges.purge();
  }
}
