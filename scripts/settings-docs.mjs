// Writes docs/settings.md from the built definitions: `npm run settings:docs`.
import { writeFileSync } from 'node:fs';
import { definitions, settingsDocument } from '../dist/config.index.js';

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsDocument(definitions));
