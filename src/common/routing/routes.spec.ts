import { Get, HttpCode, Post } from '@nestjs/common';
import { HTTP_CODE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { accessOf, AdminOnly, AppAuth, OptionalAuth, Public, Scopes } from './access.js';
import { AdminApi, ClientApi, RootApi, SvcApi } from './routes.js';

@ClientApi('v2', 'search')
class Client {
  @Get() @OptionalAuth('read:search') get() {
    return {};
  }
  @Post() @Scopes('write', 'follow') post() {
    return {};
  }
  @Post('made') @HttpCode(201) @AppAuth() made() {
    return {};
  }
}
@SvcApi('chats')
class Service {}
@AdminApi('users')
class Admin {
  @Get() @AdminOnly('admin:read') get() {
    return {};
  }
}
@RootApi('')
class Root {
  @Get() @Public() get() {
    return {};
  }
  @Get('none') none() {
    return {};
  }
  @Get('both') @Public() @Scopes() both() {
    return {};
  }
}

function handler(controller: { prototype: object }, name: string): object {
  return Reflect.get(controller.prototype, name) as object;
}

describe('controllers', () => {
  it.each([
    [Client, ['api/v2/search']],
    [Service, ['api/v1/svc/chats', 'api/svc/chats']],
    [Admin, ['api/v1/svc/admin/users', 'api/svc/admin/users']],
    [Root, ['']],
  ])('%s has routes at its prefixes', (controller, paths) => {
    expect(Reflect.getMetadata(PATH_METADATA, controller)).toEqual(paths);
  });

  it('answers a POST with 200 by default', () => {
    const codes = ['get', 'post', 'made'].map(
      (name) => Reflect.getMetadata(HTTP_CODE_METADATA, handler(Client, name)) as number | undefined,
    );
    expect(codes).toEqual([undefined, 200, 201]);
  });
});

describe('accessOf', () => {
  it('returns the only rule of a handler', () => {
    expect(accessOf(handler(Client, 'get'))).toEqual({ kind: 'optional', scopes: ['read:search'] });
    expect(accessOf(handler(Client, 'post'))).toEqual({ kind: 'user', scopes: ['write', 'follow'] });
    expect(accessOf(handler(Client, 'made'))).toEqual({ kind: 'app', scopes: [] });
    expect(accessOf(handler(Admin, 'get'))).toEqual({ kind: 'admin', scopes: ['admin:read'] });
    expect(accessOf(handler(Root, 'get'))).toEqual({ kind: 'public', scopes: [] });
  });

  it('returns undefined for a handler with no rule or with two', () => {
    expect(accessOf(handler(Root, 'none'))).toBeUndefined();
    expect(accessOf(handler(Root, 'both'))).toBeUndefined();
  });
});
