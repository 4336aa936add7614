import { Get, Patch, Put } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, Scopes, Summary } from '../../common/index.js';
import { NotificationPolicyV1Body } from './notification-policy.dto.js';
import { NotificationPolicyService } from './notification-policy.service.js';
import { type NotificationPolicyV1Json, NotificationPolicyV1Shape } from './notification-policy.shape.js';
import { NotificationPolicyView } from './notification-policy.view.js';

/** `/api/v1/notifications/policy` (reference): the policy in its first form. */
@ClientApi('v1', 'notifications/policy')
export class NotificationPolicyV1Controller {
  constructor(
    private readonly policies: NotificationPolicyService,
    private readonly view: NotificationPolicyView,
  ) {}

  @Summary('Shows which notifications the caller filters, in the first form.', { deprecated: true })
  @Get()
  @Scopes('read:notifications')
  @Answers(NotificationPolicyV1Shape)
  async show(@CurrentAccount() accountId: string): Promise<NotificationPolicyV1Json> {
    return this.view.policyV1(await this.policies.show(accountId));
  }

  @Summary('Changes which notifications the caller filters, in the first form.', { deprecated: true })
  @Put()
  @Scopes('write:notifications')
  @Answers(NotificationPolicyV1Shape)
  async put(
    @CurrentAccount() accountId: string,
    @Input(NotificationPolicyV1Body) input: NotificationPolicyV1Body,
  ): Promise<NotificationPolicyV1Json> {
    return this.view.policyV1(await this.policies.change(accountId, input.changes()));
  }

  @Summary('Changes which notifications the caller filters, in the first form.', { deprecated: true })
  @Patch()
  @Scopes('write:notifications')
  @Answers(NotificationPolicyV1Shape)
  patch(
    @CurrentAccount() accountId: string,
    @Input(NotificationPolicyV1Body) input: NotificationPolicyV1Body,
  ): Promise<NotificationPolicyV1Json> {
    return this.put(accountId, input);
  }
}
