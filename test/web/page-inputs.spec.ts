import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { accessOf, parametersOf } from '../../src/common/index.js';
import { SentFormBody } from '../../src/web/frame/sent-form.dto.js';
import { HOSTILE_IDS } from '../support/bad-input.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { useApp } from '../support/servers/app.js';

/** The fields of the pages of signed-in people are found in the code: each gets values that no page expects. */
const app = useApp({ once: ['alice'] });

beforeAll(async () => {
  await app.world.person('root', { admin: true });
});

interface PageRoute {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
}

type Handler = (...args: never[]) => unknown;

function routesOf(controller: Type<object>): PageRoute[] {
  const prototype = controller.prototype as Record<string, Handler>;
  const base = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat()[0];
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    if (typeof handler !== 'function' || accessOf(handler)?.kind !== 'session') return [];
    const path = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat()[0]!;
    const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
      string,
      { data?: unknown }
    >;
    const input = Object.values(args).find(({ data }) => typeof data === 'function')?.data as Type<object> | undefined;
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    const classes = [input, method === 'POST' && SentFormBody].filter((each) => typeof each === 'function');
    const fields = classes.flatMap((each) => parametersOf(each).map((field) => field.name));
    return [{ method, path: `/${base}/${path}`.replace(/\/{2,}/g, '/').replace(/\/$/, ''), fields }];
  });
}

const WRONG = [
  (name: string) => `${name}[a]=b`,
  (name: string) => `${name}[]=x&${name}[]=y`,
  (name: string) => `${name}=${'x'.repeat(6000)}`,
  (name: string) => `${name}=%00`,
  (name: string) => `${name}=-1`,
  (name: string) => `${name}=1e309`,
  (name: string) => `${name}=%27%22%3E%3Cscript%3E`,
];

it('answers bad input in every field of every page without a server error', async () => {
  const routes = app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) => (typeof metatype === 'function' ? routesOf(metatype as Type<object>) : []));
  expect(routes.length).toBeGreaterThan(60);
  const visit = await new BrowserVisit(app).signIn('root');
  await visit.get('/app/start');
  const token = visit.field('_csrf')!;
  const failures: unknown[] = [];
  for (const { method, path, fields } of routes) {
    const target = path.replace(/:\w+/g, 'nothing');
    for (const field of fields.length > 0 ? fields : ['unknown']) {
      for (const wrong of WRONG) {
        const query = wrong(field);
        const answer = await (method === 'GET'
          ? visit.get(`${target}?${query}`)
          : visit.send(target, field === '_csrf' ? query : `_csrf=${token}&${query}`));
        if (answer.status >= 500 || answer.text.includes('"><script>'))
          failures.push([method, path, query.slice(0, 60), answer.status]);
      }
    }
  }
  expect(failures).toEqual([]);
}, 180_000);

it('answers hostile ids without a server error', async () => {
  const visit = await new BrowserVisit(app).signIn('root');
  const failures: unknown[] = [];
  for (const path of [
    '/app/posts/',
    '/app/people/',
    '/app/lists/',
    '/app/chats/',
    '/app/tags/',
    '/app/staff/reports/',
    '/app/staff/accounts/',
    '/app/staff/posts/',
    '/auth/account/filters/',
  ])
    for (const id of HOSTILE_IDS) {
      const { status } = await visit.get(path + encodeURIComponent(id));
      if (status >= 500) failures.push([path, id, status]);
    }
  expect(failures).toEqual([]);
});
