import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { sourcesOf } from './faults.js';

/** A method, as `Class.method`. */
export type MethodName = string;

/** The methods of `src`, their texts, and which of them call which. Fields are resolved by the types that classes declare. */
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
        (node.heritageClauses ?? []).flatMap(({ types }) => types.map((each) => identifierOf(each.expression))),
      );
      const types = fieldTypes(node);
      for (const member of node.members) {
        if (!ts.isMethodDeclaration(member) && !ts.isGetAccessor(member) && !ts.isConstructorDeclaration(member))
          continue;
        const method = `${name}.${member.name ? member.name.getText() : 'constructor'}`;
        bodies.set(method, member.getText());
        sources.set(method, text);
        callees.set(method, calleesIn(member, name, types));
      }
    });
  }
  // A constructor may store functions in properties: a method that uses such a property calls what the constructor calls.
  for (const [method, called] of callees)
    for (const callee of called) {
      const constructorName = `${callee.split('.')[0]!}.constructor`;
      const isProperty = !bodies.has(callee) && callees.get(constructorName)?.has(callee);
      if (method !== constructorName && isProperty) called.add(constructorName);
    }
  const callers = new Map<MethodName, Set<MethodName>>();
  for (const [method, called] of callees)
    for (const callee of called) callers.set(callee, (callers.get(callee) ?? new Set()).add(method));
  return {
    bodies,
    callees,
    callers,
    implementing: (name) => [...interfaces].filter(([, names]) => names.includes(name)).map(([each]) => each),
    sourceOf: (method) => sources.get(method) ?? '',
  };
}

const identifierOf = (node: ts.Node | undefined) => (node && ts.isIdentifier(node) ? node.text : '');

/** The types of the fields of a class, those that its constructor declares included, by name. */
function fieldTypes(node: ts.ClassDeclaration): ReadonlyMap<string, string> {
  const constructor = node.members.find((member) => ts.isConstructorDeclaration(member));
  const fields = [
    ...(constructor?.parameters ?? []),
    ...node.members.filter((member) => ts.isPropertyDeclaration(member)),
  ];
  return new Map(
    fields.map(({ name, type }) => [
      name.getText(),
      type && ts.isTypeReferenceNode(type) ? identifierOf(type.typeName) : '',
    ]),
  );
}

/** The methods that a member of a class calls, through `this` and its fields. */
function calleesIn(member: ts.Node, className: string, types: ReadonlyMap<string, string>): Set<MethodName> {
  const found = new Set<MethodName>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const { expression, name } = node;
      if (expression.kind === ts.SyntaxKind.ThisKeyword) found.add(`${className}.${name.text}`);
      else if (ts.isPropertyAccessExpression(expression) && expression.expression.kind === ts.SyntaxKind.ThisKeyword)
        found.add(`${types.get(expression.name.text) ?? ''}.${name.text}`);
    }
    node.forEachChild(visit);
  };
  visit(member);
  return found;
}

/** These methods, and all that call one of them, also through others. */
export function methodsCalling({ callers }: CallGraph, methods: Iterable<MethodName>): Set<MethodName> {
  const found = new Set(methods);
  for (const method of found) for (const caller of callers.get(method) ?? []) found.add(caller);
  return found;
}
