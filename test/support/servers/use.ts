/** Something that tests start and close: a server, a browser, a connection. */
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

/** Closes after each test what it has opened: `await opened(connect(app))`. */
export function useOpened(): <Opened extends Closable>(opening: Promise<Opened>) => Promise<Opened> {
  const all: Closable[] = [];
  afterEach(() => Promise.all(all.splice(0).map((each) => each.close())));
  return async (opening) => {
    const opened = await opening;
    all.push(opened);
    return opened;
  };
}
