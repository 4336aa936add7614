import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
/** Commands in TypeScript, which Node reads without a build. */
const COMMANDS = Object.entries(scripts).filter(([, command]) => command.endsWith('.ts'));

it.each(COMMANDS)('npm run %s starts, and names an option that it does not know', (_, command) => {
  const { stderr } = spawnSync('sh', ['-c', `${command} --nonsense`], { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toMatch(/Error.*--nonsense/);
});
