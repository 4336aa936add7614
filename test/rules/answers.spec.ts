import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteCatalogue } from '../../src/instance/openapi/route-catalogue.js';
import { startApp, type TestApp } from '../support/app.js';

/** Routes that never answer with success. */
const REFUSING = ['GET /api/v1/featured_tags', 'GET /api/v1/streaming'];

describe('the routes of the API', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('say by @Answers what they answer', () => {
    const routes = app.get(RouteCatalogue).all();
    const silent = routes.filter(({ path, answer }) => path.startsWith('/api/') && answer === undefined);
    expect(silent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(REFUSING);
  });
});
