import { ForwardOnly } from '../forward-only.js';

/** Follow requests have a push alert of their own; subscriptions that had them with those of follows keep them. */
export class RequestAlerts1764000223200 extends ForwardOnly {
  readonly name = 'RequestAlerts1764000223200';
  protected readonly statements = `
    update push_subscriptions set alerts = array_append(alerts, 'follow_request')
    where 'follow' = any(alerts) and 'follow_request' <> all(alerts);`;
}
