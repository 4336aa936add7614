import { readFileSync } from 'node:fs';
import { definitions, settingsDocument } from '../../src/config/index.js';
import { sourcesOf } from '../support/faults.js';

/** The sources that may read a setting; definitions and the configuration API name all of them. */
const SOURCES = sourcesOf('.')
  .filter((file) => /^src\/(?!config\/(definitions|api)\/).*(?<!\.spec)\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'));

/** Whether a source names a setting, or has the key where it reads others of the group by their keys. */
function isRead(path: string, sources = SOURCES): boolean {
  const dot = path.indexOf('.');
  const [group, key] = [path.slice(0, dot), path.slice(dot + 1)];
  const isNamed = (source: string) => new RegExp(`['"\`]${key}(:\\w+)?['"\`]`).test(source);
  if (group === 'rate_limit') return sources.some(isNamed); // the bucket of a route
  return sources.some(
    (source) => source.includes(`'${path}'`) || (source.includes(`\`${group}.\${`) && isNamed(source)),
  );
}

describe('docs/settings.md', () => {
  it('matches the definitions (npm run settings:docs)', () => {
    expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsDocument(definitions));
  });

  it('has only settings that some code reads', () => {
    expect(Object.keys(definitions).filter((path) => !isRead(path))).toEqual([]);
  });

  it('is refused with a setting that no code reads', () => {
    const source = "settings.get('tea.limit'); const all = ['sort'].map((key) => `tea.${key}`); @RateLimit('tea:one')";
    const paths = ['tea.limit', 'tea.sort', 'tea.cups', 'cake.limit', 'cake.sort', 'rate_limit.tea', 'rate_limit.cake'];
    expect(paths.filter((path) => !isRead(path, [source]))).toEqual([
      'tea.cups',
      'cake.limit',
      'cake.sort',
      'rate_limit.cake',
    ]);
  });
});
