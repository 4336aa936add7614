import type { TestApp } from './servers/app.js';

/** The Accept header of browsers. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

/** A page as a browser receives it. */
export interface ReadPage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Fetches a page that must exist, by default in English. */
export async function readPage(app: TestApp, path: string, language = 'en'): Promise<ReadPage> {
  const { text, headers } = await app.http.get(path).set({ Accept: BROWSER, 'Accept-Language': language }).expect(200);
  return { text, headers };
}

/** The text of a page, without its markup. */
export function wordsOf({ text }: ReadPage): string {
  return text
    .slice(text.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&middot;', '·')
    .replace(/\s+/g, ' ');
}

/** The meta element of that name in the head. */
export function metaOf({ text }: ReadPage): Record<string, string> {
  const found = text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
  return Object.fromEntries(Array.from(found, ([, name = '', content = '']) => [name, content]));
}

/** The links in the head with a relation and, if given, a type. */
export function headLinks({ text }: ReadPage, rel: string, type?: string): string[] {
  return Array.from(text.matchAll(/<link ([^>]*)\/>/g), ([, attributes = '']) => attributes)
    .filter((attributes) => attributes.includes(`rel="${rel}"`))
    .filter((attributes) => type === undefined || attributes.includes(`type="${type}"`))
    .map((attributes) => /href="([^"]*)"/.exec(attributes)?.[1] ?? '');
}

/** The addresses of the posts on a page, in order. */
export function postsOn({ text }: ReadPage): string[] {
  return Array.from(text.matchAll(/<a href="([^"]*)"><time/g), ([, url = '']) => url);
}
