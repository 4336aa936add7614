import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { useApp } from '../../support/servers/app.js';

const ROOT = new URL('../../..', import.meta.url).pathname;
const CACHE = join(ROOT, 'node_modules/.cache');
const run = promisify(execFile);

/** A client whose calls are typed by the document. */
const CLIENT = `
import type { paths } from './api.js';
type Answer<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } } ? Body : never;
export const client = (base: string) => async <P extends keyof paths>(path: P, query = ''): Promise<Answer<P>> =>
  (await fetch(base + path + query)).json() as Promise<Answer<P>>;
const get = client('');
export const calls = {
  title: async (base: string): Promise<string> => (await client(base)('/api/v2/instance')).title,
  names: async (base: string): Promise<string[]> =>
    (await client(base)('/api/v1/accounts/search', '?q=alice')).map(({ acct }) => acct),
  texts: async (base: string): Promise<string[]> =>
    (await client(base)('/api/v1/timelines/public')).map(({ content, account }) => account.acct + ': ' + content),
};
// @ts-expect-error no such path
export const unknown = () => get('/api/v1/nothing');
// @ts-expect-error a title is no number
export const wrong = async (): Promise<number> => (await get('/api/v2/instance')).title;
`;

interface Calls {
  readonly title: (base: string) => Promise<string>;
  readonly names: (base: string) => Promise<string[]>;
  readonly texts: (base: string) => Promise<string[]>;
}

describe('programs that read the API reference', () => {
  const app = useApp({ once: ['alice'], listening: true });
  let folder: string;
  let document: string;

  beforeAll(async () => {
    await mkdir(CACHE, { recursive: true });
    folder = await mkdtemp(join(CACHE, 'reference-'));
    document = (await app.http.get('/api/openapi').expect(200)).text;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('find no error and give no warning (Redocly)', async () => {
    const file = join(folder, 'openapi.json');
    await writeFile(file, document.replaceAll(app.env.baseUrl, 'https://svc.test'));
    const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const options = ['lint', file, '--config', join(ROOT, 'redocly.yaml'), '--format', 'json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await run(process.execPath, [cli, ...options], { env }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  describe('a typed client (openapi-typescript)', () => {
    let calls: Calls;

    beforeAll(async () => {
      await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(document)));
      await writeFile(join(folder, 'client.ts'), CLIENT);
      const options: ts.CompilerOptions = {
        strict: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        types: ['node'],
        outDir: join(folder, 'out'),
      };
      const program = ts.createProgram([join(folder, 'client.ts')], options);
      const emitted = program.emit();
      const problems = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
      expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
      ({ calls } = (await import(pathToFileURL(join(folder, 'out/client.js')).href)) as { calls: Calls });
    });

    it('reads the description of the server', async () => {
      expect(typeof (await calls.title(app.env.baseUrl))).toBe('string');
    });

    it('finds accounts', async () => {
      expect(await calls.names(app.env.baseUrl)).toEqual(['alice']);
    });

    it('reads a timeline', async () => {
      const alice = await app.world.as('alice');
      await alice.post('/api/v1/statuses', { status: 'Tea' }).expect(200);
      expect(await calls.texts(app.env.baseUrl)).toEqual(['alice: <p>Tea</p>']);
    });
  });
});
