import { Invalid } from '../errors/errors.js';

/**
 * Bytes as UTF-8 text, without a byte order mark.
 * @throws Invalid for bytes that are no UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Invalid('The request is not UTF-8', { cause });
  }
}
