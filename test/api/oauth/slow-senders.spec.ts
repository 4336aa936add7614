import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '../../support/eventually.js';
import { filesOf } from '../../support/fixtures/uploads.js';
import { ok } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';
import { picture } from '../../support/fixtures/media-files.js';

const app = useApp({ people: ['alice'], listening: true });

const PROFILE = 'PATCH /api/v1/accounts/update_credentials';
const INSTALL = 'POST /api/v1/svc/admin/frontends/install';

/** Sends a form with a file in two halves, more than a second apart by the clock of the server; returns the answer. */
async function sendSlowly(route: string, token: string, file: string, meanwhile: () => Promise<unknown>) {
  const head = `--b\r\nContent-Disposition: form-data; name="display_name"\r\n\r\nThief\r\n--b\r\nContent-Disposition: form-data; name="${file}"; filename="a"\r\n\r\n`;
  const content = await picture();
  const half = content.length >> 1;
  const end = '\r\n--b--\r\n';
  const socket = connect(Number(new URL(app.env.baseUrl).port), '127.0.0.1');
  const headers = {
    Host: 'x',
    Connection: 'close',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': head.length + content.length + end.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${route} HTTP/1.1\r\n${lines.join('')}\r\n${head}`);
  socket.write(content.subarray(0, half));
  await eventually(async () => expect((await filesOf(app)).temporary).toHaveLength(1));
  await meanwhile();
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_001);
  try {
    socket.write(content.subarray(half));
    socket.write(end);
    return (await text(socket)).split('\r\n', 1)[0];
  } finally {
    clock.mockRestore();
  }
}

describe('O10 a body that arrives slowly', () => {
  it.each([
    ['is refused when its token ends meanwhile', true, '401 Unauthorized', 'alice'],
    ['is accepted from a token that is still valid', false, '200 OK', 'Thief'],
  ])('%s', async (_, isEnded, status, name) => {
    const { token } = await app.world.as('alice', 'write:accounts');
    const end = () => app.http.post('/oauth/revoke').send({ token }).expect(200);
    const answer = await sendSlowly(PROFILE, token, 'avatar', async () => isEnded && (await end()));
    expect(answer).toBe(`HTTP/1.1 ${status}`);
    const shown = await ok<{ display_name: string }>(
      app.world.anonymous.get(`/api/v1/accounts/${app.world.id('alice')}`),
    );
    expect(shown.display_name).toBe(name);
    expect((await filesOf(app)).temporary).toEqual([]);
  });

  it('is refused when its sender is no administrator any more', async () => {
    await app.world.person('root', { admin: true });
    const { token } = await app.world.as('root', 'admin');
    const demote = () => app.sql('update users set is_admin = false where account_id = $1', [app.world.id('root')]);
    expect(await sendSlowly(INSTALL, token, 'file', demote)).toBe('HTTP/1.1 403 Forbidden');
    expect((await filesOf(app)).temporary).toEqual([]);
  });
});
