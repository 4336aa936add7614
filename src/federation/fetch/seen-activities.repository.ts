import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, purge, someRow, sql } from '../../platform/index.js';
import type { Activity } from '../wire/activity.js';
import { instrumentOf } from '../wire/quote.js';

/** An activity and the account whose key signed it. */
export interface Signed {
  readonly activity: Activity;
  readonly signerId: string;
}

/** What became of an activity that was allowed its effect. */
export interface Outcome extends Signed {
  /** False when nothing was there to change. */
  readonly hadEffect: boolean;
}

interface DigestRow {
  /** Hexadecimal. */
  readonly digest: string;
}

/**
 * Types that would have their effect twice. All others change nothing the second time, and several servers give a new Undo,
 * Follow, Like, Announce or Update the id of an earlier activity.
 */
const REMEMBERED: readonly string[] = ['Create', 'Flag', 'Move'];
/** Types that have no effect after a Delete of their object. */
const OF_OBJECTS: readonly string[] = ['Create', 'Update'];
/** How long what was undone or deleted before it came stays undone. Servers retry a Create for days. */
const UNDONE_HOURS = 6;
const DELETED_HOURS = 14 * 24;
const DAYS = 14;

// Of the first those that are new, which are remembered; of the others those that are remembered.
const claim = sql<DigestRow>(
  'seen_activities.claim',
  `with fresh as (
     insert into seen_activities (digest) select decode(hex, 'hex') from unnest($1::text[]) hex order by 1
     on conflict do nothing returning digest),
   gone as (
     select s.digest from unnest($2::text[], $3::int[]) as given (hex, hours)
     join seen_activities s on s.digest = decode(hex, 'hex') and s.received_at > now() - hours * interval '1 hour')
   select encode(digest, 'hex') as digest from fresh union all select encode(digest, 'hex') from gone`,
);

// In the order of the URIs, so that no two units wait for each other.
const lock = sql(
  'seen_activities.lock',
  `select pg_advisory_xact_lock(hashtextextended(uri, 0)) from unnest($1::text[]) uri`,
);

const settle = sql(
  'seen_activities.settle',
  `insert into seen_activities (digest)
   select decode(hex, 'hex') from unnest($1::text[], $2::text[]) as given (hex, unless)
   where unless is null or not ${someRow(`seen_activities s where s.digest = decode(unless, 'hex')`)}
   order by 1
   on conflict (digest) do update set received_at = now()`,
);

const forget = sql('seen_activities.forget', `delete from seen_activities where digest = decode($1, 'hex')`);

/**
 * Remembers the activities that had their effect, and what was undone or deleted before it came (threats F9, F25, F30).
 * Always with their signer: what another account signs proves nothing about an id. All that writes `seen_activities`.
 */
@Injectable()
export class SeenActivitiesRepository {
  constructor(private readonly db: Database) {}

  /**
   * Which of some activities may have their effect: they had none yet, and were not undone before. Remembers them, in the
   * unit of work that stores their effects. What brings an object and what deletes it wait for each other.
   */
  async claim(activities: readonly Signed[]): Promise<boolean[]> {
    const own = activities.map(ownDigest);
    const undone = activities.map(undoneDigests);
    const looked = undone.flat();
    const fresh = own.filter((each) => each !== null);
    const locked = this.lock(activities.flatMap(({ activity }) => deletedUri(activity) ?? broughtUris(activity)));
    if (fresh.length === 0 && looked.length === 0) {
      await locked;
      return activities.map(() => true);
    }
    const given = [fresh, looked.map(({ digest }) => digest), looked.map(({ hours }) => hours)];
    const [rows] = await Promise.all([this.db.rows(claim, given), locked]); // they leave together, the lock first
    const found = new Set(rows.map(({ digest }) => digest));
    return activities.map((_, at) => {
      const mine = own[at] ?? null;
      return (mine === null || found.delete(mine)) && !undone[at]?.some(({ digest }) => found.has(digest));
    });
  }

  /** Remembers what Undos and Deletes found nothing of: it comes after them. In the same unit of work. */
  async settle(outcomes: readonly Outcome[]): Promise<void> {
    const seen = outcomes.flatMap((outcome) => markOf(outcome) ?? []);
    if (seen.length === 0) return;
    await this.db.run(settle, [seen.map(({ digest }) => digest), seen.map(({ unless }) => unless ?? null)]);
  }

  /** Remembers that what an activity brought has ended without its Undo, which may come later or came just now. */
  async noteEnd(signerId: string, uri: string): Promise<void> {
    await this.db.run(settle, [[digestOf('undid', signerId, uri)], [null]]);
    await this.db.run(forget, [digestOf('undone', signerId, uri)]);
  }

  /**
   * Whether an account deleted an object before it came. At the beginning of the unit of work that stores the object: a Delete
   * that comes meanwhile waits for its end, and finds the object.
   */
  async isDeleted(signerId: string, uri: string): Promise<boolean> {
    await this.lock([uri]);
    return (await this.db.rows(claim, [[], [digestOf('deleted', signerId, uri)], [DELETED_HOURS]])).length > 0;
  }

  /** Forgets that an account deleted an object: it restored it. At the beginning of the unit of work that stores the object. */
  async forgetDeletion(signerId: string, uri: string): Promise<void> {
    await this.lock([uri]);
    await this.db.run(forget, [digestOf('deleted', signerId, uri)]);
  }

  /** Waits for the units of work that store or delete some objects, and lets later ones wait for this unit. */
  async lock(uris: readonly string[]): Promise<void> {
    if (uris.length > 0) await this.db.rows(lock, [uris.toSorted()]);
  }

  async purge(): Promise<void> {
    const old = { table: 'seen_activities', where: `received_at < now() - $1 * interval '1 day'`, by: 'received_at' };
    await purge(this.db, old, [DAYS]);
  }
}

/** The hash under which an activity is remembered, hexadecimal; null for types that need none. */
export function ownDigest({ activity: { type, id }, signerId }: Signed): string | null {
  return REMEMBERED.includes(type) ? digestOf('seen', signerId, id) : null;
}

/** Under which an earlier Undo of it, or Delete of what it brings, would be remembered. */
function undoneDigests({ activity, signerId }: Signed): { digest: string; hours: number }[] {
  const { type, id } = activity;
  if (type === 'Undo' || type === 'Delete') return [];
  const deleted = broughtUris(activity).map((uri) => ({
    digest: digestOf('deleted', signerId, uri),
    hours: DELETED_HOURS,
  }));
  return OF_OBJECTS.includes(type)
    ? deleted
    : [...deleted, { digest: digestOf('undone', signerId, id), hours: UNDONE_HOURS }];
}

/**
 * What is stored with an activity and a Delete may name: its object, the boost that an Announce is, and the post of the actor
 * that a boost or a request to quote embeds.
 */
function broughtUris(activity: Activity): string[] {
  const { type, id, object } = activity;
  if (type === 'QuoteRequest') return [instrumentOf(activity)].filter((uri) => uri !== undefined);
  if (type === 'Announce') return object.json ? [id, object.uri] : [id];
  return OF_OBJECTS.includes(type) ? [object.uri] : [];
}

/** What an activity deletes, but for accounts. */
function deletedUri({ type, object, actorUri }: Activity): string | undefined {
  return type === 'Delete' && object.uri !== '' && object.uri !== actorUri ? object.uri : undefined;
}

/** Copies of an Undo or Delete find nothing either: they do not count when the first has had its effect. */
function markOf({
  activity: { type, object },
  signerId,
  hadEffect,
}: Outcome): { digest: string; unless?: string } | undefined {
  if (object.uri === '' || (type !== 'Undo' && type !== 'Delete')) return undefined;
  const done = digestOf('undid', signerId, object.uri);
  if (hadEffect) return { digest: done };
  return { digest: digestOf(type === 'Undo' ? 'undone' : 'deleted', signerId, object.uri), unless: done };
}

function digestOf(kind: 'seen' | 'undone' | 'undid' | 'deleted', signerId: string, uri: string): string {
  return hash('sha256', `${kind} ${signerId} ${uri}`);
}
