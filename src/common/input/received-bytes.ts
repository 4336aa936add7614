import type { IncomingMessage } from 'node:http';
import { ByteBudget } from '../../platform/index.js';

/** Most bytes of a body or a file over its limit that are read and dropped. */
export const MAX_DROPPED_BYTES = 16 * 1_048_576;

const MAX_BYTES = 8 * 1_048_576;
/** A part of a body costs some bytes more than it holds. */
const BYTES_PER_PART = 256;

const budget = new ByteBudget<IncomingMessage>(MAX_BYTES, (request) =>
  request.destroy(new Error('Too many bodies are being received')),
);

/**
 * Limits the memory of bodies that this process is receiving, without files: a few hundred slow clients must not fill
 * it (threat H25). Cuts off the body that began first.
 */
export const receivedBytes = {
  add: (request: IncomingMessage, part: Buffer): void => budget.add(request, part.length + BYTES_PER_PART),
  release: (request: IncomingMessage): void => budget.release(request),
};
