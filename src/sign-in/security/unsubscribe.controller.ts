import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  BooleanLike,
  html,
  Input,
  type PageContent,
  Pages,
  Public,
  RootApi,
  type Translator,
} from '../../common/index.js';
import { formPage, messagePage } from '../pages/form.pages.js';
import { UnsubscribeService } from './unsubscribe.service.js';

class UnsubscribeBody {
  /** Has the mails sent again. */
  @BooleanLike() again = false;
}

/**
 * The link at the foot of a mail. Opening it stops nothing, since mail programs open links; the form does, and so does
 * the button of a mail program (RFC 8058). The signed token is all that either needs.
 */
@RootApi('mailer/unsubscribe/:token')
export class UnsubscribeController {
  constructor(
    private readonly unsubscribes: UnsubscribeService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  ask(@Param('token') token: string, @Req() request: ApiRequest, @Res() response: Response): void {
    const t = this.pages.translator(request);
    if (this.unsubscribes.read(token)) this.send(response, t, page(t, token, 'stop'));
    else this.refuse(response, t);
  }

  @Post()
  @Public()
  async set(
    @Param('token') token: string,
    @Input(UnsubscribeBody) { again }: UnsubscribeBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const t = this.pages.translator(request);
    const subscription = this.unsubscribes.read(token);
    if (!subscription) {
      this.refuse(response, t);
      return;
    }
    await this.unsubscribes.set(subscription, !again);
    this.send(response, t, again ? messagePage(t.text('unsubscribe.again'), '') : page(t, token, 'again'));
  }

  private refuse(response: Response, t: Translator): void {
    this.send(response.status(404), t, messagePage(t.text('confirm.invalid.title'), t.text('unsubscribe.invalid')));
  }

  private send(response: Response, t: Translator, content: PageContent): void {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    this.pages.page(t, content).send(response);
  }
}

/** Offers to stop the mails; after that, to have them sent again. */
function page(t: Translator, token: string, offer: 'stop' | 'again'): PageContent {
  const [title, text, button] =
    offer === 'stop'
      ? ([t.text('unsubscribe.title'), t.text('unsubscribe.text'), t.text('unsubscribe.submit')] as const)
      : ([t.text('unsubscribe.done.title'), t.text('unsubscribe.done.text'), t.text('unsubscribe.undo')] as const);
  return formPage(
    title,
    undefined,
    html`<p class="lead">${text}</p>
      <form method="post" action="/mailer/unsubscribe/${token}">
        ${offer === 'again' && html`<input type="hidden" name="again" value="true" />`}
        <button>${button}</button>
      </form>`,
  );
}
