import { readFileSync } from 'node:fs';
import { definitions, settingsDocument } from '../../src/config/index.js';

describe('docs/settings.md', () => {
  it('matches the definitions (npm run settings:docs)', () => {
    expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsDocument(definitions));
  });
});
