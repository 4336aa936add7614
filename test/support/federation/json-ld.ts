import { preloadedContexts } from '@fedify/vocab-runtime';
import jsonld from 'jsonld';
import { LITEPUB_CONTEXT } from '../../../src/federation/render/context.js';

type Loader = NonNullable<jsonld.Options.DocLoader['documentLoader']>;

const load = (url: string) => {
  const document = url.endsWith('/schemas/litepub-0.1.jsonld') ? LITEPUB_CONTEXT : preloadedContexts[url];
  if (document === undefined) return Promise.reject(new Error(`${url} is no context that servers know`));
  return Promise.resolve({ document: document as object, documentUrl: url, contextUrl: null });
};

/** Lets Fedify read documents by the contexts that servers know, and by ours. */
export const FEDIFY_LOADERS = { documentLoader: load, contextLoader: load };

/** The same for `jsonld`. */
export const documentLoader = load as unknown as Loader;

/** Refuses values that a reader would drop; the option has no type yet. */
const STRICT = { documentLoader, safe: true } as jsonld.Options.Expand;

/** Expands a document. Throws for values that a reader would drop, and for members and types that no context describes. */
export async function expandStrictly(document: jsonld.JsonLdDocument): Promise<jsonld.NodeObject[]> {
  const expanded = await jsonld.expand(document, STRICT);
  // The context of ActivityStreams maps unknown terms to blank nodes (`"@vocab": "_:"`), which `safe` lets pass.
  const unknown = JSON.stringify(expanded).match(/"_:[^"]*"/g);
  if (unknown) throw new Error(`No context describes ${unknown.join(', ')}`);
  return expanded;
}
