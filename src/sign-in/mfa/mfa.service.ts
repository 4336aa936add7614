import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, type LoginResult, UsersService } from '../../accounts/index.js';
import { clientNetwork, NotFound, Pages, Unprocessable } from '../../common/index.js';
import { openSecret, OwnerLocks, sealSecret, SECRET_KEY, UnitOfWork } from '../../platform/index.js';
import { KnownNetworksService } from '../guessing/known-networks.service.js';
import { PasswordCheckService, WRONG_PASSWORD } from '../guessing/password-check.service.js';
import { MfaChallengesRepository } from './mfa-challenges.repository.js';
import { MfaNoticesService } from './mfa-notices.service.js';
import { MfaRepository } from './mfa.repository.js';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.js';
import { newTotpSecret, provisioningUri, totpStep } from './totp.js';

/** Why a request with a wrong or late code is refused. */
export const WRONG_CODE = 'invalid_token';

/** The kinds of codes: from the authenticator app, and from the list of recovery codes. */
export type ChallengeType = 'totp' | 'recovery';

/** The data that an authenticator app is set up with. */
export interface TotpSetup {
  /** In base32. */
  readonly key: string;
  readonly provisioningUri: string;
}

/** The second factor of accounts (spec §3.4). */
@Injectable()
export class MfaService {
  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordCheckService,
    private readonly networks: KnownNetworksService,
    private readonly factors: MfaRepository,
    private readonly challenges: MfaChallengesRepository,
    private readonly notices: MfaNoticesService,
  ) {}

  /** Whether the account signs in with a second factor. */
  isEnabled(accountId: string): Promise<boolean> {
    return this.factors.isEnabled(accountId);
  }

  /**
   * Whether a code is right, which also uses it up (threats O16, O17). Limits no guesses: sign-ins go through
   * `MfaChallenges`.
   */
  async verify(accountId: string, type: ChallengeType, code: string): Promise<boolean> {
    if (type === 'recovery') return this.factors.useRecoveryCode(accountId, hashRecoveryCode(code));
    const sealed = await this.factors.secret(accountId, { confirmed: true });
    const step = sealed && totpStep(this.open(accountId, sealed), code);
    return sealed !== undefined && step !== undefined && this.factors.useStep(accountId, sealed, step);
  }

  /**
   * A new secret for an authenticator app. It is of no effect until {@link confirm}, and replaces one that waits for it.
   * @throws Unprocessable while the second factor is on
   */
  async setUp(accountId: string): Promise<TotpSetup> {
    const nickname = await this.nickname(accountId);
    const key = newTotpSecret();
    const sealed = sealSecret(this.secretKey, key, contextOf(accountId));
    if (!(await this.factors.propose(accountId, sealed))) throw new Unprocessable('The second factor is on already');
    return this.setupOf(key, nickname);
  }

  /**
   * The secret that waits for its first code, or a new one: a page that is loaded again shows the same. One of long ago may
   * be known to an earlier intruder.
   */
  async offer(accountId: string): Promise<TotpSetup> {
    const sealed = await this.factors.newSecret(accountId);
    if (!sealed) return this.setUp(accountId);
    return this.setupOf(this.open(accountId, sealed), await this.nickname(accountId));
  }

  /**
   * Puts the secret of {@link setUp} to use, with the first code of the app. Sign-ins go on.
   * @param address the `clientAddress` of the request
   * @throws Unprocessable for a wrong password or code; TooManyRequests
   */
  async confirm(accountId: string, password: string, code: string, address: string): Promise<void> {
    const login = await this.requirePassword(accountId, password, address);
    const sealed = await this.factors.secret(accountId, { confirmed: false });
    const step = sealed && totpStep(this.open(accountId, sealed), code);
    if (sealed === undefined || step === undefined) throw wrongCode();
    await this.change(login, async () => {
      if (!(await this.factors.confirm(accountId, sealed, step))) throw wrongCode();
      await this.networks.add(accountId, { address, network: clientNetwork(address) }, 'code');
      await this.notices.request(accountId, 'on');
    });
  }

  /** New recovery codes, which replace the earlier ones. They are of use once the second factor is on. */
  async renewRecoveryCodes(accountId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.uow.run(async () => {
      await this.locks.lock('recovery codes', accountId);
      await this.factors.replaceRecoveryCodes(accountId, codes.map(hashRecoveryCode));
      if (await this.factors.isEnabled(accountId)) await this.notices.request(accountId, 'codes');
    });
    return codes;
  }

  /**
   * Switches the account's second factor off. Sign-ins go on.
   * @param address the `clientAddress` of the request
   * @throws Unprocessable for a wrong password; TooManyRequests
   */
  async disable(accountId: string, password: string, address: string): Promise<void> {
    const login = await this.requirePassword(accountId, password, address);
    await this.change(login, () => this.remove(accountId));
  }

  /** Removes the account's second factor, with its recovery codes; false when there was none. */
  remove(accountId: string): Promise<boolean> {
    return this.uow.run(async () => {
      await this.challenges.removeAllOf(accountId);
      const wasOn = await this.factors.remove(accountId);
      if (wasOn) await this.notices.request(accountId, 'off');
      return wasOn;
    });
  }

  private async requirePassword(accountId: string, password: string, address: string): Promise<LoginResult> {
    const found = await this.passwords.check(await this.nickname(accountId), password, address);
    if (!found) throw new Unprocessable(WRONG_PASSWORD);
    return found;
  }

  /** Makes a change in one unit of work with the check that the password is still the same (threat O10). */
  private change<T>(login: LoginResult, act: () => Promise<T>): Promise<T> {
    return this.uow.run(async () => {
      if (!(await this.users.lockPassword(login))) throw new Unprocessable(WRONG_PASSWORD);
      return act();
    });
  }

  private async nickname(accountId: string): Promise<string> {
    const account = await this.accounts.byId(accountId);
    if (!account) throw new NotFound();
    return account.nickname;
  }

  private setupOf(key: string, nickname: string): TotpSetup {
    return { key, provisioningUri: provisioningUri(key, this.pages.site.name, nickname) };
  }

  private open(accountId: string, sealed: Buffer): string {
    return openSecret(this.secretKey, sealed, contextOf(accountId)).toString();
  }
}

function wrongCode(): Unprocessable {
  return new Unprocessable(WRONG_CODE);
}

function contextOf(accountId: string): string {
  return `totp:${accountId}`;
}
