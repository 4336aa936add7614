// Writes the examples that `ctl setup` would write for social.example; a test keeps them equal.
import { writeFileSync } from 'node:fs';
import { EXAMPLES } from '../dist/ctl.setup.examples.js';

for (const [path, text] of Object.entries(EXAMPLES)) writeFileSync(path, text);
