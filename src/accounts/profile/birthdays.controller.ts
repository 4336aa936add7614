import { Get } from '@nestjs/common';
import {
  Answers,
  CurrentAccount,
  inOrder,
  Input,
  type Json,
  Summary,
  ValidationStatus,
  Scopes,
  SvcApi,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { AccountsService } from '../core/accounts.service.js';
import { BirthdaysQuery } from './profile.dto.js';
import { AccountShape } from '../model/account.shape.js';

/** `GET C/birthdays` (spec §4.3): the caller's followees that have their birthday. */
@SvcApi('birthdays')
@ValidationStatus()
export class BirthdaysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly view: AccountView,
  ) {}

  @Summary('Lists the accounts that the caller follows and that have their birthday on a day.')
  @Get()
  @Scopes('read:accounts')
  @Answers([AccountShape])
  async on(@CurrentAccount() viewerId: string, @Input(BirthdaysQuery) day: BirthdaysQuery): Promise<Json[]> {
    const rows = await this.accounts.birthdays(viewerId, day);
    return inOrder(
      rows.map(({ id }) => id),
      await this.view.render(rows, { viewerId }),
    );
  }
}
