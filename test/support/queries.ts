import pg from 'pg';

/** The statements during a {@link countQueries} block: names of prepared ones, else the first words. */
export interface Sent {
  readonly statements: string[];
  /** The values of each of them. */
  readonly values: (readonly unknown[])[];
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

const counters = new Set<Sent>();
let hooked = false;

/** Runs `work`; returns its result with every statement that this process sent to PostgreSQL meanwhile. */
export async function countQueries<T>(work: () => Promise<T>): Promise<{ result: T } & Sent> {
  hook();
  const sent: Sent = { statements: [], values: [] };
  counters.add(sent);
  try {
    return { result: await work(), ...sent };
  } finally {
    counters.delete(sent);
  }
}

function hook(): void {
  if (hooked) return;
  hooked = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const name = label(args[0]);
    // The first statement of a new connection is no request's.
    if (!name.startsWith('listen '))
      for (const { statements, values } of counters) {
        statements.push(name);
        values.push((args[0] as { values?: readonly unknown[] }).values ?? []);
      }
    return original.apply(this, args);
  };
}

function label(query: unknown): string {
  if (typeof query === 'string') return words(query);
  const { name, text } = query as { name?: string; text?: string };
  return name ?? words(text ?? '?');
}

const words = (text: string) => text.trim().split(/\s+/).slice(0, 4).join(' ');
