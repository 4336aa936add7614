import { Injectable } from '@nestjs/common';
import type { Static } from 'typebox';
import { inOrder, Json, keyBy, NotFound, type Page, unique } from '../../common/index.js';
import { Brand, type ReadCache, ReadCaches, type Reading, valuesOf } from '../../platform/index.js';
import { type AccountBody, AccountBodies } from './account-bodies.js';
import { accountBody, accountCounts, type AccountCountsJson, ownAccount } from './account.body.js';
import { ChatTokens, type TokenIdentity } from './chat-tokens.js';
import { AccountRepository } from '../model/account.repository.js';
import type { AccountCounts, AccountRow } from '../model/account.rows.js';
import { notificationsOf, relationsOf } from '../model/subjects.js';
import type { AccountJson, ProfileShape, UserinfoShape } from '../model/account.shape.js';
import { UnreadConversations, UnreadNotifications } from './owner-counters.port.js';
import { RelationshipView } from './relationship.view.js';

/** The viewer, and how accounts are shown to it. Without a viewer they are shown as to anonymous callers. */
export interface ViewContext {
  readonly viewerId?: string | undefined;
  /** Whether muted content is shown too. */
  readonly withMuted?: boolean;
  /** Whether accounts carry the viewer's relationship to them (`with_relationships`). */
  readonly withRelationships?: boolean | undefined;
  /** Whether an admin or a moderator asks, who also sees hidden roles. Applies to single accounts only. */
  readonly isStaff?: boolean;
}

/** Fields of an account that only some lists carry. */
export type ListFields = Pick<AccountJson, 'block_expires_at' | 'mute_expires_at'>;

/** The viewer's part of one account, beside body and counters. */
interface OwnPart extends ListFields {
  readonly moved: Json | undefined;
  readonly relationship: Json | undefined;
}

/** Further fields of the owner's account. */
export interface OwnOptions {
  readonly settingsStore: boolean;
  /** The access token whose bearer may open the shoutbox. */
  readonly chatTokenFor?: TokenIdentity | undefined;
  /** Whether the account carries the relationship to its owner. */
  readonly withRelationships?: boolean | undefined;
}

const CACHE_BYTES = 3 * 1024 * 1024;
const OWNERS_BYTES = 2 * 1024 * 1024;
const NOTHING_UNREAD = { notifications: 0, conversations: 0, chats: 0 };

/**
 * Accounts as JSON (spec §2.1, reference Account). Bodies are cached by version; counters are read each time. One
 * statement for any number of accounts when bodies are cached, two when not, one more with relationships, and the same
 * again for accounts that some of them moved to.
 */
@Injectable()
export class AccountView {
  /** Accounts without relationships; that of the viewer under a key of its own. */
  private readonly cache: ReadCache<Json>;
  /** Accounts with the fields of their owners. */
  private readonly owners: ReadCache<Json>;

  constructor(
    private readonly brand: Brand,
    private readonly chatTokens: ChatTokens,
    private readonly repository: AccountRepository,
    private readonly bodies: AccountBodies,
    private readonly relationships: RelationshipView,
    private readonly notifications: UnreadNotifications,
    private readonly conversations: UnreadConversations,
    caches: ReadCaches,
  ) {
    this.cache = caches.create('accounts', CACHE_BYTES, (json) => json.size);
    this.owners = caches.create('account_owners', OWNERS_BYTES, (json) => json.size);
  }

  /** Accounts by id; unknown ids are left out. The caller checks whether the viewer may see them. */
  async many(ids: readonly string[], context: ViewContext): Promise<Map<string, Json>> {
    return valuesOf(await this.read(ids, context));
  }

  /**
   * Like {@link many}, with what each of them depends on.
   * @param load reads the rows of accounts that are not cached
   */
  async read(
    ids: readonly string[],
    context: ViewContext,
    load = (missing: readonly string[]): Promise<readonly AccountCounts[]> => this.begin(missing),
  ): Promise<Map<string, Reading<Json>>> {
    const { viewerId, withRelationships = false } = context;
    const relations = withRelationships && viewerId !== undefined ? [relationsOf(viewerId)] : [];
    const read = async (missing: readonly string[]) => {
      const rows = await load(missing);
      const rendered = await this.render(rows, context);
      const readings = new Map<string, Reading<Json>>();
      for (const { id, movedToId } of rows) {
        const json = rendered.get(id);
        if (json) readings.set(id, { value: json.packed(), subjects: unique([id, movedToId, ...relations]) });
      }
      return readings;
    };
    if (relations.length > 0) return read(ids);
    return this.cache.findMany(ids, (id) => (id === viewerId ? `own ${id}` : id), read);
  }

  /** First step of {@link many}: reads versions and counters, and in parallel the bodies that are not cached. */
  async begin(ids: readonly string[]): Promise<AccountCounts[]> {
    const wanted = unique(ids);
    if (wanted.length === 0) return [];
    const missing = wanted.filter((id) => !this.bodies.get(id));
    const [rows] = await Promise.all([
      this.repository.counts(wanted),
      missing.length === 0 ? undefined : this.bodies.load(missing),
    ]);
    return rows;
  }

  /**
   * Second step of {@link many}: no statement, unless a body is out of date, an account moved, or relationships are
   * wanted. `more` holds the fields that only this list adds.
   */
  async render<Row extends AccountCounts>(
    rows: readonly Row[],
    context: ViewContext,
    more?: (row: Row) => ListFields,
  ): Promise<Map<string, Json>> {
    const [bodies, relationships, moved] = await Promise.all([
      this.bodiesOf(rows),
      this.relationshipsOf(rows, context),
      this.movedTo(rows),
    ]);
    const rendered = new Map<string, Json>();
    for (const row of rows) {
      const body = bodies.get(row.id);
      if (!body) continue;
      const ownPart = { ...more?.(row), moved: moved.get(row.movedToId), relationship: relationships.get(row.id) };
      rendered.set(row.id, this.assemble(row, body, ownPart, context));
    }
    return rendered;
  }

  /**
   * {@link render} for many viewers at once, with as many statements as for one. Returns the accounts by viewer; only
   * accounts that are viewers themselves differ. Without relationships.
   */
  async renderShared(rows: readonly AccountCounts[]): Promise<(viewerId: string) => ReadonlyMap<string, Json>> {
    const [bodies, moved] = await Promise.all([this.bodiesOf(rows), this.movedTo(rows)]);
    const asSeen = (row: AccountCounts, viewerId?: string): [string, Json][] => {
      const body = bodies.get(row.id);
      const ownPart = { moved: moved.get(row.movedToId), relationship: undefined };
      return body ? [[row.id, this.assemble(row, body, ownPart, { viewerId })]] : [];
    };
    const forOthers = new Map(rows.flatMap((row) => asSeen(row)));
    const byId = keyBy(rows, ({ id }) => id);
    return (viewerId) => {
      const own = byId.get(viewerId);
      return own ? new Map([...forOthers, ...asSeen(own, viewerId)]) : forOthers;
    };
  }

  /** A page of accounts in its order; see {@link render}. */
  async page<Row extends AccountCounts>(
    page: Page<Row>,
    context: ViewContext,
    more?: (row: Row) => ListFields,
  ): Promise<Page<Json>> {
    return page.with(await this.list(page.items, context, more));
  }

  /** Accounts in their order; see {@link render}. */
  async list<Row extends AccountCounts>(
    rows: readonly Row[],
    context: ViewContext,
    more?: (row: Row) => ListFields,
  ): Promise<Json[]> {
    const ids = rows.map(({ id }) => id);
    return inOrder(ids, await this.render(rows, context, more));
  }

  /** A single account that was looked up: its owner also gets the owner's fields. */
  async one(row: AccountRow, context: ViewContext): Promise<Json> {
    if (row.id === context.viewerId) return this.own(row.id, { ...context, settingsStore: false });
    if (context.isStaff && !row.showRole) return this.withRoles(row, context);
    const json = (await this.read([row.id], context, () => Promise.resolve([row]))).get(row.id);
    if (!json) throw new NotFound();
    return json.value;
  }

  /** {@link one} as an object, for pages, mails and views that show parts of it. */
  async object(row: AccountRow, context: ViewContext): Promise<AccountJson> {
    return objectOf(await this.one(row, context));
  }

  /** {@link list} as objects. */
  async objects(rows: readonly AccountCounts[], context: ViewContext): Promise<AccountJson[]> {
    return (await this.list(rows, context)).map(objectOf);
  }

  /** {@link many} as objects. */
  async objectsById(ids: readonly string[], context: ViewContext): Promise<Map<string, AccountJson>> {
    return new Map([...(await this.many(ids, context))].map(([id, json]) => [id, objectOf(json)]));
  }

  /** The counters of accounts as they are shown to any viewer; undefined for unknown ids. One statement. */
  async counts(ids: readonly string[]): Promise<(id: string, viewerId: string) => AccountCountsJson | undefined> {
    const rows = keyBy(await this.repository.counts(unique(ids)), ({ id }) => id);
    return (id, viewerId) => {
      const row = rows.get(id);
      return row && accountCounts(row, id === viewerId);
    };
  }

  /** Includes hidden roles; rendered each time, since few viewers see them. */
  private async withRoles(row: AccountRow, context: ViewContext): Promise<Json> {
    const [relationships, moved] = await Promise.all([this.relationshipsOf([row], context), this.movedTo([row])]);
    const ownPart = { moved: moved.get(row.movedToId), relationship: relationships.get(row.id) };
    return this.assemble(row, this.bodies.render({ ...row, showRole: true }), ownPart, context);
  }

  /**
   * The account as its owner sees it (CredentialAccount): three parallel statements, and more when it moved.
   * @throws NotFound when there is no such local account
   */
  own(accountId: string, options: OwnOptions): Promise<Json> {
    return this.owners.find(JSON.stringify([accountId, options]), async () => {
      const { json, movedToId } = await this.readOwn(accountId, options);
      const own = [accountId, relationsOf(accountId), notificationsOf(accountId)];
      return { value: json.packed(), subjects: unique([...own, movedToId]) };
    });
  }

  /**
   * The profile of a local account as its owner typed it. All profiles here show media, replies to them and pins.
   * @throws NotFound when there is no such local account
   */
  async ownProfile(accountId: string): Promise<Static<typeof ProfileShape>> {
    const row = await this.repository.own(accountId);
    if (!row) throw new NotFound();
    const extras = { settingsStore: false, chatToken: undefined, unread: NOTHING_UNREAD };
    const { source, svc, ...account } = ownAccount(row, this.bodies.context, extras);
    return {
      id: account.id,
      display_name: account.display_name,
      note: source.note,
      fields: source.fields,
      avatar: account.avatar,
      avatar_static: account.avatar_static,
      avatar_description: svc.avatar_description,
      header: account.header,
      header_static: account.header_static,
      header_description: svc.header_description,
      locked: account.locked,
      bot: account.bot,
      hide_collections: source.hide_collections,
      discoverable: source.discoverable,
      indexable: source.indexable,
      show_media: true,
      show_media_replies: true,
      show_featured: true,
      attribution_domains: source.attribution_domains,
      featured_tags: [],
    };
  }

  /**
   * Who a local account is, in the claims of OpenID Connect.
   * @throws NotFound when there is no such local account
   */
  async userinfo(accountId: string): Promise<Static<typeof UserinfoShape>> {
    const row = await this.repository.own(accountId);
    if (!row) throw new NotFound();
    const { context } = this.bodies;
    const { uri, display_name: name, username, url, avatar } = accountBody(row, context);
    return { iss: context.baseUrl, sub: uri, name, preferred_username: username, profile: url, picture: avatar };
  }

  private async readOwn(accountId: string, { settingsStore, chatTokenFor, withRelationships }: OwnOptions) {
    const [row, news, conversations, relationships] = await Promise.all([
      this.repository.own(accountId),
      this.notifications.unread(accountId),
      this.conversations.unread(accountId),
      this.relationshipsOf([{ id: accountId }], { viewerId: accountId, withRelationships }),
    ]);
    if (!row) throw new NotFound();
    const chatToken = chatTokenFor ? this.chatTokens.seal(chatTokenFor) : undefined;
    const extras = { settingsStore, chatToken, unread: { ...news, conversations } };
    const { source, svc, ...account } = ownAccount(row, this.bodies.context, extras);
    const { svc: sourceExtension, ...plainSource } = source;
    const key = this.brand.word;
    const json = Json.object({
      ...account,
      moved: (await this.movedTo([row])).get(row.movedToId) ?? null,
      source: { ...plainSource, [key]: sourceExtension },
      [key]: Json.object({ ...svc, relationship: relationships.get(accountId) ?? {} }),
    });
    return { json, movedToId: row.movedToId };
  }

  /** The active accounts that others moved to, by id, as anonymous callers see them; without a further move. */
  private async movedTo(rows: readonly Pick<AccountCounts, 'movedToId'>[]): Promise<Map<string | null, Json>> {
    const ids = unique(rows.map((row) => row.movedToId));
    if (ids.length === 0) return new Map();
    const targets = await this.repository.countsOfActive(ids);
    return this.render(
      targets.map((target) => ({ ...target, movedToId: null })),
      {},
    );
  }

  private assemble(
    row: AccountCounts,
    body: AccountBody,
    { moved, relationship, ...fields }: OwnPart,
    { viewerId }: ViewContext,
  ): Json {
    return Json.extend(body.account, {
      ...accountCounts(row, row.id === viewerId),
      ...fields,
      moved: moved ?? null,
      [this.brand.word]: Json.extend(body.extension, { relationship: relationship ?? {} }),
    });
  }

  private async bodiesOf(rows: readonly AccountCounts[]): Promise<Map<string, AccountBody>> {
    const bodies = new Map<string, AccountBody>();
    const outdated: string[] = [];
    for (const { id, version } of rows) {
      const body = this.bodies.get(id);
      if (body && body.version >= version) bodies.set(id, body);
      else outdated.push(id);
    }
    if (outdated.length === 0) return bodies;
    for (const [id, body] of await this.bodies.load(outdated)) bodies.set(id, body);
    return bodies;
  }

  private async relationshipsOf(
    rows: readonly Pick<AccountCounts, 'id'>[],
    { viewerId, withRelationships = false }: ViewContext,
  ): Promise<Map<string, Json>> {
    if (!withRelationships || viewerId === undefined || rows.length === 0) return new Map();
    return this.relationships.byId(
      viewerId,
      rows.map(({ id }) => id),
    );
  }
}

/** Rendered accounts are cached as bytes only: to parse them costs less than to read their rows again (ADR 25). */
function objectOf(json: Json): AccountJson {
  return json.parse() as AccountJson;
}
