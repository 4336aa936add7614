/** The two halves of HTTP Basic credentials, as they were sent (RFC 7617). Undefined for any other header. */
export function basicPair(authorization: string | undefined): readonly [name: string, secret: string] | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [name = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [name, secret.join(':')];
}
