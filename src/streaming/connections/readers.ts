import type { Auth } from '../../common/index.js';
import { covers } from '../../oauth/index.js';
import type { Session } from './session.js';
import type { FilterPlace } from '../../statuses/index.js';
import { placeOf, type Subscription } from './topics.js';

/** What of a sign-in decides what its connections get. */
export type ReaderAuth = Pick<Auth, 'accountId' | 'scopes' | 'appName'>;

/**
 * The sessions that get the same frames: they read a topic under one label, as the same account, with the same scopes and
 * by the same app. All visitors do.
 */
export class Readers {
  /** The account that statuses are rendered for; `''` (a visitor) when the token lacks the scope to read statuses. */
  readonly viewerId: string;
  readonly topic: string;
  /** The place whose filters apply. */
  readonly place: FilterPlace;
  /** The `stream` of frames, as JSON. */
  readonly label: string;
  private readonly members = new Set<Session>();
  private listed: readonly Session[] | undefined;

  constructor(
    { topic, label }: Subscription,
    /** Its key among those of the topic. */
    readonly key: string,
    readonly auth: ReaderAuth | undefined,
  ) {
    this.topic = topic;
    this.place = placeOf(topic);
    this.label = label;
    this.viewerId = this.allows('read:statuses') ? (auth?.accountId ?? '') : '';
  }

  /** Equal for sessions that get the same frames of a topic. */
  static keyOf(label: string, auth: ReaderAuth | undefined): string {
    return auth ? JSON.stringify([label, auth.accountId, auth.scopes, auth.appName]) : label;
  }

  get size(): number {
    return this.members.size;
  }

  /** The sessions as they are now. The list stays the same until one comes or goes. */
  get sessions(): readonly Session[] {
    this.listed ??= [...this.members];
    return this.listed;
  }

  /** Whether the token of the sessions covers a scope. */
  allows(scope: string): boolean {
    return this.auth !== undefined && covers(this.auth.scopes, scope);
  }

  add(session: Session): void {
    this.members.add(session);
    this.listed = undefined;
  }

  delete(session: Session): void {
    this.members.delete(session);
    this.listed = undefined;
  }
}
