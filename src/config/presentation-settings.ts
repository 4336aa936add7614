import { Injectable, type OnModuleInit } from '@nestjs/common';
import { localeOf, Pages } from '../common/index.js';
import { Brand, Mailer } from '../platform/index.js';
import { Settings } from './store/settings.js';

/** Passes the server's name, brand and default language to the API, pages and mails, at the start and on change. */
@Injectable()
export class PresentationSettings implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly pages: Pages,
    private readonly mailer: Mailer,
    private readonly brand: Brand,
  ) {}

  onModuleInit(): void {
    this.push();
    const paths = [
      'name',
      'notify_email',
      'languages',
      'source_url',
      'compat_brand',
      'public',
      'registrations_open',
    ] as const;
    this.settings.onChange(
      paths.map((path) => `instance.${path}` as const),
      () => this.push(),
    );
  }

  private push(): void {
    const name = this.settings.get('instance.name').replace(/[\s\p{Cc}]+/gu, ' ');
    const [language = 'en'] = this.settings.get('instance.languages');
    this.pages.configure({
      name,
      sourceUrl: this.settings.get('instance.source_url'),
      locale: localeOf(language) ?? 'en',
      isOpen: this.settings.get('instance.public'),
      mayJoin: this.settings.get('instance.registrations_open'),
    });
    this.brand.configure({ word: this.settings.get('instance.compat_brand') });
    this.mailer.configure({ from: { name, address: this.settings.get('instance.notify_email') } });
  }
}
