import ts from 'typescript';

/** A property of a row type, and its kinds of value without null: `string`, `number[]`, `object` and so on. */
export interface DeclaredColumn {
  readonly name: string;
  readonly optional: boolean;
  readonly kinds: readonly string[];
}

/** A call of `sql`: the names of its statements, and its row type. */
export interface DeclaredRow {
  readonly names: RegExp;
  /** The literal part of the names. */
  readonly certain: number;
  readonly columns: readonly DeclaredColumn[];
  readonly where: string;
}

type Names = (param: ts.Declaration) => string | undefined;

/**
 * Reads the row types of all calls of `sql` from the sources. If a row type is a parameter of the surrounding function
 * (`list<Row>(…)`), reads it from the calls of that function.
 */
export function readRowTypes(): DeclaredRow[] {
  const { fileNames, options } = readConfig();
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const calls = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'))
    .flatMap((file) => callsIn(file));

  /** The function of a call. */
  const calledBy = (call: ts.CallExpression) => checker.getResolvedSignature(call)?.declaration;

  const rowsOf = (call: ts.CallExpression): DeclaredRow[] => {
    const row = rowOf(checker.getTypeAtLocation(call), call);
    const [name] = call.arguments;
    if (!name) return [];
    if (!row?.isTypeParameter()) return [declared(call, name, row, () => undefined)];
    const owner = row.symbol.declarations?.[0]?.parent;
    const called = owner && nameOf(owner);
    return calls
      .filter(({ expression }) => nameOf(expression) === called) // the checker needs long to resolve every call
      .filter((outer) => calledBy(outer) === owner)
      .map((outer) => {
        const type = rowOf(checker.getTypeAtLocation(outer), outer);
        return declared(outer, name, type, (parameter) => literalFor(outer, parameter));
      });
  };

  /** The row type of a statement, or of a list with one statement per direction. */
  const rowOf = (type: ts.Type, at: ts.Node): ts.Type | undefined => {
    if (type.getSymbol()?.name === 'Statement') return checker.getTypeArguments(type as ts.TypeReference)[0];
    const older = type.getProperty('older');
    return older && rowOf(checker.getTypeOfSymbolAtLocation(older, at), at);
  };

  const declared = (
    call: ts.CallExpression,
    name: ts.Expression,
    row: ts.Type | undefined,
    names: Names,
  ): DeclaredRow => {
    const { pattern, certain } = patternOf(name, names);
    const file = call.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(call.getStart());
    return {
      names: new RegExp(`^${pattern}$`),
      certain,
      columns: row ? columnsOf(row, call) : [],
      where: `${file.fileName.replace(/^.*\/(?=src\/)/, '')}:${String(line + 1)}`,
    };
  };

  const patternOf = (name: ts.Expression, names: Names): { pattern: string; certain: number } => {
    const parts: (string | undefined)[] = ts.isTemplateExpression(name)
      ? [
          name.head.text,
          ...name.templateSpans.flatMap(({ expression, literal }) => [literalIn(expression, names), literal.text]),
        ]
      : [literalIn(name, names)];
    return {
      pattern: parts.map((part) => (part === undefined ? '[\\w.]+' : part.replaceAll('.', '\\.'))).join(''),
      certain: parts.reduce((sum, part = '') => sum + part.length, 0),
    };
  };

  const literalIn = (expression: ts.Expression, names: Names): string | undefined => {
    if (ts.isStringLiteralLike(expression)) return expression.text;
    const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    return declaration && names(declaration);
  };

  /** The text of a call's argument, or of a property that the parameter destructures. */
  const literalFor = (call: ts.CallExpression, parameter: ts.Declaration): string | undefined => {
    const taken = ts.isBindingElement(parameter) ? parameter.name.getText() : undefined;
    const whole = ts.isBindingElement(parameter) ? parameter.parent.parent : parameter;
    const position = calledBy(call)?.parameters.indexOf(whole as ts.ParameterDeclaration & ts.JSDocParameterTag) ?? -1;
    const given = call.arguments[position];
    if (!given) return undefined;
    if (taken === undefined) return ts.isStringLiteralLike(given) ? given.text : undefined;
    if (!ts.isObjectLiteralExpression(given)) return undefined;
    const property = given.properties.find((each) => each.name?.getText() === taken);
    return property && ts.isPropertyAssignment(property) && ts.isStringLiteralLike(property.initializer)
      ? property.initializer.text
      : undefined;
  };

  const columnsOf = (row: ts.Type, at: ts.Node): DeclaredColumn[] =>
    (row.isUnion() ? row.types : [row]).flatMap((type) =>
      checker.getPropertiesOfType(type).map((property) => ({
        name: property.name,
        optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
        kinds: kindsOf(checker.getTypeOfSymbolAtLocation(property, at)),
      })),
    );

  const kindsOf = (type: ts.Type): string[] =>
    [...new Set(constituents(type).map(kindOf))].filter((kind) => kind !== '');

  const constituents = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

  const kindOf = (type: ts.Type): string => {
    const has = (flags: ts.TypeFlags) => (type.flags & flags) !== 0;
    if (has(ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return '';
    if (has(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'anything';
    if (has(ts.TypeFlags.StringLike)) return 'string';
    if (has(ts.TypeFlags.NumberLike)) return 'number';
    if (has(ts.TypeFlags.BooleanLike)) return 'boolean';
    if (checker.isArrayLikeType(type)) {
      return checker
        .getTypeArguments(type as ts.TypeReference)
        .flatMap(kindsOf)
        .map((kind) => `${kind}[]`)
        .join('|');
    }
    const name = type.getSymbol()?.name ?? '';
    return ['Buffer', 'Date'].includes(name) ? name : 'object';
  };

  const isDeclaration = (call: ts.CallExpression) =>
    calledBy(call)?.getSourceFile().fileName.endsWith('/platform/database/sql.ts') === true;
  return calls
    .filter(({ expression }) => expression.getText() === 'sql')
    .filter(isDeclaration)
    .flatMap(rowsOf);
}

/** The name that a function is declared or called by. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

function callsIn(file: ts.SourceFile): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

function readConfig(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, '.');
}
