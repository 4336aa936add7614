import { Injectable } from '@nestjs/common';
import { type LoginResult, UsersService } from '../../accounts/index.js';
import { hashToken, newToken, UnitOfWork } from '../../platform/index.js';
import { MfaChallengesRepository } from './mfa-challenges.repository.js';
import { type ChallengeType, MfaService } from './mfa.service.js';

/** The kind of a sign-in: for a token at the token endpoint, or in the pages of the browser. */
export type ChallengePurpose = 'token' | 'authorization';

/** The JSON that a sign-in goes on with after the code. */
export type ChallengeData = Readonly<Record<string, unknown>>;

export interface Challenge {
  readonly accountId: string;
  readonly data: ChallengeData;
}

/** A code for a challenge. */
export interface ChallengeAnswer {
  readonly token: string;
  readonly purpose: ChallengePurpose;
  readonly type: ChallengeType;
  readonly code: string;
  /** The `clientAddress` of the request, which wrong codes count for. */
  readonly address: string;
}

/** Wrong codes that end a challenge. */
const MOST_TRIES = 5;

/**
 * Sign-ins with the right password that wait for a code, for 5 minutes and 5 tries (threat O16). Only hashes of their
 * tokens are stored.
 */
@Injectable()
export class MfaChallenges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly mfa: MfaService,
    private readonly challenges: MfaChallengesRepository,
  ) {}

  /**
   * Opens a challenge for a checked password and returns its token. Undefined when the password changed meanwhile: the
   * challenge would outlive the change (threat O10).
   */
  open(login: LoginResult, purpose: ChallengePurpose, data: ChallengeData): Promise<string | undefined> {
    const token = newToken();
    return this.uow.run(async () => {
      if (!(await this.users.keepPassword(login))) return undefined;
      await this.challenges.insert({ tokenHash: hashToken(token), accountId: login.accountId, purpose, data });
      return token;
    });
  }

  /** The challenge of a token. */
  async find(token: string, purpose: ChallengePurpose): Promise<Challenge | undefined> {
    return (await this.challenges.find(hashToken(token), purpose)) ?? undefined;
  }

  /**
   * Ends a challenge with a right code, and goes on with the sign-in in the same unit of work; if that fails, nothing
   * happened. Undefined for a wrong code, which leaves the challenge open up to the limit, and without a challenge.
   * Must not run within a unit of work, which could take the count of a wrong code back.
   */
  async spend<T>(
    { token, purpose, type, code }: ChallengeAnswer,
    goOn: (challenge: Challenge) => Promise<T>,
  ): Promise<T | undefined> {
    const challenge = await this.find(token, purpose);
    if (!challenge) return undefined;
    const hash = hashToken(token);
    return this.uow.run(async () => {
      if (!(await this.challenges.countTry(hash, MOST_TRIES))) return undefined;
      if (!(await this.mfa.verify(challenge.accountId, type, code))) return undefined;
      await this.challenges.remove(hash);
      return goOn(challenge);
    });
  }

  /** Ends the challenges of an account whose password changes. */
  async endAll(accountId: string): Promise<void> {
    await this.challenges.removeAllOf(accountId);
  }

  /** Removes expired challenges. */
  async purge(): Promise<void> {
    await this.challenges.purge();
  }
}
