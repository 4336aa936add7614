import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { declaredStatements } from '../../src/platform/index.js';

const DOCUMENTS = 'docs/sql/';

describe('Plans of statements', () => {
  it('are kept of every list that has pages', async () => {
    const files = await readdir(DOCUMENTS);
    const texts = await Promise.all(files.map((file) => readFile(DOCUMENTS + file, 'utf8')));
    const kept = new Set(texts.flatMap((text) => [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)));
    const lists = [...declaredStatements().keys()].filter((name) => name.endsWith('.older'));
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter((name) => !kept.has(name))).toEqual([]);
  });
});
