import { Json } from '../../common/index.js';
import { socketFrame } from '../connections/socket-frame.js';

/** The address of the shoutbox. */
export const SHOUTBOX_PATH = '/socket/websocket';

/** A message of Phoenix's channel protocol in its second version: a JSON array of these five values. */
export interface ChannelMessage {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** Returns undefined for anything that is not a message. */
export function parseChannelMessage(value: unknown): ChannelMessage | undefined {
  if (!Array.isArray(value) || value.length !== 5) return undefined;
  const [joinRef, ref, topic, event, payload] = value as unknown[];
  const isRead = isRef(joinRef) && isRef(ref) && typeof topic === 'string' && typeof event === 'string';
  return isRead ? { joinRef, ref, topic, event, payload } : undefined;
}

/** The payload may be rendered JSON. */
function channelFrame({ joinRef, ref, topic, event, payload }: ChannelMessage) {
  const values = [joinRef, ref, topic, event, payload].map((value) => Json.of(value));
  return { bytes: socketFrame(Json.array(values).toBuffer()) };
}

/** An event for all sessions that joined the topic; it replies to no message. */
export function pushed(topic: string, event: string, payload: unknown) {
  return channelFrame({ joinRef: null, ref: null, topic, event, payload });
}

/** The reply to a message; `reason` is given when it failed. */
export function replyTo(message: ChannelMessage, reason?: string) {
  const payload = reason === undefined ? { status: 'ok', response: {} } : { status: 'error', response: { reason } };
  return channelFrame({ ...message, event: 'phx_reply', payload });
}

function isRef(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}
