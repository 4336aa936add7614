import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/*
 * Everything that comments, test titles and documents cite must exist in the repository: sections of the specification
 * (`spec §4.1.4`), threats and goals (`threat V8`, or at the beginning of a title), decisions (`ADR 3`), documents, and the
 * paths, classes and functions that documents name.
 */

const ROOT = new URL('../..', import.meta.url).pathname;
const OWN = 'test/rules/citations.spec.ts';
const FOLDERS = ['src', 'test', 'bench', 'scripts', 'docs'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first);

const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const documentsAtTheTop = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
const files = [...documentsAtTheTop, ...FOLDERS.flatMap(filesIn)].filter(
  (file) => /\.(?:ts|mjs|cjs|js|tsv|md)$/.test(file) && file !== OWN,
);
const documents = files.filter((file) => file.endsWith('.md'));

const sections = new Set(found(read('docs/specification.md'), /^#{2,4} (\d+(?:\.\d+)*) /gm));
const ids = new Set(
  ['docs/threats.md', 'docs/performance.md'].flatMap((file) => found(read(file), /^\| ([A-Z]\d+)\b/gm)),
);
const decisions = new Set(readdirSync(join(ROOT, 'docs/adr')).map((name) => Number(name.slice(0, 4))));

/** Names of others that documents mention and no code here uses. */
const NAMES_OF_OTHERS = new Set([
  'ClassSerializerInterceptor',
  'forFeature',
  'InterceptorsConsumer',
  'terminationGracePeriodSeconds',
  'TimeoutStopSec',
  'ValidationPipe',
]);

const NEXT = String.raw`(?:, | and |, and )`;
const OTHERS_SECTIONS = new RegExp(
  String.raw`(?:RFC \d+|ActivityPub|ISO/IEC [\d-]+|OpenAPI Specification [\d.]+),? §[\d.]+(?:${NEXT}§[\d.]+)*`,
  'g',
);
const ID = String.raw`[A-Z]\d{1,2}`;
const THREATS = new RegExp(String.raw`\b(?:[Tt]hreat|[Gg]oal)s? (${ID}(?:(?:${NEXT}| to )${ID})*)\b`, 'g');
const TITLES = new RegExp(String.raw`['"\`]((?:${ID} )+)`, 'g');

/** Joins the lines of a comment into one line. */
const unwrapped = (text: string) => text.replace(/\n\s*(?:\*|\/\/) /g, ' ');

const citedSections = (text: string) => found(unwrapped(text).replace(OTHERS_SECTIONS, ''), /§ ?(\d+(?:\.\d+)*)/g);
const citedIds = (text: string) =>
  [...found(unwrapped(text), THREATS), ...found(text, TITLES)].flatMap((list) => list.match(new RegExp(ID, 'g')) ?? []);
const citedDecisions = (text: string) => found(unwrapped(text), /(?:\bADR |\bdocs\/adr\/0*)(\d+)/g);
const malformedStandards = (text: string) => found(unwrapped(text), /(\bRFC(?! \d{3,5}\b)[^A-Za-z].{0,8})/g);
const citedDocuments = (text: string) => found(text.replace(/https?:\S+/g, ''), /([\w./-]*\w\.md)\b/g);
const citedFiles = (text: string) => found(text, /`([\w./-]*\w\.(?:ts|mjs))`/g);
/** Names with a capital inside, alone or with a member: `ReadCache`, `@SubscribesToAll`, `Jobs.cancel`. */
const citedNames = (text: string) =>
  found(text, /`@?([A-Za-z]\w*(?:\.\w+)?)(?:\([^`]*\))?`/g).filter(
    (name) => /[a-z][A-Z]/.test(name) && !NAMES_OF_OTHERS.has(name),
  );
const citedPaths = (text: string) => found(text, /`((?:src|test|bench|scripts|docs|docker)\/[\w./-]+)`/g);

const withoutComments = (code: string) => code.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '');

/** Whether a path exists relative to the root, to the file that names it, or to docs. */
const exists = (path: string, from: string) =>
  ['', dirname(from), 'docs'].some((folder) => existsSync(join(ROOT, folder, path)));

/** All citations of a kind that do not resolve, each with its file. */
const unresolved = (
  among: readonly string[],
  cited: (text: string) => string[],
  resolves: (citation: string, file: string) => boolean,
) =>
  among.flatMap((file) =>
    cited(read(file))
      .filter((citation) => !resolves(citation, file))
      .map((citation) => `${file}: ${citation}`),
  );

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

describe('citations', () => {
  it('name sections of the specification', () => {
    expect(unresolved(files, citedSections, (section) => sections.has(section))).toEqual([]);
    expect(files.flatMap((file) => citedSections(read(file))).length).toBeGreaterThan(100);
  });

  it('name listed threats, faults and goals', () => {
    expect(unresolved(files, citedIds, (id) => ids.has(id))).toEqual([]);
    expect(files.flatMap((file) => citedIds(read(file))).length).toBeGreaterThan(100);
  });

  it('name decisions and standards by their numbers', () => {
    expect(unresolved(files, citedDecisions, (number) => decisions.has(Number(number)))).toEqual([]);
    expect(unresolved(files, malformedStandards, () => false)).toEqual([]);
  });

  it('name existing documents', () => {
    expect(unresolved(files, citedDocuments, exists)).toEqual([]);
  });

  it('name existing files', () => {
    expect(unresolved(documents, citedPaths, exists)).toEqual([]);
  });

  it('name existing files of a module by the end of their paths', () => {
    const isFile = (name: string) => existsSync(join(ROOT, name)) || files.some((file) => file.endsWith(`/${name}`));
    expect(unresolved(documents, citedFiles, isFile)).toEqual([]);
    expect(documents.flatMap((file) => citedFiles(read(file))).length).toBeGreaterThan(100);
  });

  it('name existing classes, functions and fields', () => {
    const sources = [...files, 'eslint.config.mjs'].filter((file) => !file.endsWith('.md')).map(read);
    const words = new Set(withoutComments(sources.join('\n')).match(/\w+/g));
    const isName = (citation: string) => citation.split('.').every((part) => words.has(part));
    expect(unresolved(documents, citedNames, isName)).toEqual([]);
    expect(documents.flatMap((file) => citedNames(read(file))).length).toBeGreaterThan(100);
  });

  it('list every port in its decision', () => {
    const ports = files
      .filter((file) => file.endsWith('.port.ts'))
      .flatMap((file) => found(read(file), /^export class (\w+)/gm))
      .toSorted();
    expect(found(read('docs/adr/0016-ports.md'), /^\| `(\w+)`/gm).toSorted()).toEqual(ports);
  });

  it('link to existing files and headings', () => {
    const links = (text: string) => found(text, /\]\((?!https?:)([^()\s]+)\)/g);
    const leads = (link: string, from: string) => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? from : relative(ROOT, join(ROOT, dirname(from), path));
      if (!existsSync(join(ROOT, file))) return false;
      return anchor === undefined || found(read(file), /^#+ (.+)$/gm).some((heading) => slug(heading) === anchor);
    };
    expect(unresolved(documents, links, leads)).toEqual([]);
    expect(documents.flatMap((file) => links(read(file))).length).toBeGreaterThan(20);
  });

  it('are reported when they do not resolve', () => {
    const text = "/** (RFC 6749 §4.3, §9; spec §4.2,\n * §99). Threats V8,\n * Z9; ADR 99; no-such.md */ it('Q1 D3 x')";
    expect(citedSections(text).filter((section) => !sections.has(section))).toEqual(['99']);
    expect(citedIds(text).filter((id) => !ids.has(id))).toEqual(['Z9', 'Q1']);
    expect(citedDecisions(text).filter((number) => !decisions.has(Number(number)))).toEqual(['99']);
    expect(citedDocuments(text).filter((path) => !exists(path, OWN))).toEqual(['no-such.md']);
  });
});

it('finds every threat listed once, with its defence or as not built yet', () => {
  const rows = found(read('docs/threats.md'), /^(\| [A-Z]\d+ \|.+)$/gm);
  expect(rows.filter((row) => !/`(?:src|test|docker)\/|`npm run |not built yet/.test(row))).toEqual([]);
  expect(rows).toHaveLength(new Set(rows.map((row) => row.split(' ')[1])).size);
});
