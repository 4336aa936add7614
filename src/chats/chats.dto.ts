import { BooleanLike, Describe, Invalid, OptionalId, OptionalText, PageQuery } from '../common/index.js';

/** `GET /api/v1/svc/chats` (spec §4.2). */
export class ChatsQuery {
  @Describe('Whether to include chats with muted accounts.')
  @BooleanLike()
  with_muted?: boolean;
}

/** `GET /api/v2/svc/chats`. */
export class ChatPageQuery extends PageQuery {
  @Describe('Whether to include chats with muted accounts.')
  @BooleanLike()
  with_muted?: boolean;
}

/** `POST /api/v1/svc/chats/:id/messages` (spec §4.2). */
export class ChatMessageBody {
  /** The service checks the length, since its error differs from that of other texts. */
  @Describe('The text of the message.')
  @OptionalText({ max: Number.MAX_SAFE_INTEGER })
  content = '';
  @Describe('The id of an upload.')
  @OptionalId()
  media_id?: string;
}

/** `POST /api/v1/svc/chats/:id/read` (spec §4.2). */
export class ReadChatBody {
  @Describe('The id of the last message that was read.')
  @OptionalId()
  last_read_id?: string;

  /** Throws Invalid when it is missing. */
  upTo(): string {
    if (this.last_read_id === undefined) throw new Invalid('last_read_id is missing');
    return this.last_read_id;
  }
}
