/*
 * Stacks that name our sources instead of what was built from them. A map is read with the first stack that needs it: Node
 * itself reads those of all modules when they are loaded, and keeps them (5 MB, and a tenth of the start).
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, URL } from 'node:url';

const BUILT = new URL('.', import.meta.url).href;
const MAX_MAPS = 32;

interface Call extends NodeJS.CallSite {
  toString(): string;
}

const maps = new Map<string, SourceMap | undefined>();

/** From now on, in this process. */
export function showSources(): void {
  Error.prepareStackTrace = (error, calls) => [headOf(error), ...calls.map(lineOf)].join('\n    at ');
}

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return '(an error that has no words)';
  }
}

function lineOf(call: Call): string {
  const line = call.toString();
  const file = call.getScriptNameOrSourceURL();
  const [row, column] = [call.getLineNumber(), call.getColumnNumber()];
  if (!file?.startsWith(BUILT) || row === null || column === null) return line;
  const entry = mapOf(file)?.findEntry(row - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return line;
  const source = new URL(entry.originalSource, file).href;
  return line.replace(`${file}:${row}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    if (maps.size >= MAX_MAPS) maps.clear();
    maps.set(file, readMap(file));
  }
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as never);
  } catch {
    return undefined; // the stack names the built file
  }
}
