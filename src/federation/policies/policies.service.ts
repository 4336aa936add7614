import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AccountRow, AccountsService, FollowsService, isActive, serverNamesOf } from '../../accounts/index.js';
import {
  asReason,
  joined,
  type LocalTextPolicies,
  type Reason,
  TextPolicies,
  unique,
  Unprocessable,
} from '../../common/index.js';
import { hostReasons, listsHost, type PolicyName, Settings, textPattern } from '../../config/index.js';
import { ENV, type Env, knownUrl } from '../../platform/index.js';
import {
  type LocalStatusPolicies,
  type PolicyStatus,
  StatusPolicies,
  type RemoteStatus,
  type StoredStatus,
} from '../../statuses/index.js';
import type { Activity } from '../wire/activity.js';
import type { RemoteActor } from '../wire/remote-actor.js';
import { hostOf } from '../wire/uris.js';
import { DnsBlockList } from './dns-block-list.js';
import { NsfwApi } from './nsfw-api.js';
import { POLICIES } from './policies.js';
import { type Effect, isRemote, type StatusParties, type ServerNames } from './policy.js';
import { isBlocked } from './simple.policy.js';

/** The memory of blocked actors, and how long it lasts: they may get another handle. */
const BLOCKED_BYTES = 1024 * 1024;
const BLOCKED_MS = 3_600_000;
const ENTRY_OVERHEAD_BYTES = 200;
const LISTED = '[DNSRBLPolicy] its server is on a block list';

/** Runs the policies that an operator chose, in their order. Fills the ports {@link StatusPolicies} and {@link TextPolicies}. */
@Injectable()
export class PoliciesService implements LocalStatusPolicies, LocalTextPolicies, OnModuleInit {
  private readonly ownHost: string;
  /** The domains of the handles of blocked actors, by the addresses of the actors. */
  private readonly blockedDomainByActor = new LRUCache<string, string>({
    maxSize: BLOCKED_BYTES,
    sizeCalculation: (domain, uri) => 2 * (domain.length + uri.length) + ENTRY_OVERHEAD_BYTES,
    ttl: BLOCKED_MS,
  });

  constructor(
    @Inject(ENV) env: Env,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly posts: StatusPolicies,
    private readonly texts: TextPolicies,
    private readonly dns: DnsBlockList,
    private readonly nsfw: NsfwApi,
  ) {
    this.ownHost = knownUrl(env.baseUrl).host;
  }

  onModuleInit(): void {
    this.posts.use(this);
    this.texts.use(this);
  }

  /**
   * Whether nothing is accepted from the server of an address, nor fetched there; also for the address of an actor whose
   * handle was found to be blocked.
   */
  isBlocked(uri: string): boolean {
    const domain = this.blockedDomainByActor.get(uri);
    return this.blocks([hostOf(uri) ?? '', ...(domain === undefined ? [] : [domain])]);
  }

  /** Whether nothing is fetched from the server of an address: it is blocked, or this server does not federate. */
  isClosedTo(uri: string): boolean {
    return !this.settings.get('instance.federating') || this.isBlocked(uri);
  }

  /** Whether nothing is accepted from an account of another server, nor fetched for it. */
  isAccountBlocked(account: Pick<AccountRow, 'apId' | 'domain'>): boolean {
    return this.blocks(serverNamesOf(account));
  }

  /** Whether people here cannot follow an account of another server: no Follow is sent there, or no answer accepted. */
  isOutOfReach(account: Pick<AccountRow, 'apId' | 'domain'>): boolean {
    const names = serverNamesOf(account);
    const quarantined = this.settings.get('instance.quarantined_instances');
    const isReached = this.settings.get('instance.federating') && !names.some((name) => listsHost(quarantined, name));
    return names.length > 0 && (!isReached || this.blocks(names));
  }

  /**
   * Whether nothing is accepted from an actor with a handle of this domain. The domain may be that of another server, so
   * a blocked actor is remembered: its next activity is refused before anything is fetched.
   */
  rememberIfBlocked(uri: string, domain: string): boolean {
    const isBlocked = this.blocks([hostOf(uri) ?? '', domain]);
    if (isBlocked) this.blockedDomainByActor.set(uri, domain);
    return isBlocked;
  }

  private blocks(servers: ServerNames): boolean {
    const others = servers.filter((name) => name !== this.ownHost);
    return this.uses('SimplePolicy') && isBlocked(others, this.settings);
  }

  /** Why an activity of another server has no effect here; undefined when all policies let it pass. */
  async refusal(activity: Activity, signer: AccountRow): Promise<string | undefined> {
    if (activity.type !== 'Delete' && (await this.isListed(signer))) return LISTED;
    for (const name of this.namesFor(signer)) {
      const { refusal, sparesFollowed } = POLICIES[name];
      const reason = refusal?.(activity, this.settings, signer, this.ownHost);
      const isSpared = sparesFollowed && reason !== undefined && (await this.isFollowedBy(activity.object.uri, signer));
      if (reason !== undefined && !isSpared) return `[${name}] ${reason}`;
    }
    return undefined;
  }

  /** Whether the zone of DNSRBLPolicy has the server of an account. */
  private async isListed(account: AccountRow): Promise<boolean> {
    if (account.domain === null || !this.namesFor(account).includes('DNSRBLPolicy')) return false;
    return this.dns.lists(serverNamesOf(account));
  }

  private async peopleOf({ mentions, parent, quotedAuthorId }: PolicyStatus): Promise<AccountRow[]> {
    const ids = unique([...mentions, parent?.authorId, quotedAuthorId]);
    return (await this.accounts.byIds(ids)).filter(isActive);
  }

  private async isAnswerToFollower(
    { parent }: PolicyStatus,
    { author }: Pick<StatusParties, 'author'>,
  ): Promise<boolean> {
    return parent !== null && (await this.follows.followersAmong(author.id, [parent.authorId])).length > 0;
  }

  private async isFollowedBy(uri: string, { id }: AccountRow): Promise<boolean> {
    const [target] = await this.accounts.byUris([uri]);
    return target !== undefined && (await this.follows.followersAmong(id, [target.id])).length > 0;
  }

  async refusesAuthorOf({ local, authorId }: StoredStatus): Promise<boolean> {
    const mayRefuse = (name: PolicyName) =>
      name === 'DNSRBLPolicy' || POLICIES[name].author?.(this.settings) !== undefined;
    if (local || !this.possible.some(mayRefuse)) return false; // no account is looked up
    const author = await this.accounts.byId(authorId);
    if (!author) return false;
    if (await this.isListed(author)) return true;
    return this.namesFor(author).some((name) => this.refusedAuthor(name, author));
  }

  async requireAccepted(texts: readonly string[], accountId?: string): Promise<void> {
    const given = texts.filter((text) => text.trim() !== '');
    if (given.length === 0 || !this.possible.some((name) => POLICIES[name].texts)) return;
    const account = accountId === undefined ? undefined : await this.accounts.byId(accountId);
    for (const name of account ? this.namesFor(account) : this.names) {
      const reason = POLICIES[name].texts?.(given, this.settings);
      if (reason !== undefined) throw new Unprocessable(refusalOf(`[${name}] ${reason}`));
    }
  }

  private refusedAuthor(name: PolicyName, author: AccountRow): string | undefined {
    return POLICIES[name].author?.(this.settings)?.(author);
  }

  /** A post or message as the policies leave it, or why it is refused. */
  async post(
    post: PolicyStatus,
    ends: Pick<StatusParties, 'author' | 'recipients' | 'isStored'>,
  ): Promise<PolicyStatus | string> {
    if (await this.isListed(ends.author)) return LISTED;
    const names = this.namesFor(ends.author);
    const people = names.some((name) => POLICIES[name].needsPeople) ? await this.peopleOf(post) : [];
    const hasNsfwPicture = names.includes('NsfwApiPolicy') && (await this.nsfw.findsSensitive(post.pictures));
    const parties = { ...ends, people, hasNsfwPicture };
    let result = post;
    for (const name of names) {
      const refused = isRemote(parties) ? this.refusedAuthor(name, parties.author) : undefined;
      const next = refused ?? POLICIES[name].post?.(result, this.settings, parties) ?? result;
      if (typeof next !== 'string') result = next;
      else if (!(POLICIES[name].sparesFollowed && (await this.isAnswerToFollower(post, parties))))
        return `[${name}] ${next}`;
    }
    return result;
  }

  /** A profile with a handle of a domain as it is stored. */
  profile(profile: RemoteActor, domain: string): RemoteActor {
    const account = { apId: profile.uri, domain };
    return this.namesFor(account).reduce(
      (each, name) => POLICIES[name].profile?.(each, this.settings, serverNamesOf(account)) ?? each,
      profile,
    );
  }

  async filter(authorId: string, post: PolicyStatus, addresseeIds: readonly string[]): Promise<PolicyStatus> {
    const concerns = (name: PolicyName) => POLICIES[name].concernsOwn?.(post, this.settings) ?? POLICIES[name].post;
    if (!this.possible.some(concerns)) return post; // no account is looked up
    const accounts = await this.accounts.byIds([authorId, ...addresseeIds]);
    const author = accounts.find(({ id }) => id === authorId);
    if (!author) return post;
    const recipients = accounts.filter(({ id }) => addresseeIds.includes(id)).map(({ apId }) => apId);
    const result = await this.post(post, { author, recipients });
    if (typeof result === 'string') throw new Unprocessable(refusalOf(result));
    return result;
  }

  /** The side effects of a new remote post. */
  effects(post: RemoteStatus, author: AccountRow): Effect[] {
    const names = this.namesFor(author);
    return names.flatMap((name) => POLICIES[name].effects?.(post, this.settings, author) ?? []);
  }

  /**
   * The names of servers that get no activity, or none that is not public. Domains with all their hosts begin with `*.`.
   */
  unreached(isPublic: boolean): string[] {
    const blocked = this.uses('SimplePolicy') ? this.settings.get('mrf_simple.reject') : [];
    const quarantined = isPublic ? [] : this.settings.get('instance.quarantined_instances');
    return hostReasons([...blocked, ...quarantined]).map(([host]) => host);
  }

  /** The policies for an actor: those of SubchainPolicy stand in its place. */
  private namesFor({ apId: uri, domain }: Pick<AccountRow, 'apId' | 'domain'>): readonly PolicyName[] {
    if (!this.uses('SubchainPolicy')) return this.names;
    const chained = this.subchains
      .filter(([pattern]) => [uri, domain ?? ''].some((text) => textPattern(pattern).isIn(text)))
      .flatMap(([, names]) => names);
    return this.names.flatMap((name) => (name === 'SubchainPolicy' ? chained : [name]));
  }

  /** The policies that anybody may meet. */
  private get possible(): readonly PolicyName[] {
    if (!this.uses('SubchainPolicy')) return this.names;
    return [...this.names, ...this.subchains.flatMap(([, names]) => names)];
  }

  private get subchains(): readonly (readonly [pattern: string, names: readonly PolicyName[]])[] {
    return this.settings.get('mrf.subchains');
  }

  private uses(name: PolicyName): boolean {
    return this.names.includes(name);
  }

  private get names(): readonly PolicyName[] {
    return this.settings.get('mrf.policies');
  }
}

/** What a policy says after its name, which is the same in all languages. */
function refusalOf(text: string): Reason {
  const [, policy = '', problem = text] = /^(\[\w+\] )?(.*)$/s.exec(text) ?? [];
  return joined([asReason(policy), asReason(problem)], '');
}
