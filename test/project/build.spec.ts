import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const read = (path: string): string => readFileSync(join(DIST, path), 'utf8');
const files = readdirSync(DIST).filter((name) => name.endsWith('.js'));

describe('the build', () => {
  it('ADR 26 is ASCII, so that V8 holds it in one byte each: templates of markup write other characters as entities', () => {
    expect(files.length).toBeGreaterThan(20);
    const others = files.flatMap((name) => read(name).match(/.{0,40}[^\0-\x7f].{0,10}/g) ?? []);
    expect(others).toEqual([]);
  });

  it('ADR 26 has the helpers of decorators once', () => {
    expect(files.filter((name) => read(name).includes('Reflect.decorate'))).toHaveLength(1);
  });

  it('ADR 26 has maps that lead from each thrown error to its place in the sources', () => {
    const strays = files.flatMap(straysOf);
    expect(strays).toEqual([]);
  });
});

/** The `throw` expressions of a built file whose entries in its map name no `throw` of ours. */
function straysOf(name: string): string[] {
  const thrown = read(name)
    .split('\n')
    .flatMap((text, line) => [...text.matchAll(/\bthrow new \w+/g)].map(({ index }) => ({ line, column: index })));
  if (thrown.length === 0) return [];
  const map = new SourceMap(JSON.parse(read(`${name}.map`)) as SourceMapPayload);
  return thrown.flatMap(({ line, column }) => {
    const entry = map.findEntry(line, column);
    if (!('originalSource' in entry)) return [`${name}:${line}:${column}`];
    const { originalSource, originalLine, originalColumn } = entry;
    const source = read(originalSource).split('\n')[originalLine] ?? '';
    return source.startsWith('throw', originalColumn) ? [] : [`${originalSource}:${originalLine}:${originalColumn}`];
  });
}
