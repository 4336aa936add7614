import type { AppBody, RegisteredAppBody } from './app.shape.js';
import type { AppRow } from './apps.repository.js';

/** An app's view of itself. */
export function appBody(app: AppRow, vapidKey: string): AppBody {
  return {
    id: app.id,
    name: app.name,
    website: app.website,
    scopes: [...app.scopes],
    redirect_uris: [...app.redirectUris],
    redirect_uri: app.redirectUris.join('\n'),
    vapid_key: vapidKey,
  };
}

/** An app with its credentials. */
export function registeredAppBody(app: AppRow, vapidKey: string): RegisteredAppBody {
  return { ...appBody(app, vapidKey), client_id: app.clientId, client_secret: app.clientSecret };
}
