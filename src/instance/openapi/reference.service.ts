import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Html, Json, type Locale, type Translator, translatorOf } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Brand, ENV, type Env } from '../../platform/index.js';
import { readExamples } from './examples.js';
import { openApiDocument } from './openapi.document.js';
import { referencePage } from './reference.page.js';
import { RouteCatalogue } from './route-catalogue.js';

/** The API reference. It is made on the first request and cached until the brand changes. */
@Injectable()
export class ReferenceService implements OnModuleInit {
  private document: Json | undefined;
  private readonly pages = new Map<Locale, Html>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly catalogue: RouteCatalogue,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.settings.onChange(['instance.compat_brand'], () => {
      this.document = undefined;
      this.pages.clear();
    });
  }

  /** As OpenAPI 3.1. */
  openApi(): Json {
    return (this.document ??= Json.join([
      Buffer.from(
        JSON.stringify(
          openApiDocument(this.catalogue.operations(), this.brand.word, this.env, translatorOf('en'), readExamples()),
        ),
      ),
    ]));
  }

  /** As a page, in the translator's language. */
  page(t: Translator): Html {
    const page = this.pages.get(t.locale) ?? referencePage(t, this.catalogue.operations(), this.brand.word);
    this.pages.set(t.locale, page);
    return page;
  }
}
