import { Inject, Injectable } from '@nestjs/common';
import { type AccountJson, defaultAvatarUrl } from '../../../accounts/index.js';
import type { AdminUserJson } from '../../../admin/index.js';
import { bdi, type Html } from '../../../common/index.js';
import { MediaUrls } from '../../../media/index.js';
import { Brand, ENV, type Env } from '../../../platform/index.js';
import type { StatusJson } from '../../../statuses/index.js';
import { nameOf } from '../../parts/emoji.part.js';
import { type ShownContext, shownPerson, type ShownStatus, shownStatus } from '../../parts/shown.js';

/** A person on the pages of the staff. */
export interface StaffPerson {
  readonly id: string;
  readonly name: Html;
  /** `alice`, or `bob@remote.example`. */
  readonly acct: string;
  readonly avatar: string;
}

/** Bodies of the API as the pages of the staff show them. */
@Injectable()
export class StaffShown {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly files: MediaUrls,
  ) {}

  person(account: AccountJson): StaffPerson {
    const shown = shownPerson(account, this.context);
    return { id: account.id, name: nameOf(shown), acct: account.acct, avatar: shown.avatar };
  }

  user({ id, display_name: name, nickname: acct, avatar }: AdminUserJson): StaffPerson {
    const isShown = this.files.isTrusted(avatar);
    return { id, name: bdi(name), acct, avatar: isShown ? avatar : defaultAvatarUrl(this.env.baseUrl) };
  }

  status(status: StatusJson): ShownStatus {
    return shownStatus(status, this.context);
  }

  private get context(): ShownContext {
    return { brand: this.brand.word, baseUrl: this.env.baseUrl, isTrusted: (url) => this.files.isTrusted(url) };
  }
}
