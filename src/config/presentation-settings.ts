import { Injectable, type OnModuleInit } from '@nestjs/common';
import { localeOf, Pages } from '../common/index.js';
import { Mailer } from '../platform/index.js';
import { Settings } from './store/settings.js';

/** Passes the server's name and default language to pages and mails, at the start and on change. */
@Injectable()
export class PresentationSettings implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly pages: Pages,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.push();
    const paths = ['instance.name', 'instance.notify_email', 'instance.languages', 'instance.source_url'] as const;
    this.settings.onChange(paths, () => this.push());
  }

  private push(): void {
    const name = this.settings.get('instance.name').replace(/[\s\p{Cc}]+/gu, ' ');
    const [language = 'en'] = this.settings.get('instance.languages');
    this.pages.configure({
      name,
      sourceUrl: this.settings.get('instance.source_url'),
      locale: localeOf(language) ?? 'en',
    });
    this.mailer.configure({ from: { name, address: this.settings.get('instance.notify_email') } });
  }
}
