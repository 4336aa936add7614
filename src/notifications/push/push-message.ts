import { createHash } from 'node:crypto';
import type { Settings, VapidPair } from '../../config/index.js';
import type { OutboundRequest } from '../../platform/index.js';
import type { PushRow } from './push-subscription.repository.js';

/** With whose key a push is signed, and whom the push service may turn to: a URL of https or mailto. */
export interface PushSender extends VapidPair {
  readonly subject: string;
}

/** How long push services keep what they cannot hand on yet. */
const TTL_SECONDS = 172_800;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_TOPIC_LENGTH = 32;

/** Whether pushes to a subscription are encrypted as RFC 8291 says: as its app wants it, else as the operator does (reference: not). */
export function isStandard({ standard }: Pick<PushRow, 'standard'>, settings: Settings): boolean {
  return standard ?? !settings.get('push.legacy_encryption');
}

/**
 * The request that hands a push to its push service: encrypted for the subscriber (RFC 8291, or the drafts before it), signed
 * with our key (RFC 8292). A push that is sent twice has one topic, so that an undelivered first one is replaced (RFC 8030).
 */
export async function pushRequest(
  push: PushRow,
  payload: string,
  sender: PushSender,
  standard: boolean,
): Promise<OutboundRequest> {
  const { default: webpush } = await import('web-push'); // only servers that push need it
  const { subject, publicKey, privateKey } = sender;
  const { p256dh, auth } = push;
  const endpoint = new URL(push.endpoint).href; // the library reads addresses in a way of its own
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject, publicKey, privateKey },
    contentEncoding: standard ? 'aes128gcm' : 'aesgcm',
    TTL: TTL_SECONDS,
    urgency: 'normal',
    topic: topicOf(push),
  });
  return {
    url: endpoint,
    method: 'POST',
    headers: asText(headers),
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  };
}

/** Says nothing to the push service but that two pushes are the same. */
function topicOf({ subscription_id, notification_id, token_sealed }: PushRow): string {
  const topic = createHash('sha256').update(`${subscription_id} ${notification_id} `).update(token_sealed);
  return topic.digest('base64url').slice(0, MAX_TOPIC_LENGTH);
}

/** The length is for the fetcher to say. */
function asText(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(entries.filter(([name]) => name !== 'content-length'));
}
