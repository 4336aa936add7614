import { Inject, Injectable } from '@nestjs/common';
import { Json, type Locale, type PageContent, type Translator } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { openApiDocument } from './openapi.document.js';
import { referencePage } from './reference.page.js';
import { RouteCatalogue } from './route-catalogue.js';

/** The reference of the API. It cannot change while the process runs, so it is made when somebody first asks, and kept. */
@Injectable()
export class ReferenceService {
  private document: Json | undefined;
  private readonly pages = new Map<Locale, PageContent>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly catalogue: RouteCatalogue,
  ) {}

  /** For programs (OpenAPI 3.1). */
  openApi(): Json {
    return (this.document ??= Json.join([
      Buffer.from(JSON.stringify(openApiDocument(this.catalogue.all(), this.env))),
    ]));
  }

  /** For people, in the language of the translator. */
  page(t: Translator): PageContent {
    const page = this.pages.get(t.locale) ?? referencePage(t, this.catalogue.all(), this.env.brand);
    this.pages.set(t.locale, page);
    return page;
  }
}
