import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { sourcesOf } from './faults.js';

/** A method, as `Class.method`. */
export type MethodName = string;

/** Which methods of the sources call which, by the types of the constructors' parameters, and the text of each. */
export interface CallGraph {
  readonly bodies: ReadonlyMap<MethodName, string>;
  readonly callees: ReadonlyMap<MethodName, ReadonlySet<MethodName>>;
  readonly callers: ReadonlyMap<MethodName, ReadonlySet<MethodName>>;
  /** The names of the classes that implement an interface. */
  implementing(name: string): string[];
  /** The text of the file of a method. */
  sourceOf(method: MethodName): string;
}

/** Reads `src` without its specs. */
export function readCallGraph(): CallGraph {
  const bodies = new Map<MethodName, string>();
  const sources = new Map<MethodName, string>();
  const interfaces = new Map<string, string[]>();
  const callees = new Map<MethodName, Set<MethodName>>();
  for (const file of sourcesOf('.').filter((path) => /^src\/.*(?<!\.spec|\.d)\.ts$/.test(path))) {
    const text = readFileSync(file, 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    source.forEachChild((node) => {
      if (!ts.isClassDeclaration(node) || !node.name) return;
      const name = node.name.text;
      interfaces.set(
        name,
        (node.heritageClauses ?? []).flatMap(({ types }) => types.map((each) => nameOf(each.expression))),
      );
      const fields = fieldsOf(node);
      for (const member of node.members) {
        if (!ts.isMethodDeclaration(member) && !ts.isGetAccessor(member) && !ts.isConstructorDeclaration(member))
          continue;
        const method = `${name}.${member.name ? member.name.getText() : 'constructor'}`;
        bodies.set(method, member.getText());
        sources.set(method, text);
        callees.set(method, calledIn(member, name, fields));
      }
    });
  }
  // What a constructor makes works when another method uses it.
  for (const [method, called] of callees)
    for (const each of called) {
      const maker = `${each.split('.')[0]!}.constructor`;
      if (method !== maker && !bodies.has(each) && callees.get(maker)?.has(each)) called.add(maker);
    }
  const callers = new Map<MethodName, Set<MethodName>>();
  for (const [method, called] of callees)
    for (const each of called) callers.set(each, (callers.get(each) ?? new Set()).add(method));
  return {
    bodies,
    callees,
    callers,
    implementing: (name) => [...interfaces].filter(([, names]) => names.includes(name)).map(([each]) => each),
    sourceOf: (method) => sources.get(method) ?? '',
  };
}

const nameOf = (node: ts.Node | undefined) => (node && ts.isIdentifier(node) ? node.text : '');

/** The types of the fields that a constructor declares, by name. */
function fieldsOf(node: ts.ClassDeclaration): ReadonlyMap<string, string> {
  const made = node.members.find((member) => ts.isConstructorDeclaration(member));
  const named = [...(made?.parameters ?? []), ...node.members.filter((member) => ts.isPropertyDeclaration(member))];
  return new Map(
    named.map(({ name, type }) => [name.getText(), type && ts.isTypeReferenceNode(type) ? nameOf(type.typeName) : '']),
  );
}

function calledIn(member: ts.Node, own: string, fields: ReadonlyMap<string, string>): Set<MethodName> {
  const found = new Set<MethodName>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const { expression, name } = node;
      if (expression.kind === ts.SyntaxKind.ThisKeyword) found.add(`${own}.${name.text}`);
      else if (ts.isPropertyAccessExpression(expression) && expression.expression.kind === ts.SyntaxKind.ThisKeyword)
        found.add(`${fields.get(expression.name.text) ?? ''}.${name.text}`);
    }
    node.forEachChild(visit);
  };
  visit(member);
  return found;
}

/** The methods that lead to one of these by calls, these among them. */
export function leadingTo({ callers }: CallGraph, methods: Iterable<MethodName>): Set<MethodName> {
  const found = new Set(methods);
  for (const method of found) for (const caller of callers.get(method) ?? []) found.add(caller);
  return found;
}
