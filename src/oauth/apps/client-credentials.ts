import { textProblem } from '../../common/index.js';

/** The credentials of an app at `/oauth/token` and `/oauth/revoke`. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** The credentials in the body. */
interface BodyCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** The credentials of a client: HTTP Basic, else the body (RFC 6749 §2.3.1). A missing secret is empty. */
export function clientCredentials(
  authorization: string | undefined,
  body: BodyCredentials,
): ClientCredentials | undefined {
  const basic = basicCredentials(authorization);
  if (basic) return basic;
  return body.client_id === undefined ? undefined : { id: body.client_id, secret: body.client_secret ?? '' };
}

/** Bytes that are no text match no app: headers bypass the checks of bodies and addresses (threat H1). */
const NOBODY: ClientCredentials = { id: '', secret: '' };

function basicCredentials(authorization: string | undefined): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const credentials = { id: formDecoded(id), secret: formDecoded(secret.join(':')) };
  return Object.values(credentials).some(textProblem) ? NOBODY : credentials;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // many clients do not encode
  }
}
