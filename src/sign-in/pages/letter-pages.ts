import { Injectable } from '@nestjs/common';
import { html, type Html, type PageContent, type Translator } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Mailer } from '../../platform/index.js';
import { formPage } from './form.pages.js';

/** Pages about a letter with a link. Where no letter is sent (no `SMTP_URL`), they lead to the staff, the same for every name. */
@Injectable()
export class LetterPages {
  constructor(
    private readonly mailer: Mailer,
    private readonly settings: Settings,
  ) {}

  /** Whether letters are sent. */
  get isOn(): boolean {
    return this.mailer.isOn;
  }

  /** A page with content that promises a letter, which is shown only if letters are sent. */
  page(t: Translator, title: string, content: Html): PageContent {
    return formPage(title, undefined, this.isOn ? content : this.staff(t));
  }

  private staff(t: Translator): Html {
    const email = this.settings.get('instance.email');
    const address = html`<a href="mailto:${encodeURI(email)}">${email}</a>`;
    return html`<p class="lead">${t.text('letters.none')}</p>
      ${email !== '' && html`<p>${t.html('landing.contact.mail', { address })}</p>`}`;
  }
}
