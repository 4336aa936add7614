import { createHash } from 'node:crypto';
import type { Settings, VapidPair } from '../../config/index.js';
import { knownUrl, type OutboundRequest } from '../../platform/index.js';
import type { PushRow } from './push-subscription.repository.js';

/** The key that signs a push, and the contact for the push service: an https or mailto URL. */
export interface PushSender extends VapidPair {
  readonly subject: string;
}

/** How long push services store an undelivered push. */
const TTL_SECONDS = 172_800;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_TOPIC_LENGTH = 32;

/** Whether to encrypt by RFC 8291: as the app asked, else as the operator configured (reference: not). */
export function isStandard({ standard }: Pick<PushRow, 'standard'>, settings: Settings): boolean {
  return standard ?? !settings.get('push.legacy_encryption');
}

/**
 * The request to the push service, encrypted for the subscriber (RFC 8291, or the drafts before it) and signed with our
 * key (RFC 8292). A repeated push has the same topic, so that it replaces an undelivered first one (RFC 8030).
 */
export async function pushRequest(
  push: PushRow,
  payload: string,
  sender: PushSender,
  standard: boolean,
): Promise<OutboundRequest> {
  const { default: webpush } = await import('web-push'); // loaded only when a push is sent
  const { subject, publicKey, privateKey } = sender;
  const { p256dh, auth } = push;
  const endpoint = knownUrl(push.endpoint).href; // normalised, since the library parses URLs differently
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

/** A hash: the push service learns from it which pushes are the same, and nothing else. */
function topicOf({ subscriptionId, notificationId, tokenSealed }: PushRow): string {
  const topic = createHash('sha256').update(`${subscriptionId} ${notificationId} `).update(tokenSealed);
  return topic.digest('base64url').slice(0, MAX_TOPIC_LENGTH);
}

/** Leaves out the length: the fetcher sets it. */
function asText(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(entries.filter(([name]) => name !== 'content-length'));
}
