import { cavageHeaders, type PeerKey, type RawActor, rfc9421Headers, sha256, type SignOptions } from './raw-peer.js';

/** An activity as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** All parties that a forgery may name. */
export interface Cast {
  /** The honest actor, whose activity is forged. */
  readonly mo: RawActor;
  /** Another actor of the same server. */
  readonly ann: RawActor;
  /** An actor of another server. */
  readonly eve: RawActor;
  readonly otherKey: PeerKey;
  /** The actor document of a local person. */
  readonly local: string;
  /** The inbox that receives the forgery. */
  readonly inbox: string;
  /** Ids of keys with false documents; see the test. */
  readonly keys: Readonly<Record<'ofMoOnEve' | 'annAsMo' | 'unnamed' | 'privateKey', string>>;
}

/** A forged request to the inbox. */
export interface Forged {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly path?: string;
}

/** Makes a forgery of an activity; returns undefined for an activity that it does not change. */
export type Mutation = (activity: Json, cast: Cast) => Forged | undefined;

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

/** Signs by draft-cavage with an error. */
const cavage =
  (wrong: (cast: Cast, body: string) => SignOptions): Mutation =>
  (activity, cast) => {
    const body = JSON.stringify(activity);
    return { body, headers: cavageHeaders(cast.mo, cast.inbox, { body, ...wrong(cast, body) }) };
  };

/** Signs by RFC 9421 with an error. */
const newer =
  (wrong: (cast: Cast, body: string) => SignOptions): Mutation =>
  (activity, cast) => {
    const body = JSON.stringify(activity);
    return { body, headers: rfc9421Headers(cast.mo, cast.inbox, { body, ...wrong(cast, body) }) };
  };

/** Changes the headers of an honest request. */
const headers =
  (change: (honest: Record<string, string>, body: string) => Record<string, string>): Mutation =>
  (activity, { mo, inbox }) => {
    const body = JSON.stringify(activity);
    return { body, headers: change(cavageHeaders(mo, inbox, { body }), body) };
  };

/** Changes the header `Signature` of an honest request. */
const signature = (change: (value: string) => string): Mutation =>
  headers((honest) => ({ ...honest, signature: change(honest['signature'] ?? '') }));

/** Changes the headers of an honest request that is signed by RFC 9421. */
const newerHeaders =
  (change: (honest: Record<string, string>) => Record<string, string>): Mutation =>
  (activity, { mo, inbox }) => {
    const body = JSON.stringify(activity);
    return { body, headers: change(rfc9421Headers(mo, inbox, { body })) };
  };

/** Sends another activity, correctly signed by the honest actor or by another one. */
const lie =
  (change: (activity: Json, cast: Cast) => unknown, by: 'mo' | 'ann' | 'eve' = 'mo'): Mutation =>
  (activity, cast) => {
    const changed = change(activity, cast);
    if (changed === undefined) return undefined;
    const body = JSON.stringify(changed);
    return { body, headers: cavageHeaders(cast[by], cast.inbox, { body }) };
  };

/** Changes the embedded object, where there is one. */
const object = (change: (inner: Json, cast: Cast) => unknown, by: 'mo' | 'ann' | 'eve' = 'mo'): Mutation =>
  lie((activity, cast) => {
    const inner = activity['object'];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return undefined;
    const changed = change(inner as Json, cast);
    return changed === undefined ? undefined : { ...activity, object: changed };
  }, by);

/** Whether an activity needs an id. Some servers send the others without one, so a wrong id is ignored there. */
const needsId = ({ type }: Json) => !['Accept', 'Reject', 'Flag', 'Add', 'Remove'].includes(String(type));

const without = (...names: string[]): Mutation =>
  headers((honest) => Object.fromEntries(Object.entries(honest).filter(([name]) => !names.includes(name))));

const COVERED = ['(request-target)', 'host', 'date', 'digest'];
const COMPONENTS = ['@method', '@target-uri', 'content-digest'];
const but = (names: readonly string[], left: string) => ({ covered: names.filter((name) => name !== left) });

/** Only the owner of the object may send these. */
const OF_OWNERS = new Set(['Update', 'Delete', 'Undo', 'Accept', 'Reject', 'Move', 'Add', 'Remove']);

/** All forgeries, by the error in them. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'no signature': without('signature'),
  'an empty signature': signature(() => ''),
  'a signature of words': signature(() => 'Bearer 1234'),
  'a signature without a key': signature((value) => value.replace(/keyId="[^"]*",/, '')),
  'a truncated signature': signature((value) => value.replace(/.{9}"$/, '"')),
  'one bit of the signature flipped': signature((value) =>
    value.replace(/signature="(.)/, (_, first: string) => `signature="${first === 'A' ? 'B' : 'A'}`),
  ),
  'a parameter twice': signature((value) => `keyId="x",${value}`),
  'a covered header twice': cavage(() => ({ covered: [...COVERED, 'date'] })),
  'no digest': without('digest'),
  'the digest of another body': headers((honest) => ({ ...honest, digest: `SHA-256=${sha256('{}')}` })),
  'the digest of another body, signed': cavage(() => ({ digest: `SHA-256=${sha256('{}')}` })),
  'a digest by MD5 only': cavage(() => ({ digest: 'MD5=rL0Y20zC+Fzt72VPzMSk2A==' })),
  'a right and a wrong digest': cavage((_, body) => ({ digest: `SHA-256=${sha256(body)},SHA-256=${sha256('{}')}` })),
  'a digest that is not covered': cavage(() => but(COVERED, 'digest')),
  'a target that is not covered': cavage(() => but(COVERED, '(request-target)')),
  'a host that is not covered': cavage(() => but(COVERED, 'host')),
  'a date that is not covered': cavage(() => but(COVERED, 'date')),
  'nothing but the date covered': cavage(() => ({ covered: ['date'] })),
  'no list of what is covered': signature((value) => value.replace(/headers="[^"]*",/, '')),
  'the signature of a GET': cavage(() => ({ method: 'GET' })),
  'the signature for another path': cavage(() => ({ target: '/users/nobody/inbox' })),
  'the signature for another host': cavage(() => ({ host: 'other.example' })),
  'a date of 13 hours ago': cavage(() => ({ date: hoursAgo(13) })),
  'a date in two hours': cavage(() => ({ date: hoursAgo(-2) })),
  'another date than the signed one': headers((honest) => ({ ...honest, date: hoursAgo(1).toUTCString() })),
  'no date': without('date'),
  'a date in words': headers((honest) => ({ ...honest, date: 'yesterday' })),
  'the end of its life': signature((value) => `${value},expires=${Math.floor(Date.now() / 1000) - 60}`),
  'the algorithm HMAC': cavage(() => ({ algorithm: 'hmac-sha256' })),
  'the algorithm none': cavage(() => ({ algorithm: 'none' })),
  'the algorithm SHA-1': cavage(() => ({ algorithm: 'rsa-sha1' })),
  'another key under the same id': cavage(({ otherKey }) => ({ key: otherKey })),
  'the key of another actor of the server': cavage(({ ann }) => ({ keyId: ann.keyId, key: ann.key })),
  'the key of an actor of another server': cavage(({ eve }) => ({ keyId: eve.keyId, key: eve.key })),
  'a key of another server that names the actor as its owner': cavage(({ keys, otherKey }) => ({
    keyId: keys.ofMoOnEve,
    key: otherKey,
  })),
  'a key in a document with the id of another actor': cavage(({ keys, otherKey }) => ({
    keyId: keys.annAsMo,
    key: otherKey,
  })),
  'a key that its owner does not name': cavage(({ keys, otherKey }) => ({ keyId: keys.unnamed, key: otherKey })),
  'a private key as the public one': cavage(({ keys, otherKey }) => ({ keyId: keys.privateKey, key: otherKey })),
  'a key of this server': cavage(({ local }) => ({ keyId: `${local}#main-key` })),
  'a key that is no address': cavage(() => ({ keyId: 'mo' })),
  'a key in a file': cavage(() => ({ keyId: 'file:///etc/passwd#main-key' })),
  'a key on a private address': cavage(() => ({ keyId: 'http://169.254.169.254/users/mo#main-key' })),

  'RFC 9421 without its input': newerHeaders(({ 'signature-input': _, ...honest }) => honest),
  'RFC 9421 without a method': newer(() => but(COMPONENTS, '@method')),
  'RFC 9421 without a target': newer(() => but(COMPONENTS, '@target-uri')),
  'RFC 9421 without a digest': newer(() => but(COMPONENTS, 'content-digest')),
  'RFC 9421 with a wrong digest': newer(() => ({ digest: `sha-256=:${sha256('{}')}:` })),
  'RFC 9421 of another host': newer(() => ({ host: 'other.example' })),
  'RFC 9421 of another path': newer(() => ({ target: '/outbox' })),
  'RFC 9421 of 13 hours ago': newer(() => ({ date: hoursAgo(13) })),
  'RFC 9421 in two hours': newer(() => ({ date: hoursAgo(-2) })),
  'RFC 9421 with HMAC': newer(() => ({ algorithm: 'hmac-sha256' })),
  'RFC 9421 with another key': newer(({ otherKey }) => ({ key: otherKey })),
  'RFC 9421 with the key of another actor': newer(({ eve }) => ({ keyId: eve.keyId, key: eve.key })),
  'RFC 9421 under another label': newerHeaders((honest) => ({
    ...honest,
    signature: (honest['signature'] ?? '').replace('sig1', 'sig2'),
  })),
  'RFC 9421 with changed parameters': newerHeaders((honest) => ({
    ...honest,
    'signature-input': `${honest['signature-input']};tag="x"`,
  })),

  'another body than the signed one': (activity, { mo, inbox }) => {
    const signed = cavageHeaders(mo, inbox, { body: JSON.stringify(activity) });
    return { headers: signed, body: JSON.stringify({ ...activity, cc: [] }) };
  },
  'the same JSON with other spaces': (activity, { mo, inbox }) => {
    const signed = cavageHeaders(mo, inbox, { body: JSON.stringify(activity) });
    return { headers: signed, body: JSON.stringify(activity, null, 1) };
  },
  'another inbox than the signed one': (activity, { mo, inbox, local }) => {
    const body = JSON.stringify(activity);
    return { headers: cavageHeaders(mo, inbox, { body }), body, path: `${new URL(local).pathname}/inbox` };
  },

  'the type text/plain': headers((honest) => ({ ...honest, 'content-type': 'text/plain' })),
  'the type text/html': headers((honest) => ({ ...honest, 'content-type': 'text/html' })),
  'the type of a form': headers((honest) => ({ ...honest, 'content-type': 'application/x-www-form-urlencoded' })),
  'no type': without('content-type'),
  'a content coding': headers((honest) => ({ ...honest, 'content-encoding': 'gzip' })),
  'a list of activities': lie((activity) => [activity]),
  'a text': lie((activity) => JSON.stringify(activity)),

  'an id on another server': lie((activity, { eve }) => ({ ...activity, id: `${eve.uri}#forged` })),
  'an id on this server': lie((activity, { local }) => ({ ...activity, id: `${local}#forged` })),
  'an id that is an object': lie((activity) =>
    needsId(activity) ? { ...activity, id: { id: activity['id'] } } : undefined,
  ),
  'an id with a name and a password': lie((activity) =>
    needsId(activity) ? { ...activity, id: String(activity['id']).replace('http://', 'http://mo:mo@') } : undefined,
  ),
  'no actor': lie((activity) => ({ ...activity, actor: undefined })),
  'an actor of this server': lie((activity, { local }) => ({ ...activity, actor: local, id: `${local}#1` })),
  'an actor of another server': lie((activity, { eve }) => ({ ...activity, actor: eve.uri, id: `${eve.uri}#1` })),
  'another actor of the server': lie((activity, { ann }) => ({ ...activity, actor: ann.uri, id: `${ann.uri}#1` })),
  'two actors': lie((activity, { ann }) => ({ ...activity, actor: [ann.uri, activity['actor']] })),
  'no type of activity': lie((activity) => ({ ...activity, type: undefined })),
  'no object': lie((activity) => ({ ...activity, object: undefined })),
  'an object that is a number': lie((activity) => ({ ...activity, object: 42 })),
  // Of an embedded activity, which names an actor, the actor and the object count.
  'an embedded object of another server': object((inner, { eve }) =>
    'actor' in inner ? undefined : { ...inner, id: `${eve.uri}/1` },
  ),
  'an embedded object of this server': object((inner, { local }) =>
    'actor' in inner ? undefined : { ...inner, id: `${local}/1` },
  ),
  'an honest actor of another server, about what is not its own': lie(
    ({ type, id, ...activity }, { eve }) =>
      OF_OWNERS.has(String(type))
        ? { ...activity, type, actor: eve.uri, id: `${eve.uri}#${encodeURIComponent(String(id))}` }
        : undefined,
    'eve',
  ),
  'the signature of another actor of the server': lie((activity) => activity, 'ann'),
  'the signature of another server': lie((activity) => activity, 'eve'),
};
