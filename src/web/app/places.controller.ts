import { Get } from '@nestjs/common';
import { html, type PageAnswer, RootApi, SignedIn } from '../../common/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';

/** The navigation alone, with its numbers: the script takes them from here when there is news but no new post. */
@RootApi('app/places')
export class PlacesController {
  constructor(private readonly pages: SessionPages) {}

  @Get()
  @SignedIn()
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    const title = visit.t.text('app.places');
    return this.pages.open(visit, () => ({ title, main: html`<h1>${title}</h1>` }));
  }
}
