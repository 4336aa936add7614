import { ConcurrentIndex } from '../concurrent-index.js';

export class WaitingReplies1763900040001 extends ConcurrentIndex {
  readonly name = 'WaitingReplies1763900040001';
  protected readonly index = 'statuses_waiting_replies';
  protected readonly definition =
    'on statuses (in_reply_to_uri) where in_reply_to_id is null and in_reply_to_uri is not null';
}
