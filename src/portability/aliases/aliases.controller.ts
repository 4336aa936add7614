import { Delete, Get, Put } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  CurrentAccount,
  Describe,
  Described,
  Input,
  RequiredText,
  Scopes,
  SuccessShape,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { AliasesService } from './aliases.service.js';

const MAX_LENGTH = 2_048;
const SUCCESS = { status: 'success' } as const;

/** The aliases of an account (spec §4.2). */
const AliasesShape = Type.Object(
  { aliases: Described(Type.Array(Type.String()), 'The addresses of the other accounts.') },
  { additionalProperties: false, title: 'Aliases' },
);

class AliasBody {
  @Describe('The handle or the address of an account.')
  @RequiredText({ max: MAX_LENGTH })
  alias: string;
}

/** The caller's aliases (spec §4.2). */
@SvcApi('aliases')
export class AliasesController {
  constructor(private readonly aliases: AliasesService) {}

  @Summary("Lists the caller's aliases: other accounts that may move to this one.")
  @Get()
  @Scopes('read:accounts')
  @Answers(AliasesShape)
  async list(@CurrentAccount() accountId: string): Promise<{ aliases: string[] }> {
    return { aliases: await this.aliases.list(accountId) };
  }

  @Summary("Adds an alias: an account that may move to the caller's.")
  @Put()
  @Scopes('write:accounts')
  @Answers(SuccessShape)
  async add(@CurrentAccount() accountId: string, @Input(AliasBody) { alias }: AliasBody): Promise<typeof SUCCESS> {
    await this.aliases.add(accountId, alias);
    return SUCCESS;
  }

  @Summary('Removes an alias of the caller.')
  @Delete()
  @Scopes('write:accounts')
  @Answers(SuccessShape)
  async remove(@CurrentAccount() accountId: string, @Input(AliasBody) { alias }: AliasBody): Promise<typeof SUCCESS> {
    await this.aliases.remove(accountId, alias);
    return SUCCESS;
  }
}
