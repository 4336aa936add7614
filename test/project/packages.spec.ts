import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { dependencies } = JSON.parse(read('package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

describe('the image', () => {
  it('has every package that the server imports, and what Nest demands of those who use it, and no other', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.spec)\.ts$/.test(name))
      .map((name) => read(`src/${name}`))
      .join('\n');
    const imports = (name: string) =>
      new RegExp(`(from|import\\(|import|require\\(|resolve\\() ?'${name.replaceAll('.', '\\.')}['/]`).test(sources);
    const removed = /npm uninstall (?:--\S+ )*(.*)/.exec(read('docker/Dockerfile'))?.[1]?.split(' ') ?? [];
    const unused = Object.keys(dependencies).filter((name) => !imports(name));
    expect(unused.sort()).toEqual([...removed, 'reflect-metadata'].sort());
  });
});
