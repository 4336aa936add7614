import { BooleanLike, Describe, IdList, OneOf } from '../../common/index.js';
import { type NotificationPolicy, POLICY_ACTIONS, POLICY_FIELDS, type PolicyAction } from '../model/policy.js';

/** Omitted fields stay unchanged. */
export class NotificationPolicyBody {
  @Describe('What happens to notifications by accounts that the caller does not follow.')
  @OneOf(POLICY_ACTIONS)
  for_not_following?: PolicyAction;
  @Describe('What happens to notifications by accounts that do not follow the caller.')
  @OneOf(POLICY_ACTIONS)
  for_not_followers?: PolicyAction;
  @Describe('What happens to notifications by new accounts.')
  @OneOf(POLICY_ACTIONS)
  for_new_accounts?: PolicyAction;
  @Describe('What happens to direct messages that the caller did not ask for.')
  @OneOf(POLICY_ACTIONS)
  for_private_mentions?: PolicyAction;
  @Describe('What happens to notifications by accounts that the staff limits.')
  @OneOf(POLICY_ACTIONS)
  for_limited_accounts?: PolicyAction;

  changes(): Partial<NotificationPolicy> {
    return given(this);
  }
}

/** The policy in its first form. */
export class NotificationPolicyV1Body {
  @Describe('Whether to filter accounts that the caller does not follow.')
  @BooleanLike()
  filter_not_following?: boolean;
  @Describe('Whether to filter accounts that do not follow the caller.')
  @BooleanLike()
  filter_not_followers?: boolean;
  @Describe('Whether to filter new accounts.')
  @BooleanLike()
  filter_new_accounts?: boolean;
  @Describe('Whether to filter direct messages that the caller did not ask for.')
  @BooleanLike()
  filter_private_mentions?: boolean;

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
  @Describe('The ids of the requests.')
  @IdList()
  id?: string[];
}

type Fields = { readonly [Field in keyof NotificationPolicy]?: PolicyAction | undefined };

function given(fields: Fields): Partial<NotificationPolicy> {
  return Object.fromEntries(POLICY_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]]] : [])));
}

function action(isFiltered: boolean | undefined): PolicyAction | undefined {
  if (isFiltered === undefined) return undefined;
  return isFiltered ? 'filter' : 'accept';
}
