import { readFileSync } from 'node:fs';

/** A method of the library and the spec file that calls it, `planned`, or `no: ` and the reason. */
export interface ListedMethod {
  readonly method: string;
  readonly where: string;
}

/** The lines of `test/data/masto-methods.tsv`, written by hand. */
export function listedMethods(): ListedMethod[] {
  const [, ...lines] = readFileSync(new URL('../data/masto-methods.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [method = '', where = ''] = line.split('\t');
    return { method, where };
  });
}

/** The methods that a spec file is listed to call. */
export const calledIn = (spec: string): string[] =>
  listedMethods()
    .filter(({ where }) => where === spec)
    .map(({ method }) => method);
