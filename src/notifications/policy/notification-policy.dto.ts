import { BooleanLike, IdList, OneOf } from '../../common/index.js';
import { type NotificationPolicy, POLICY_ACTIONS, POLICY_FIELDS, type PolicyAction } from '../model/policy.js';

/** Omitted fields stay unchanged. */
export class NotificationPolicyBody {
  @OneOf(POLICY_ACTIONS) for_not_following?: PolicyAction;
  @OneOf(POLICY_ACTIONS) for_not_followers?: PolicyAction;
  @OneOf(POLICY_ACTIONS) for_new_accounts?: PolicyAction;
  @OneOf(POLICY_ACTIONS) for_private_mentions?: PolicyAction;
  @OneOf(POLICY_ACTIONS) for_limited_accounts?: PolicyAction;

  changes(): Partial<NotificationPolicy> {
    return given(this);
  }
}

/** The policy in its first form. */
export class NotificationPolicyV1Body {
  @BooleanLike() filter_not_following?: boolean;
  @BooleanLike() filter_not_followers?: boolean;
  @BooleanLike() filter_new_accounts?: boolean;
  @BooleanLike() filter_private_mentions?: boolean;

  changes(): Partial<NotificationPolicy> {
    return given({
      for_not_following: action(this.filter_not_following),
      for_not_followers: action(this.filter_not_followers),
      for_new_accounts: action(this.filter_new_accounts),
      for_private_mentions: action(this.filter_private_mentions),
    });
  }
}

export class RequestIdsBody {
  @IdList() id?: string[];
}

type Fields = { readonly [Field in keyof NotificationPolicy]?: PolicyAction | undefined };

function given(fields: Fields): Partial<NotificationPolicy> {
  return Object.fromEntries(POLICY_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]]] : [])));
}

function action(isFiltered: boolean | undefined): PolicyAction | undefined {
  if (isFiltered === undefined) return undefined;
  return isFiltered ? 'filter' : 'accept';
}
