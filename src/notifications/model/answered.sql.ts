import { isPending } from '../../accounts/index.js';
import { someRow } from '../../platform/index.js';

/**
 * Whether nobody waits for an answer to a notification, which is a row with this name: requests to follow stay until they are
 * answered, however old they are. Index: follows_pair.
 */
export function isAnswered(row: string): string {
  const request = `follows f where f.follower_id = ${row}.from_id and f.followee_id = ${row}.receiver_id and ${isPending('f')}`;
  return `(${row}.type <> 'follow_request' or not ${someRow(request)})`;
}
