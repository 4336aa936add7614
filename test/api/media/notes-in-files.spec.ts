import { MEDIA_TYPES } from '../../../src/platform/index.js';
import { DAMAGED } from '../../support/fixtures/damaged-media.js';
import { NOTED_FILES, UNCLEANABLE } from '../../support/fixtures/noted-files.js';
import { CONTENT, saysWho } from '../../support/fixtures/notes.js';
import { filesOf, pathOf, sendFile, upload } from '../../support/fixtures/uploads.js';
import { useApp } from '../../support/servers/app.js';

describe('places, names and devices in uploaded files', () => {
  const app = useApp({ once: [] });

  beforeAll(async () => {
    await app.world.person('alice');
  });

  it('are tested in files of every accepted type', () => {
    const tried = new Set(NOTED_FILES.map(([mime]) => mime));
    expect(MEDIA_TYPES.map(({ mime }) => mime).filter((mime) => !tried.has(mime))).toEqual([]);
  });

  it.each(NOTED_FILES)('M9 are not served with %s: %s', async (mime, _where, made) => {
    const original = await made();
    expect(saysWho(original)).toBe(true);
    const { url, svc } = await upload(app, 'alice', original);
    expect(svc.mime_type).toBe(mime);
    const served = (await app.http.get(pathOf(url)).expect(200)).body as Buffer;
    expect(saysWho(served)).toBe(false);
    if (original.includes(CONTENT)) expect(served.includes(CONTENT)).toBe(true);
  });

  it.each(UNCLEANABLE)('M9 are refused with %s, which cannot be cleaned', async (_what, original) => {
    const answer = await sendFile(app, 'alice', original);
    expect([answer.status, answer.body]).toEqual([422, { error: expect.any(String) as string }]);
    expect((await filesOf(app)).temporary).toEqual([]);
  });

  it.each(DAMAGED)('M4 are refused with a damaged %s that has %s', async (_mime, _what, original) => {
    const answer = await sendFile(app, 'alice', original);
    expect([answer.status, answer.body]).toEqual([422, { error: 'The file is damaged' }]);
  });
});
