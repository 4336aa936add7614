/** Something that tests start and close: a server, a browser. */
interface Closable {
  close(): unknown;
}

/** Starts something before the first test of a spec file or a `describe`, and closes it after the last one. */
export function useStarted<Started extends Closable>(start: () => Promise<Started>): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.close());
  return new Proxy({} as Started, {
    get(_target, name) {
      if (!started) throw new Error('What useStarted starts exists only inside tests and hooks');
      const value = Reflect.get(started, name, started) as unknown;
      return typeof value === 'function' ? (value.bind(started) as unknown) : value;
    },
  });
}
