import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { asReason, fieldPhrase, joined, phrase, type Reason, translationOf } from './reasons.js';
import { fields as germanFields, refusals as german } from './de/refusals.js';
import { online } from './de/online.js';
import { settings } from './de/settings.js';
import { staffRefusals as germanOfStaff } from './de/staff-refusals.js';
import { refusals as english } from './en/refusals.js';
import type { Locale } from '../i18n/locales.js';
import { translatorOf } from '../i18n/translator.js';

const TEXTS = Object.keys({ ...german, ...germanOfStaff, ...online, ...settings });

interface Source {
  readonly file: ts.SourceFile;
  readonly errors: ReadonlySet<string>;
}

/** An error that is given its cause, and has one text. */
const WITH_CAUSE = 'NotInstalled';

/** The sources without tests and translations, and the names of the classes of errors that are answered. */
function sourcesOf(patterns: readonly string[]): Source {
  const paths = globSync(patterns).filter((path) => !/\.spec\.ts$|\/(i18n|reasons)\/(en|de|fr)\//.test(path));
  const text = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
  const errors = new Set(['DomainError']);
  for (let known = 0; known < errors.size;) {
    known = errors.size;
    for (const [, name, parent] of text.matchAll(/class (\w+) extends (\w+)/g))
      if (errors.has(parent!)) errors.add(name!);
  }
  errors.delete(WITH_CAUSE);
  return { file: ts.createSourceFile('all.ts', text, ts.ScriptTarget.Latest), errors };
}

function visit(node: ts.Node, found: (node: ts.Node) => void): void {
  found(node);
  ts.forEachChild(node, (child) => visit(child, found));
}

/** The texts that the code throws, and those with values. */
function thrown({ file, errors }: Source): string[] {
  const texts: string[] = [];
  const add = (given: ts.Node | undefined): void => {
    if (!given) return;
    if (ts.isStringLiteralLike(given)) texts.push(given.text);
    if (ts.isTemplateExpression(given)) texts.push(given.getText(file));
    if (ts.isConditionalExpression(given)) [given.whenTrue, given.whenFalse].forEach(add);
  };
  visit(file, (node) => {
    if (ts.isNewExpression(node) && errors.has(node.expression.getText(file))) node.arguments?.slice(0, 2).forEach(add);
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'phrase') add(node.arguments[0]);
  });
  return texts;
}

/** Patterns of all literals of the code; values within them are anything. */
function literals({ file }: Source): { readonly plain: ReadonlySet<string>; readonly withValues: RegExp[] } {
  const plain = new Set<string>();
  const withValues: RegExp[] = [];
  visit(file, (node) => {
    if (ts.isStringLiteralLike(node)) plain.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) plain.add(node.name.text);
    if (!ts.isTemplateLiteralTypeNode(node) || node.head.text === '') return;
    const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    withValues.push(new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`));
  });
  return { plain, withValues };
}

const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe('the reasons of refusals', () => {
  const source = sourcesOf(['src/**/*.ts']);

  it('that the code throws have a translation', () => {
    expect(thrown(source).filter((text) => !TEXTS.includes(text))).toEqual([]);
  });

  it('that are translated are all thrown', () => {
    const { plain, withValues } = literals(source);
    expect(TEXTS.filter((text) => !plain.has(text) && !withValues.some((form) => form.test(text)))).toEqual([]);
    expect(Object.keys(english).filter((text) => !TEXTS.includes(text))).toEqual([]);
  });

  it.each<Locale>(['de', 'fr'])('hold the same values in %s', (locale) => {
    for (const text of [...TEXTS, ...Object.keys(germanFields)]) {
      const translation = translationOf(locale, text)!;
      expect([text, namesIn(translation)]).toEqual([text, namesIn(text)]);
      expect(translation.trim()).toBe(translation);
    }
  });
});

describe('a reason', () => {
  it.each<[string, Reason, string, string]>([
    ['a text', 'Already voted', 'Already voted', 'Du hast schon abgestimmt.'],
    [
      'a number, in the form of the language',
      phrase('You can have {max} lists at most', { max: 1_000 }),
      'You can have 1000 lists at most',
      'Du kannst höchstens 1.000 Listen haben.',
    ],
    [
      'a name that looks like markup or like a value',
      phrase('{text} is not a domain', { text: '{text}<b>$&' }),
      '{text}<b>$& is not a domain',
      '„{text}<b>$&“ ist kein Name eines Servers.',
    ],
    [
      'a text within a text',
      phrase('Email {problem}.', { problem: joined(['is invalid', 'is reserved']) }),
      'Email is invalid, is reserved.',
      'Die E-Mail-Adresse ist ungültig, ist reserviert.',
    ],
    ['a field', fieldPhrase('title', 'must not be empty'), 'title must not be empty', 'Titel: darf nicht leer sein'],
    ['an unknown field', fieldPhrase('x', 'is missing'), 'x is missing', 'x: fehlt'],
    [
      'a text from elsewhere',
      asReason('[Policy] {no} {constructor}'),
      '[Policy] {no} {constructor}',
      '[Policy] {no} {constructor}',
    ],
    ['the name of a property of objects', asReason('constructor'), 'constructor', 'constructor'],
  ])('with %s is English for programs, and German for Germans', (_case, reason, program, person) => {
    expect([String(reason), JSON.parse(JSON.stringify(reason))]).toEqual([program, program]);
    expect(translatorOf('de').reason(reason)).toBe(person);
  });

  it('has words for people in English where that for programs is a code', () => {
    expect(translatorOf('en').reason('invalid_token')).toBe('The code is wrong, or it is too late.');
    expect(translatorOf('en').reason('Already voted')).toBe('Already voted');
  });
});
