import { scopeWords } from '../../access/index.js';
import type { Translator } from '../../common/index.js';
import { KNOWN_SCOPES } from '../../oauth/index.js';
import type { Operation } from './route-catalogue.js';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** The access rule of an operation. One entry is sufficient: the scopes of a handler are alternatives. */
export function securityOf({ access: { kind, scopes } }: Operation): Requirement[] {
  if (kind === 'public') return [];
  const withToken: Requirement[] = scopes.length > 0 ? scopes.map((scope) => ({ oauth2: [scope] })) : [{ oauth2: [] }];
  if (kind === 'admin') return [...withToken, { adminToken: [] }];
  return kind === 'optional' ? [{}, ...withToken] : withToken;
}

/** The ways to authenticate, with a text for each scope (RFC 6749). */
export function securitySchemes(baseUrl: string, t: Translator): object {
  const scopes = Object.fromEntries(KNOWN_SCOPES.map((scope) => [scope, scopeText(scope, t)]));
  const tokenUrl = `${baseUrl}/oauth/token`;
  const authorizationUrl = `${baseUrl}/oauth/authorize`;
  return {
    oauth2: {
      type: 'oauth2',
      description: 'A token in the header `Authorization: Bearer …`. An app registers with `POST /api/v1/apps` first.',
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
        password: { tokenUrl, refreshUrl: tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes },
      },
    },
    adminToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Admin-Token',
      description:
        'The secret that the operator set in `ADMIN_TOKEN`: for scripts, with all rights of an administrator.',
    },
  };
}

/** A scope as the consent page words it. */
function scopeText(scope: string, t: Translator): string {
  const text = scopeWords(t, [scope]).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
