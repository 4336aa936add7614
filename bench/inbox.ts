import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { generateActorKey, type Ids, RequestSigner } from './built.ts';
import { postBytes } from './load.ts';
import { copyRows } from './fill/copy.ts';
import { BASE_URL } from './stage.ts';

const SENDERS = 20;
const INBOX = new URL(`${BASE_URL}/inbox`);
/** The address of everybody. */
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const SIGNED_AT_ONCE = 500;
/** Requests that are sent again and again, since nothing remembers them. */
const REPEATED = 2_000;

const signer = new RequestSigner();

/** Known accounts of other servers that send activities. */
export interface Senders {
  readonly uris: readonly string[];
  /** The key of each of them. */
  readonly key: KeyObject;
}

/** Adds accounts of other servers, which a local account follows. */
export async function seedSenders(sql: pg.Client, ids: Ids, followerId: string): Promise<Senders> {
  const { publicPem, privatePem } = await generateActorKey();
  const accounts = Array.from({ length: SENDERS }, (_, at) => {
    const home = `https://sender${at}.example`;
    const [apId, inbox] = [`${home}/users/sender`, `${home}/inbox`];
    const urls = {
      ap_id: apId,
      url: apId,
      inbox_url: inbox,
      shared_inbox_url: inbox,
      followers_url: `${apId}/followers`,
    };
    return { id: ids.next(), nickname: 'sender', domain: `sender${at}.example`, ...urls };
  });
  await copyRows(sql, 'accounts', accounts);
  await copyRows(
    sql,
    'account_stats',
    accounts.map(({ id }) => ({ account_id: id, followers_count: 1 })),
  );
  await copyRows(
    sql,
    'follows',
    accounts.map(({ id }) => ({ follower_id: followerId, followee_id: id })),
  );
  await sql.query('update account_stats set following_count = following_count + $2 where account_id = $1', [
    followerId,
    SENDERS,
  ]);
  await copyRows(
    sql,
    'remote_keys',
    accounts.map(({ ap_id: uri }) => ({ key_id: `${uri}#main-key`, owner_uri: uri, public_pem: publicPem })),
  );
  return { uris: accounts.map(({ ap_id: uri }) => uri), key: createPrivateKey(privatePem) };
}

/** Requests with a new public note each. */
export function creates(senders: Senders, count: number): Promise<Buffer[]> {
  return signedRequests(senders, count, (actor, number) => {
    const id = `${actor}/notes/${randomUUID()}`;
    const addressed = { to: [PUBLIC], cc: [`${actor}/followers`] };
    const published = new Date().toISOString();
    const content = `<p>Note number ${number}: something that fits on a line or two</p>`;
    const note = { id, type: 'Note', attributedTo: actor, content, published, ...addressed };
    return { id: `${id}/activity`, type: 'Create', published, ...addressed, object: note };
  });
}

/** The same requests with signatures that are not those of their senders. */
export async function forged({ uris }: Senders): Promise<Buffer[]> {
  const { privatePem } = await generateActorKey();
  return creates({ uris, key: createPrivateKey(privatePem) }, REPEATED);
}

/** Requests that say of an unknown account each that it is gone. */
export async function departures(): Promise<Buffer[]> {
  const { privatePem } = await generateActorKey();
  const uris = Array.from({ length: REPEATED }, (_, at) => `https://gone.example/users/gone${at}`);
  return signedRequests({ uris, key: createPrivateKey(privatePem) }, REPEATED, (actor) => {
    return { id: `${actor}#delete`, type: 'Delete', to: [PUBLIC], object: actor };
  });
}

/** Requests with activities; the senders take turns. */
export async function signedRequests(
  { uris, key }: Senders,
  count: number,
  activityOf: (actor: string, number: number) => object,
): Promise<Buffer[]> {
  const signed = async (_: unknown, number: number): Promise<Buffer> => {
    const actor = uris[number % uris.length]!;
    const activity = { '@context': 'https://www.w3.org/ns/activitystreams', actor, ...activityOf(actor, number) };
    const body = Buffer.from(JSON.stringify(activity));
    const signing = { keyId: `${actor}#main-key`, privateKey: key };
    const headers = await signer.sign({ method: 'POST', url: INBOX, headers: {}, body }, signing, 'cavage');
    return postBytes(INBOX.pathname, { 'content-type': 'application/activity+json', ...headers }, body);
  };
  const requests: Buffer[] = [];
  for (let left = count; left > 0; left -= SIGNED_AT_ONCE)
    requests.push(...(await Promise.all(Array.from({ length: Math.min(SIGNED_AT_ONCE, left) }, signed))));
  return requests;
}
