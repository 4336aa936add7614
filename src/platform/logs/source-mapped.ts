import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../memory/cache.js';

/** A place in a file beside this one: a built file, when this is the build. */
const PLACE = /file:\/\/[^\s()]+?\.js:\d+:\d+/g;
const HERE = dirname(fileURLToPath(import.meta.url));

/** Places that errors came from: they are few, and errors come in storms. */
const known = new LRUCache<string, string>(entryLimit(1_000));
/** Maps that were read and not yet collected: one takes 20 MB. */
const maps = new Map<string, WeakRef<SourceMap>>();

/**
 * The text of an error, with places in our sources instead of those in built files. Maps are read for the first error that
 * needs them: a server without errors never does (docs/adr/0018). Other places, and all of them without maps, stay.
 */
export function sourceMapped(text: string): string {
  return text.replace(PLACE, (place) => {
    const source = known.get(place) ?? sourceOf(place);
    known.set(place, source);
    return source;
  });
}

function sourceOf(place: string): string {
  const [, url = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  try {
    const file = fileURLToPath(url);
    if (dirname(file) !== HERE) return place;
    const origin = mapOf(file).findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return place;
    return `${resolve(HERE, origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  } catch {
    return place; // an error must be shown in any case
  }
}

function mapOf(file: string): SourceMap {
  const held = maps.get(file)?.deref();
  if (held) return held;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  maps.set(file, new WeakRef(map));
  return map;
}
