import { fileURLToPath } from 'node:url';
import type { mastodon } from 'masto';
import ts from 'typescript';

/** The methods of the library. */
export interface Library {
  readonly rest: mastodon.rest.Client;
  readonly oauth: mastodon.oauth.Client;
}

/**
 * Every method that the library masto offers, read from its types: `rest.v1.accounts.$select.follow`. `$select` in a
 * name chooses one item by its id.
 */
export function mastoMethods(): string[] {
  const file = fileURLToPath(import.meta.url);
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const declaration = program.getSourceFile(file)!.statements.find(ts.isInterfaceDeclaration)!;
  const found: string[] = [];
  const walk = (type: ts.Type, path: string): void => {
    for (const property of type.getProperties()) {
      const name = path + property.name;
      const own = checker.getTypeOfSymbol(property);
      const [call] = own.getCallSignatures();
      if (call && property.name === '$select') walk(call.getReturnType(), `${name}.`);
      else if (call) found.push(name);
      else walk(own, `${name}.`);
    }
  };
  walk(checker.getTypeAtLocation(declaration), '');
  return found.sort();
}
