import { Describe, Nested, OptionalId, OptionalText, RequiredText } from '../../common/index.js';

const MAX_ADDRESS = 2_048;
const MAX_NAME = 512;
const MAX_SECRET = 4_096;

export class RemoteInteractionBody {
  @Describe('The id of an account or a post.')
  @RequiredText({ max: MAX_ADDRESS })
  ap_id: string;
  @Describe('The handle of the visitor on another server.')
  @RequiredText({ max: MAX_NAME })
  profile: string;
}

/** Names a local account or a post. */
export class SubjectQuery {
  @OptionalText({ max: MAX_NAME }) nickname?: string;
  @OptionalId() status_id?: string;
}

class UserBody {
  @OptionalText({ max: MAX_NAME }) nickname?: string;
  @OptionalText({ max: MAX_NAME }) profile?: string;
  /** The account to follow. */
  @OptionalId() id?: string;
}

class StatusBody {
  @OptionalId() status_id?: string;
  @OptionalText({ max: MAX_NAME }) profile?: string;
}

export class RemoteFollowBody extends SubjectQuery {
  @OptionalText({ max: MAX_NAME }) profile?: string;
  @Nested(() => UserBody) user?: UserBody;
  @Nested(() => StatusBody) status?: StatusBody;
}

export class SubscribeQuery {
  /** A handle, or the address of an account or a post. */
  @RequiredText({ max: MAX_ADDRESS }) acct: string;
}

export class LoginBody {
  @OptionalText({ max: MAX_NAME }) name = '';
  @OptionalText({ max: MAX_SECRET }) password = '';
  /** The account to follow. */
  @OptionalId() id?: string;
}

export class SubscribeBody {
  @Nested(() => UserBody) user?: UserBody;
  @Nested(() => LoginBody) authorization?: LoginBody;
}

export class AuthorizeQuery {
  @RequiredText({ max: MAX_ADDRESS }) uri: string;
}
