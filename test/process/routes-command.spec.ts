import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { listRoutes } from '../../src/common/index.js';
import { startApp } from '../support/servers/app.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/routes.mjs', import.meta.url));

it('npm run routes prints the routes of the server without a running server', async () => {
  const app = await startApp();
  try {
    const printed = execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8', env: {} });
    const expected = listRoutes(app.nest).map(({ method, path, access, scopes }) =>
      [method, path, access, scopes.join('|')].join('\t'),
    );
    expect(printed.slice(0, -1).split('\n')).toEqual(expected);
  } finally {
    await app.close();
  }
});
