import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Get, Post, type Type } from '@nestjs/common';
import { startHttpApp } from '../../../test/support/servers/http-app.js';
import { AdminOnly, Public, Scopes } from './access.js';
import { listRoutes } from './route-audit.js';
import { AdminApi, ClientApi, RootApi, SvcApi } from './routes.js';

@ClientApi('v1', 'sound')
class Sound {
  @Get('literal') @Public() literal() {
    return {};
  }
  @Get(':id') @Scopes('read', 'read:statuses') byId() {
    return {};
  }
  @Post(':id') @Scopes('write') change() {
    return {};
  }
  @Get(':id/parts/:part') @Public() part() {
    return {};
  }
}

@RootApi('')
class Files {
  @Get('files/*path') @Public() file() {
    return {};
  }
  @Get('*path') @Public() page() {
    return {};
  }
}

@SvcApi('undeclared')
class Undeclared {
  @Get() open() {
    return {};
  }
  @Get('twice') @Public() @AdminOnly() twice() {
    return {};
  }
}

@ClientApi('v1', 'sound')
class Shadowed {
  @Get('late') @Public() late() {
    return {};
  }
  @Get(':name/parts/first') @Public() first() {
    return {};
  }
  @Post('literal') @Public() literal() {
    return {};
  }
  @Get(':id/other') @Public() other() {
    return {};
  }
}

@AdminApi('users')
class Admin {
  @Get() @AdminOnly('admin:read') list() {
    return {};
  }
}

describe('route audit', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-routes-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  const start = (...controllers: Type[]) => startHttpApp({ DATA_DIR: dataDir }, controllers);

  it('lists correct routes in their order', async () => {
    const http = await start(Sound, Admin, Files);
    expect(listRoutes(http.app)).toEqual([
      { method: 'GET', path: '/api/v1/sound/literal', access: 'public', scopes: [] },
      { method: 'GET', path: '/api/v1/sound/:id', access: 'user', scopes: ['read', 'read:statuses'] },
      { method: 'POST', path: '/api/v1/sound/:id', access: 'user', scopes: ['write'] },
      { method: 'GET', path: '/api/v1/sound/:id/parts/:part', access: 'public', scopes: [] },
      { method: 'GET', path: '/api/v1/svc/admin/users', access: 'admin', scopes: ['admin:read'] },
      { method: 'GET', path: '/api/svc/admin/users', access: 'admin', scopes: ['admin:read'] },
      { method: 'GET', path: '/files/*path', access: 'public', scopes: [] },
      { method: 'GET', path: '/*path', access: 'public', scopes: [] },
    ]);
    await http.close();
  });

  it('refuses to start with a handler without an access rule or with several', async () => {
    await expect(start(Undeclared)).rejects.toThrow(
      [
        'The routes are not sound:',
        '  GET /api/v1/svc/undeclared has no access rule',
        '  GET /api/v1/svc/undeclared/twice has several access rules',
        '  GET /api/svc/undeclared has no access rule',
        '  GET /api/svc/undeclared/twice has several access rules',
      ].join('\n'),
    );
  });

  it('refuses to start with a route that an earlier route of the same method hides', async () => {
    await expect(start(Sound, Shadowed)).rejects.toThrow(
      [
        'The routes are not sound:',
        '  GET /api/v1/sound/late is never reached: /api/v1/sound/:id takes its paths',
        '  GET /api/v1/sound/:name/parts/first is never reached: /api/v1/sound/:id/parts/:part takes its paths',
        '  POST /api/v1/sound/literal is never reached: /api/v1/sound/:id takes its paths',
      ].join('\n'),
    );
    await expect(start(Files, Sound)).rejects.toThrow('/*path takes its paths');
  });
});
