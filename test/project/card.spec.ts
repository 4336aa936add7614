import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

/** What the project is made of by its users' wish (docs/dependencies.md): nothing of it leaves. */
const PACKAGES = [
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/platform-ws',
  '@nestjs/typeorm',
  'typeorm',
  'pg',
  '@nestjs/bull',
  'bull',
  'class-validator',
  'class-transformer',
  'passport',
  'passport-http-bearer',
];
const TOP_LEVEL = [
  'package.json',
  'nest-cli.json',
  'tsconfig.json',
  'src',
  'test',
  'ormconfig.ts',
  'docker',
  'README.md',
];
const MODULES = ['accounts', 'statuses', 'chats', 'emoji', 'admin', 'config', 'streaming', 'oauth', 'federation'];

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.spec)\.ts$/.test(name),
  );
const manifest = JSON.parse(read('package.json')) as Record<
  'scripts' | 'dependencies' | 'devDependencies',
  Record<string, string>
>;

describe('the design card', () => {
  it.each(PACKAGES)('%s is a dependency that the server imports', (name) => {
    const isImported = new RegExp(`(from|import\\() ?'${name}['/]`);
    expect(manifest.dependencies).toHaveProperty([name]);
    expect(filesOf('src').filter((file) => isImported.test(read(`src/${file}`)))).not.toEqual([]);
  });

  it('jest runs the tests', () => {
    expect(manifest.devDependencies).toHaveProperty('jest');
    expect(manifest.scripts.test).toContain('node_modules/jest/bin/jest.js');
  });

  it.each(TOP_LEVEL)('%s lies at the top', (name) => {
    expect(existsSync(join(ROOT, name))).toBe(true);
  });

  it.each(MODULES)('%s is a module with controllers, entities and jobs', (name) => {
    const files = filesOf(`src/${name}`);
    expect(files).toContain(`${name}.module.ts`);
    for (const kind of [/\.controller\.ts$/, /\.(entity|entities)\.ts$/, /\.jobs\.ts$/])
      expect(files.filter((file) => kind.test(file))).not.toEqual([]);
  });

  it('nest-cli.json says where the sources and the start of the server lie', () => {
    const { sourceRoot, entryFile } = JSON.parse(read('nest-cli.json')) as { sourceRoot: string; entryFile: string };
    expect(existsSync(join(ROOT, sourceRoot, `${entryFile}.ts`))).toBe(true);
  });
});
