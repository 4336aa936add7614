import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { inReferenceShapes } from '../../../src/common/answers/reference-shapes.js';
import { checkShape } from '../shape.js';
import type { Decoder } from './decoder.js';
import { iceCubes } from './ice-cubes.js';
import { mastodonAndroid } from './mastodon-android.js';
import { mastodonWeb } from './mastodon-web.js';
import { tusky } from './tusky.js';

const DECODERS: Readonly<Record<string, Decoder>> = {
  Tusky: tusky,
  'Mastodon for Android': mastodonAndroid,
  'Ice Cubes': iceCubes,
  'the front end of Mastodon': mastodonWeb,
};

/** What decoders call the answers with the titles of our shapes. Groups of notifications lack types for apps of the reference. */
const KINDS: Readonly<Record<string, keyof Decoder>> = {
  Account: 'account',
  Announcement: 'announcement',
  Boost: 'status',
  Context: 'context',
  Conversation: 'conversation',
  CredentialAccount: 'account',
  Filter: 'filter',
  InstanceV1: 'instanceV1',
  InstanceV2: 'instanceV2',
  List: 'list',
  Markers: 'markers',
  MutedAccount: 'account',
  Notification: 'notification',
  NotificationPolicy: 'policy',
  Post: 'status',
  Profile: 'profile',
  PushSubscription: 'push',
  Relationship: 'relationship',
  ScheduledStatus: 'scheduled',
  Status: 'status',
  Tag: 'tag',
};
/** Routes of extensions of this service, whose answers stay as they are. */
const OWN = /^[A-Z]+ \/api\/(?:v\d\/)?svc\//;

const validators = new Map<TSchema, Validator>();

/** Why apps of the reference could not read an answer in their shapes; empty when all can, and for what they do not read. */
export function undecodable(row: string, shape: TSchema, body: Buffer): string[] {
  const { title, items } = shape as TSchema & { title?: string; items?: { title?: string } };
  const kind = KINDS[title ?? items?.title ?? ''];
  if (kind === undefined || OWN.test(row)) return [];
  const value: unknown = JSON.parse(inReferenceShapes(body).toString());
  const read: unknown[] = Array.isArray(value) ? value : [value];
  return Object.entries(DECODERS).flatMap(([app, { [kind]: schema }]) => {
    if (!schema) return [];
    const wrong = read.filter((each) => !validatorOf(schema).Check(each)).slice(0, 1);
    return wrong.map((each) => `${app}: ${checkShape(schema, each).slice(0, 3).join('; ')}`);
  });
}

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema) ?? Compile(schema);
  validators.set(schema, known);
  return known;
}
