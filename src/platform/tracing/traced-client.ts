import type pg from 'pg';
import { currentWork } from './work.js';
import { errorTypeOf, type Tracing } from './tracing.js';

type Callback = (error: unknown, ...results: unknown[]) => void;
type Class = new (config?: pg.ClientConfig) => pg.Client;

/**
 * Connections whose statements are spans, within work that has one: the name of a prepared statement, or the first words of
 * others; never a value. Without traces no connection is of this class, so that a statement costs nothing more.
 */
export function tracedClient(Client: Class, tracing: Tracing): Class {
  return class TracedClient extends Client {
    override query(...args: never[]): never {
      const send = super.query.bind(this) as (...args: unknown[]) => unknown;
      const [query, ...rest] = args as unknown[];
      const summary = currentWork()?.span?.isRecorded ? summaryOf(query) : undefined;
      const span =
        summary === undefined
          ? undefined
          : tracing.beginWithin({
              name: summary,
              kind: 'client',
              attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
            });
      if (!span) return send(query, ...rest) as never;
      const end = (error: unknown) => {
        if (error) span.fail(errorTypeOf(error));
        span.end();
      };
      const done = rest.at(-1);
      if (typeof done === 'function') {
        const ended: Callback = (error, ...results) => {
          end(error);
          (done as Callback)(error, ...results);
        };
        return send(query, ...rest.slice(0, -1), ended) as never;
      }
      const answer = send(query, ...rest) as Promise<unknown>;
      answer.then(() => end(undefined), end);
      return answer as never;
    }
  };
}

/** Undefined for what is no statement, such as a stream of rows. */
function summaryOf(query: unknown): string | undefined {
  if (typeof query === 'string') return firstWords(query);
  const { name, text, submit } = query as { readonly name?: string; readonly text?: string; readonly submit?: unknown };
  if (typeof submit === 'function' || text === undefined) return undefined;
  return name ?? firstWords(text);
}

/** Such as `SELECT accounts`: the operation, and the first table. */
function firstWords(text: string): string {
  const [operation = ''] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]+)\b/i.exec(text) ?? [];
  return [operation.toUpperCase(), ...(table === undefined ? [] : [table])].join(' ');
}
