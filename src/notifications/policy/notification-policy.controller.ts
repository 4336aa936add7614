import { Get, Patch, Put } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, Scopes, Summary } from '../../common/index.js';
import { NotificationPolicyBody } from './notification-policy.dto.js';
import { NotificationPolicyService } from './notification-policy.service.js';
import { type NotificationPolicyJson, NotificationPolicyShape } from './notification-policy.shape.js';
import { NotificationPolicyView } from './notification-policy.view.js';

/** `/api/v2/notifications/policy` (reference): the caller's own. */
@ClientApi('v2', 'notifications/policy')
export class NotificationPolicyController {
  constructor(
    private readonly policies: NotificationPolicyService,
    private readonly view: NotificationPolicyView,
  ) {}

  @Summary('Shows which notifications the caller filters, and how many wait.')
  @Get()
  @Scopes('read:notifications')
  @Answers(NotificationPolicyShape)
  async show(@CurrentAccount() accountId: string): Promise<NotificationPolicyJson> {
    return this.view.policy(await this.policies.show(accountId));
  }

  @Summary('Changes which notifications the caller filters, like the request with PATCH.')
  @Put()
  @Scopes('write:notifications')
  @Answers(NotificationPolicyShape)
  async put(
    @CurrentAccount() accountId: string,
    @Input(NotificationPolicyBody) input: NotificationPolicyBody,
  ): Promise<NotificationPolicyJson> {
    return this.view.policy(await this.policies.change(accountId, input.changes()));
  }

  @Summary('Changes which notifications the caller filters; only the given fields change.')
  @Patch()
  @Scopes('write:notifications')
  @Answers(NotificationPolicyShape)
  patch(
    @CurrentAccount() accountId: string,
    @Input(NotificationPolicyBody) input: NotificationPolicyBody,
  ): Promise<NotificationPolicyJson> {
    return this.put(accountId, input);
  }
}
