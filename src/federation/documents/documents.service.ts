import { Inject, Injectable } from '@nestjs/common';
import {
  activityUri,
  Invalid,
  localDomains,
  noticeUrl,
  NotFound,
  objectUri,
  profileUrl,
  quoteApprovalUri,
} from '../../common/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { type AttachmentRow, MediaUrls } from '../../media/index.js';
import { ENV, type Env, type ReadCache, ReadCaches, type Reading } from '../../platform/index.js';
import { type ReblogRow, DocumentsRepository } from './documents.repository.js';
import { Activities, type Activity, reblogAddressing } from '../render/activities.js';
import { actorDocument, type ActorSource } from '../render/actor.js';
import { noteDocument, type NoteSource, type NoteContext } from '../render/note.js';
import { approvalDocument } from '../render/quote.js';
import type { ResourceDescription } from '../render/xrd.js';
import { instanceActorName, instanceActorUri, relayActorUri } from '../signatures/signing-keys.js';
import { ACTIVITY_LD_JSON, ACTIVITY_STREAMS, PUBLIC } from '../wire/uris.js';

/** The page on which accounts of this server follow others. */
const SUBSCRIBE = 'http://ostatus.org/schema/1.0/subscribe';
/** What the owner of a handle may want to do with things of other servers (FEP-3b86). */
const INTENTS = 'https://w3id.org/fep/3b86/';
const RESOURCE = /^(?:(?:acct:)?@?[^@/\s]+@[^@/\s]+|https?:\/\/\S+)$/i;

/** A document for other servers; `gone` marks a tombstone. */
export interface ApDocument {
  readonly body: Record<string, unknown>;
  readonly gone: boolean;
  /** The page with the same content. */
  readonly pageUrl?: string;
}

/** A WebFinger description as JSON, and as it was made. */
export interface WebfingerAnswer {
  readonly description: ResourceDescription;
  readonly bytes: Buffer;
}

const CACHE_BYTES = 2 * 1024 * 1024;
/** A document is cached as bytes and as an object. */
const COPIES = 4;

/** Makes the documents for other servers: actors, notes, WebFinger. */
@Injectable()
export class DocumentsService {
  /** Documents for everybody. */
  private readonly cache: ReadCache<ApDocument>;
  private readonly descriptions: ReadCache<WebfingerAnswer>;
  private readonly ownDomains: readonly string[];

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly urls: MediaUrls,
    private readonly emoji: EmojiCache,
    @Inject(ENV) private readonly env: Env,
    caches: ReadCaches,
  ) {
    this.cache = caches.create('documents', CACHE_BYTES, ({ body }) => COPIES * jsonOf(body).length);
    this.ownDomains = localDomains(env);
    this.descriptions = caches.create('webfinger', CACHE_BYTES, ({ bytes }) => COPIES * bytes.length);
  }

  /** The actor document of a local account, or the tombstone of one. */
  async actor(nickname: string): Promise<ApDocument> {
    const document = await this.cache.find(`@${nickname.toLowerCase()}`, () => this.readActor(nickname));
    return document ?? this.deletedActor(nickname);
  }

  private async readActor(nickname: string): Promise<Reading<ApDocument> | undefined> {
    const account = await this.documents.actor(nickname);
    if (!account) return undefined;
    const pageUrl = profileUrl(this.env.baseUrl, account.nickname);
    return { value: { body: this.actorBody(account), gone: false, pageUrl }, subjects: [account.id] };
  }

  /** The actor document of a local account, also of a hidden one. @throws NotFound */
  async actorById(accountId: string): Promise<Record<string, unknown>> {
    const account = await this.documents.actorById(accountId);
    if (!account) throw new NotFound();
    return this.actorBody(account);
  }

  private actorBody(account: ActorSource): Record<string, unknown> {
    const pictureUrl = (stored: string) => this.urls.absolute(stored);
    const { displayName: name, noteHtml: note, fields } = account;
    const emojis = this.emoji.tagsOf({
      plain: [name, ...fields.map((field) => field.name)],
      html: [note, ...fields.map(({ value }) => value)],
    });
    const { baseUrl, handleDomain } = this.env;
    return actorDocument(account, { baseUrl, handleDomain, pictureUrl, emojis });
  }

  /** The page and the document of the active account with an id. */
  async addressesOf(id: string): Promise<{ page: string; document: string } | undefined> {
    const account = await this.documents.addresses(id);
    if (!account) return undefined;
    const { nickname, domain, apId: document, url } = account;
    return { page: domain === null ? profileUrl(this.env.baseUrl, nickname) : (url ?? document), document };
  }

  /**
   * A local post that the reader may see, or its tombstone; '' stands for anonymous readers. Throws NotFound for all
   * other posts.
   */
  async object(id: string, readerId = ''): Promise<ApDocument> {
    const uri = objectUri(this.env.baseUrl, id);
    const read = () => this.readNote(uri, readerId);
    const document = readerId === '' ? await this.cache.find(uri, read) : (await read())?.value;
    if (document) return document;
    const tombstone = await this.documents.tombstone(uri);
    if (!tombstone) throw new NotFound('Not found');
    return tombstoneDocument(uri, tombstone.formerType, tombstone.deletedAt);
  }

  private async readNote(uri: string, readerId: string): Promise<Reading<ApDocument> | undefined> {
    const note = await this.documents.note(uri, this.env.handleDomain, readerId);
    if (!note) return undefined;
    const pageUrl = noticeUrl(this.env.baseUrl, note.id);
    const value = { body: this.noteBody(note), gone: false, pageUrl };
    const end = Date.parse(note.poll?.expiresAt ?? '');
    return { value, subjects: [note.id], endsAt: end > Date.now() ? end : undefined };
  }

  /** The Create of such a post, or the tombstone of the post. Throws NotFound for all other posts. */
  async creation(id: string, readerId = ''): Promise<ApDocument> {
    const { body, gone, pageUrl } = await this.object(id, readerId);
    if (gone) return { body, gone };
    return { body: new Activities(this.env.baseUrl).create(body), gone, ...(pageUrl === undefined ? {} : { pageUrl }) };
  }

  /** A public local post by its id and the name of its author. Throws NotFound for all other posts. */
  async status(nickname: string, id: string): Promise<ApDocument> {
    const uri = await this.documents.uriOf(nickname, id);
    if (uri === undefined) throw new NotFound('Not found');
    return this.object(uri.slice(uri.lastIndexOf('/') + 1));
  }

  /** The consent of a local author to a quote. Throws NotFound where there is none, or no longer. */
  async quoteApproval(id: string): Promise<ApDocument> {
    const approval = await this.documents.quoteApproval(quoteApprovalUri(this.env.baseUrl, id));
    if (!approval) throw new NotFound('Not found');
    return { body: approvalDocument(this.env.baseUrl, approval), gone: false };
  }

  /** A boost, or another public activity that was sent lately. Throws NotFound for all others. */
  async activity(id: string): Promise<ApDocument> {
    const uri = activityUri(this.env.baseUrl, id);
    const reblog = await this.documents.reblog(uri);
    if (reblog) return { body: this.announcement(reblog), gone: false };
    const body = await this.documents.activity(uri);
    if (!body || ![...body.to, ...body.cc].includes(PUBLIC)) throw new NotFound('Not found');
    return { body, gone: false };
  }

  /** The activity of a public or unlisted boost. */
  announcement({ uri, actor, author, object, visibility, createdAt: published }: ReblogRow): Activity {
    const addressees = reblogAddressing(visibility, actor, author) ?? { to: [], cc: [] };
    return new Activities(this.env.baseUrl).announce(uri, actor, object, { ...addressees, published });
  }

  private async deletedActor(nickname: string): Promise<ApDocument> {
    const actor = await this.documents.deletedActor(nickname);
    if (!actor) throw new NotFound('Not found');
    return tombstoneDocument(actor.apId, actor.actorType, actor.deletedAt);
  }

  /** The document of a local post, of any visibility. */
  noteBody(note: NoteSource): Record<string, unknown> {
    const fileUrl = (attachment: AttachmentRow) => this.urls.originOf(attachment);
    const titles = note.poll?.options.map(({ title }) => title) ?? [];
    const emojisOf: NoteContext['emojisOf'] = (version) =>
      this.emoji.tagsOf({
        html: [version.contentHtml],
        plain: [version.spoiler, ...(version === note ? titles : [])],
      });
    return noteDocument(note, { baseUrl: this.env.baseUrl, fileUrl, emojisOf });
  }

  /**
   * The WebFinger description of a local account or of the server's own actor (RFC 7033), for any resource that names it.
   * @throws Invalid for what is no handle and no address
   */
  async webfinger(resource: string): Promise<WebfingerAnswer> {
    if (!RESOURCE.test(resource)) throw new Invalid('Bad Request');
    const nickname = this.nicknameOf(resource);
    const description = await this.descriptions.find(nickname ?? '', async () => {
      const account = nickname === undefined ? undefined : await this.documents.actor(nickname);
      return account && { value: asJson(this.description(account)), subjects: [account.id] };
    });
    return description ?? asJson(this.instanceWebfinger(resource, nickname));
  }

  private description(account: ActorSource): ResourceDescription {
    const { apId: id, avatarUrl: avatar } = account;
    const interact = `${this.env.baseUrl}/authorize_interaction?uri={object}`;
    return {
      subject: `acct:${account.nickname}@${this.env.handleDomain}`,
      aliases: [id, ...account.alsoKnownAs],
      links: [
        { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: id },
        { rel: 'self', type: 'application/activity+json', href: id },
        { rel: 'self', type: ACTIVITY_LD_JSON, href: id },
        { rel: SUBSCRIBE, template: `${this.env.baseUrl}/ostatus_subscribe?acct={uri}` },
        { rel: `${INTENTS}Follow`, template: interact },
        { rel: `${INTENTS}Object`, template: interact },
        ...(avatar === null ? [] : [{ rel: 'http://webfinger.net/rel/avatar', href: this.urls.absolute(avatar) }]),
      ],
    };
  }

  /** Some servers look up every actor that signs a request. */
  private instanceWebfinger(resource: string, nickname: string | undefined): ResourceDescription {
    const { baseUrl, handleDomain } = this.env;
    const actors = [
      [instanceActorUri(baseUrl), instanceActorName(handleDomain)],
      [relayActorUri(baseUrl), 'relay'],
    ] as const;
    const [id, name] = actors.find((each) => resource === each[0] || nickname?.toLowerCase() === each[1]) ?? [];
    if (id === undefined) throw new NotFound("Couldn't find user");
    return {
      subject: `acct:${name}@${this.env.handleDomain}`,
      aliases: [id],
      links: [{ rel: 'self', type: 'application/activity+json', href: id }],
    };
  }

  /** `acct:name@host`, `name@host`, `@name@host`, the address of an actor or its page; undefined for none of this server. */
  private nicknameOf(resource: string): string | undefined {
    const address = [`${this.env.baseUrl}/users/`, profileUrl(this.env.baseUrl, '')].find((each) =>
      resource.startsWith(each),
    );
    if (address !== undefined) return resource.slice(address.length);
    const [, nickname, host] = /^(?:acct:)?@?([^@/\s]+)@([^@/\s]+)$/i.exec(resource) ?? [];
    return host !== undefined && this.ownDomains.includes(host.toLowerCase()) ? nickname : undefined;
  }
}

const rendered = new WeakMap<object, Buffer>();

/** A body as JSON: rendered once for each cached document. */
export function jsonOf(body: object): Buffer {
  let bytes = rendered.get(body);
  if (!bytes) rendered.set(body, (bytes = Buffer.from(JSON.stringify(body))));
  return bytes;
}

const asJson = (description: ResourceDescription): WebfingerAnswer => ({
  description,
  bytes: Buffer.from(JSON.stringify(description)),
});

function tombstoneDocument(id: string, formerType: string, deleted: string): ApDocument {
  return { body: { '@context': ACTIVITY_STREAMS, id, type: 'Tombstone', formerType, deleted }, gone: true };
}
