import { preloadedContexts } from '@fedify/vocab-runtime';
import type jsonld from 'jsonld';
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

/** Refuses members that no context describes, and values that a reader would drop; the option has no type yet. */
export const STRICT = { documentLoader, safe: true } as jsonld.Options.Expand;
