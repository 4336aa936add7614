import type { Env } from '../../platform/index.js';
import { documentContext } from '../wire/uris.js';
import { keyIdOf } from './signing-keys.js';

/** The document of an actor that is no account. */
export function serviceActor(
  { baseUrl }: Pick<Env, 'baseUrl'>,
  id: string,
  name: string,
  publicKeyPem: string,
): Record<string, unknown> {
  return {
    '@context': documentContext(baseUrl),
    id,
    type: 'Application',
    preferredUsername: name,
    name,
    url: id,
    inbox: `${id}/inbox`,
    endpoints: { sharedInbox: `${baseUrl}/inbox` },
    publicKey: { id: keyIdOf(id), owner: id, publicKeyPem },
    invisible: true,
  };
}
