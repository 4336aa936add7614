/** Parts of the recorded documents: small ones as servers publish them, written after the public documentation of each. */
export const AS = 'https://www.w3.org/ns/activitystreams';
export const PUBLIC = `${AS}#Public`;
export const PEM = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n';

export type Document = Record<string, unknown>;

export function picture(server: string, file: string): Document {
  return { type: 'Image', mediaType: 'image/png', url: `https://${server}.test/emoji/${file}` };
}
