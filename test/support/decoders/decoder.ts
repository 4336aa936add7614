import { type TProperties, type TSchema, Type } from 'typebox';

/** The answers that every decoder reads, and those that some read. */
type Decoded =
  | 'account'
  | 'status'
  | 'notification'
  | 'relationship'
  | 'instanceV1'
  | 'instanceV2'
  | 'push'
  | 'filter'
  | 'list'
  | 'markers'
  | 'context'
  | 'search';
type SometimesDecoded = 'groups' | 'policy' | 'profile' | 'conversation' | 'announcement' | 'tag' | 'scheduled';

export type Decoder = Readonly<Record<Decoded, TSchema> & Partial<Record<SometimesDecoded, TSchema>>>;

export const text = Type.String();
export const flag = Type.Boolean();
export const count = Type.Integer();
export const url = Type.String({ pattern: /^https?:\/\/\S+$/ });
/** A moment that the date parsers of all apps read. */
export const moment = Type.String({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ });
export const VISIBILITY = Type.Enum(['public', 'unlisted', 'private', 'direct']);
export const CONTEXT = Type.Enum(['home', 'notifications', 'public', 'thread', 'account']);

/** May be absent or null. */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
/** May be absent, but not null: the decoder has a default for a missing key only. */
export const absent = <T extends TSchema>(schema: T) => Type.Optional(schema);
export const all = <T extends TSchema>(item: T) => Type.Array(item);
/** An object with at least these keys. */
export const object = (fields: TProperties) => Type.Object(fields);
