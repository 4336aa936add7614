import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import { Json, searchedDomain } from '../../common/index.js';
import { Settings, VapidKeys } from '../../config/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { Brand, Bus, ENV, type Env, Lazy, UnitOfWork } from '../../platform/index.js';
import { ActivityService } from '../figures/activity.service.js';
import { activityJson, rulesJson } from './instance-lists.view.js';
import { RULES_CHANGED, STAFF_CHANGED, TOTALS_REFRESHED } from '../model/instance.channels.js';
import type { InstanceFacts } from './instance-facts.js';
import { domainBlocks } from './instance-parts.view.js';
import { instanceV1, instanceV2 } from './instance.view.js';
import { PUBLISHED_GROUPS } from './policy-settings.js';
import { nodeInfo, type NodeInfoVersion } from './nodeinfo.view.js';
import { type RuleRow, RulesRepository } from '../rules/rules.repository.js';
import { type StaffMember, StaffRepository } from '../staff/staff.repository.js';
import { type Totals, TotalsRepository } from '../figures/totals.repository.js';

/** The public facts about the server besides its settings. */
export interface Overview {
  readonly totals: Totals;
  /** The nickname of the contact account; null when no administrator is publicly shown. */
  readonly contact: string | null;
  /** The rules of the server, in display order. */
  readonly rules: readonly Pick<RuleRow, 'text' | 'hint'>[];
}

/** Maximum number of servers that a search finds. */
const MOST_PEERS = 10;

interface Documents {
  readonly overview: Overview;
  readonly v1: Json;
  readonly v2: Json;
  readonly rules: Json;
  /** Undefined when the operator keeps them secret. */
  readonly domainBlocks: Json | undefined;
  readonly nodeInfo: Readonly<Record<NodeInfoVersion, Json>>;
}

/**
 * Caches the server's documents about itself as bytes, since machines poll them all day. A request costs no query; the
 * first one after a change renders the documents again.
 */
@Injectable()
export class InstanceDocuments implements OnModuleInit {
  private readonly documents = new Lazy(() => this.uow.outside(() => this.make()));
  private readonly domains = new Lazy(async () => {
    const names = await this.uow.outside(() => this.totals.domains());
    return { names, json: asBytes(names) };
  });
  private readonly weeks = new Lazy(() =>
    this.uow
      .outside(() => this.activities.weeks())
      .then(activityJson)
      .then(asBytes),
  );

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly settings: Settings,
    private readonly totals: TotalsRepository,
    private readonly staff: StaffRepository,
    private readonly ruleRows: RulesRepository,
    private readonly activities: ActivityService,
    private readonly accounts: AccountView,
    private readonly vapid: VapidKeys,
    private readonly emoji: EmojiCache,
    private readonly bus: Bus,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.settings.onChange(
      ['instance', 'restrict_unauthenticated', 'user', 'media_proxy', 'mrf', ...PUBLISHED_GROUPS, 'shout'],
      () => this.documents.drop(),
    );
    this.emoji.onChange(() => this.documents.drop()); // the contact's account may contain emoji
    for (const channel of [STAFF_CHANGED, RULES_CHANGED]) this.bus.subscribe(channel, () => this.documents.drop());
    this.bus.subscribe(TOTALS_REFRESHED, () => this.dropAll());
    this.bus.onGap(() => this.dropAll());
  }

  async overview(): Promise<Overview> {
    return (await this.documents.get()).overview;
  }

  /** `GET /api/v1/instance` */
  async v1(): Promise<Json> {
    return (await this.documents.get()).v1;
  }

  /** `GET /api/v2/instance` */
  async v2(): Promise<Json> {
    return (await this.documents.get()).v2;
  }

  async nodeInfo(version: NodeInfoVersion): Promise<Json> {
    return (await this.documents.get()).nodeInfo[version];
  }

  /** The domains of all known servers. */
  async peers(): Promise<Json> {
    return (await this.domains.get()).json;
  }

  /** The first known servers whose domains begin with a text; none for a blank one. */
  async peersNamed(beginning: string): Promise<string[]> {
    const prefix = searchedDomain(beginning.trim());
    if (prefix === '') return [];
    const { names } = await this.domains.get();
    return names.filter((name) => name.startsWith(prefix)).slice(0, MOST_PEERS);
  }

  /** The activity of the last twelve weeks. */
  activity(): Promise<Json> {
    return this.weeks.get();
  }

  /** `GET /api/v1/instance/rules` */
  async rules(): Promise<Json> {
    return (await this.documents.get()).rules;
  }

  /** `GET /api/v1/instance/domain_blocks`; undefined when the operator keeps them secret. */
  async domainBlocks(): Promise<Json | undefined> {
    return (await this.documents.get()).domainBlocks;
  }

  private dropAll(): void {
    this.documents.drop();
    this.domains.drop();
    this.weeks.drop();
  }

  private async make(): Promise<Documents> {
    const [totals, staff, vapidKey, rules] = await Promise.all([
      this.totals.current(),
      this.staff.visible(),
      this.vapid.publicKey(),
      this.ruleRows.all(),
    ]);
    const admin = staff.find(({ isAdmin }) => isAdmin); // the one with the longest membership
    const facts: InstanceFacts = {
      env: this.env,
      brand: this.brand.word,
      settings: this.settings,
      totals,
      vapidKey,
      rules,
      contact: admin ? await this.account(admin) : null,
      staff: staff.map(({ apId }) => apId),
    };
    const blocks = domainBlocks(this.settings);
    return {
      overview: { totals, contact: admin?.nickname ?? null, rules },
      v1: asBytes(instanceV1(facts)),
      v2: asBytes(instanceV2(facts)),
      rules: asBytes(rulesJson(rules)),
      domainBlocks: blocks && asBytes(blocks),
      nodeInfo: { '2.0': asBytes(nodeInfo(facts, '2.0')), '2.1': asBytes(nodeInfo(facts, '2.1')) },
    };
  }

  private async account({ id }: StaffMember): Promise<Json | null> {
    return (await this.accounts.many([id], {})).get(id) ?? null;
  }
}

function asBytes(value: unknown): Json {
  return Json.join([Json.of(value).toBuffer()]);
}
