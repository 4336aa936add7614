import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

export type HeaderEntry = readonly [name: string, value: string];

/**
 * Headers that are the same in many answers: checked and written as text once, while `setHeader` checks and stores each of
 * them for each answer. Never changed; what an answer changes for itself is left out of its own.
 */
export class FixedHeaders {
  /** The headers as they are sent. */
  readonly text: string;
  private readonly values = new Map<string, HeaderEntry>();
  /** The others without one of them, by its name. There are no more than handlers change. */
  private readonly others = new Map<string, FixedHeaders>();

  /** @throws TypeError for a name or value that no header can have */
  constructor(entries: Iterable<HeaderEntry>) {
    let text = '';
    for (const entry of entries) {
      const [name, value] = entry;
      validateHeaderName(name);
      validateHeaderValue(name, value);
      this.values.set(name.toLowerCase(), entry);
      text += `${name}: ${value}\r\n`;
    }
    this.text = text;
  }

  get entries(): Iterable<HeaderEntry> {
    return this.values.values();
  }

  /** The values by name in small letters. */
  get byName(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.values].map(([key, [, value]]) => [key, value]));
  }

  /** The value of a header; undefined when it is none of these. */
  get(name: string): string | undefined {
    return this.values.get(name.toLowerCase())?.[1];
  }

  /** These headers but one, or these when it is none of them. */
  without(name: string): FixedHeaders {
    const key = name.toLowerCase();
    if (!this.values.has(key)) return this;
    let others = this.others.get(key);
    if (!others) {
      others = new FixedHeaders([...this.values].filter(([other]) => other !== key).map(([, entry]) => entry));
      this.others.set(key, others);
    }
    return others;
  }
}

export const NO_HEADERS = new FixedHeaders([]);

/** An answer that sends fixed headers as text, beside those that are set. */
export interface FixedHeadersAnswer {
  fixedHeaders: FixedHeaders;
}

/** Sets headers of an answer; those of a class of its own it sets one by one. */
export function setFixedHeaders(response: ServerResponse, headers: FixedHeaders): void {
  if ('fixedHeaders' in response) (response as FixedHeadersAnswer).fixedHeaders = headers;
  else for (const [name, value] of headers.entries) response.setHeader(name, value);
}
