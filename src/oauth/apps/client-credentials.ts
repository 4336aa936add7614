import { textProblem } from '../../common/index.js';
import { basicPair } from '../model/basic-pair.js';

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
const NONE: ClientCredentials = { id: '', secret: '' };

function basicCredentials(authorization: string | undefined): ClientCredentials | undefined {
  const pair = basicPair(authorization);
  if (!pair) return undefined;
  const credentials = { id: formDecoded(pair[0]), secret: formDecoded(pair[1]) };
  return Object.values(credentials).some(textProblem) ? NONE : credentials;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // many clients do not encode
  }
}
