import { Inject, Injectable } from '@nestjs/common';
import {
  type AccountRow,
  acctOf,
  AccountsService,
  FollowsService,
  isActive,
  parseHandle,
  RemoteAccounts,
} from '../../accounts/index.js';
import { localDomains, NotFound } from '../../common/index.js';
import { ENV, type Env, ignoreUnreachable } from '../../platform/index.js';
import { RemoteStatusLookup, StatusesService } from '../../statuses/index.js';
import { WebFingerClient } from '../fetch/webfinger-client.js';
import { PoliciesService } from '../policies/policies.service.js';
import { uriOf } from '../wire/values.js';

/** An account or a post that a visitor wants to follow or answer. */
export interface Subject {
  readonly kind: 'account' | 'status';
  readonly uri: string;
  /** The handle of the account, or of the author. */
  readonly acct: string;
}

/** The path on which people of this server follow an account of another one. */
export const SUBSCRIBE_PATH = '/ostatus_subscribe';

/** Follows and answers across servers that begin on a page: visitors are sent to their server, or come from another. */
@Injectable()
export class RemoteFollowService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly webfinger: WebFingerClient,
    private readonly policies: PoliciesService,
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly statuses: StatusesService,
    private readonly remoteAccounts: RemoteAccounts,
    private readonly remoteStatuses: RemoteStatusLookup,
  ) {}

  /** The page of the visitor's own server for an account or a post; undefined when that server has none. */
  async pageFor(profile: string, uri: string): Promise<string | undefined> {
    const visitor = parseHandle(profile.trim().replace(/^acct:/i, ''), localDomains(this.env));
    if (!visitor || uriOf(uri) === undefined) return undefined;
    const { username, domain } = visitor;
    if (domain !== undefined && this.policies.isClosedTo(`https://${domain}`)) return undefined;
    const template =
      domain === undefined
        ? `${this.env.baseUrl}${SUBSCRIBE_PATH}?acct={uri}`
        : await this.webfinger.followPage({ username, domain }).catch(ignoreUnreachable);
    return template?.replaceAll('{uri}', encodeURIComponent(uri));
  }

  /**
   * A public account by its name, or a public post by its id.
   * @throws NotFound, Unauthorized where profiles are for members only
   */
  async subject(nickname: string | undefined, statusId: string | undefined): Promise<Subject> {
    if (statusId !== undefined) {
      const status = await this.statuses.visible(statusId);
      const author = await this.accounts.byId(status.authorId);
      return { kind: 'status', uri: status.uri, acct: author ? acctOf(author.nickname, author.domain) : '' };
    }
    if (nickname === undefined) throw new NotFound('Not found');
    const account = await this.accounts.visible(nickname);
    return { kind: 'account', uri: account.apId, acct: acctOf(account.nickname, account.domain) };
  }

  /**
   * The account or the id of the post at an address; another server may be asked.
   * @throws NotFound
   */
  async find(acct: string, viewerId: string | undefined): Promise<AccountRow | string> {
    const account = await this.accounts.stored(acct);
    const isAddress = uriOf(acct) !== undefined;
    const status = !account && isAddress ? await this.remoteStatuses.resolve(acct) : undefined;
    if (status) return (await this.statuses.visible(status.id, viewerId)).id;
    const found = account ?? (await this.remoteAccounts.resolve(acct));
    if (!found || !isActive(found)) throw new NotFound('Not found');
    return found;
  }

  /** An active account. Throws NotFound. */
  async followee(id: string): Promise<AccountRow> {
    const account = await this.accounts.byId(id);
    if (!account || !isActive(account)) throw new NotFound('Not found');
    return account;
  }

  async follow(accountId: string, targetId: string): Promise<void> {
    await this.follows.follow(accountId, targetId, {});
  }
}
