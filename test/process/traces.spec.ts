import { fileURLToPath } from 'node:url';
import { freePort } from '../support/servers/free-port.js';
import { type Program, Scratch } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Prints each package of OpenTelemetry that the program imports or requires; the metrics require its interface anyway. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (/^@opentelemetry\\/(?!api$)/.test(specifier)) console.log('LOADED ' + specifier);
      return next(specifier, context);
    },
  });`)}`;

const scratch = new Scratch();
afterAll(() => scratch.remove());

async function start(env: Record<string, string> = {}): Promise<Program> {
  const dataDir = await scratch.stoppedDatabase();
  return scratch.run(process.execPath, ['--import', WATCH, MAIN], {
    env: { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', ...env },
  });
}

/** Asks once, and ends the server. Returns its exit code. */
async function visit(program: Program): Promise<number | null> {
  const answer = await fetch(`${await program.url()}/api/v1/instance`);
  expect(answer.status).toBe(200);
  return program.stop();
}

describe('a server without a collector', () => {
  it('loads nothing of the library for traces', async () => {
    const program = await start();
    expect(await visit(program)).toBe(0);
    expect(program.text).not.toContain('LOADED');
  });
});

describe('a server whose collector is away', () => {
  it('P14 serves and ends with 0', async () => {
    const program = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    await program.line(/^LOADED @opentelemetry\/sdk-trace$/);
    expect(await visit(program)).toBe(0);
  });

  it('is not started with an address that is none', async () => {
    const program = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_TRACES_SAMPLER_ARG: '2' });
    expect(await program.ended).toBe(1);
    expect(program.text).toContain('OTEL_EXPORTER_OTLP_ENDPOINT: expected a URL with http:// or https://');
    expect(program.text).toContain('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1');
  });
});
